/* inputs.c: collects the files that a load reads, in load order (cli.md section 3). */
#include "load/inputs/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/checkpoint/checkpoint_files.h"
#include "load/runs.h"
#include "load/xplane/run_folder.h"

void inputs_truncate(struct inputs *inputs, size_t n)
{
    for (size_t i = n; i < inputs->list.n; i++) {
        struct input *input = &inputs->list.data[i];

        gunzip_cancel(input->unpacking);
        if (input->is_read || input->is_begun) {
            input_drop(&input->file);
            free(input->file.path);
        }
        free(input->path);
    }
    KEEP_MIN(inputs->list.n, n);
}

void inputs_done(struct inputs *inputs)
{
    inputs_truncate(inputs, 0);
    vec_done(&inputs->list);
}

void inputs_drop(struct inputs *inputs, const char *path)
{
    size_t kept = 0;

    for (size_t i = 0; i < inputs->list.n; i++) {
        struct input *input = &inputs->list.data[i];

        if (strcmp(input->path, path) == 0)
            free(input->path);
        else
            inputs->list.data[kept++] = *input;
    }
    inputs->list.n = kept;
}

size_t inputs_find(const struct inputs *inputs, const char *path)
{
    for (size_t i = 0; path && i < inputs->list.n; i++)
        if (strcmp(inputs->list.data[i].path, path) == 0)
            return i;
    return SIZE_MAX;
}

static struct input *add(struct inputs *inputs, const char *path, enum input_format format,
                         bool named)
{
    struct input input = {.path = xstrdup(path), .format = format, .named = named};
    struct stat st;
    const bool is_stdin = strcmp(path, "-") == 0;
    const bool is_there = !is_stdin && stat(path, &st) == 0;

    input.is_stream = is_stdin || (is_there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
    if (is_there && S_ISREG(st.st_mode) && st.st_size > 0)
        input.file_size_bytes = (uint64_t)st.st_size;
    vec_push(&inputs->list, input);
    return &inputs->list.data[inputs->list.n - 1];
}

/* ---- detection by content */

static bool is_regular(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Bytes needed for detection, and a limit if they end within the first name. */
enum { PEEK_BYTES = 1 << 16, PEEK_MORE_BYTES = 1 << 26 };

/* Detects the format of the regular file PATH; *LOOKALIKE describes an unknown one. */
static bool detect_file(const char *path, enum input_format *format, const char **lookalike,
                        struct err *err)
{
    byte_vec head = {0};
    struct span bytes;

    if (!input_peek(path, PEEK_BYTES, &head, err))
        return false;
    bytes = (struct span){head.data, head.n};
    if (detect_is_cut(bytes)) {
        vec_done(&head);
        if (!input_peek(path, PEEK_MORE_BYTES, &head, err))
            return false;
        bytes = (struct span){head.data, head.n};
    }
    *format = detect_format(bytes);
    *lookalike = detect_lookalike(bytes);
    vec_done(&head);
    return true;
}

static const char *or_binary(const char *lookalike)
{
    return lookalike ? lookalike : "binary data of unknown format";
}

/* The same for a path: a report of Nsight Systems is recognised by its name only. */
static const char *or_report(const char *path, const char *lookalike)
{
    static const char suffix[] = ".nsys-rep";
    const size_t len = strlen(path), n = sizeof suffix - 1;

    if (!lookalike && len > n && strcmp(path + len - n, suffix) == 0)
        return "a report of Nsight Systems: export it first: nsys export --type sqlite FILE";
    return or_binary(lookalike);
}

/* Adds a pipe, which is read completely because it can be read only once. */
static bool add_stream(struct inputs *inputs, const char *path, struct cancel_mark cancel,
                       struct err *err)
{
    struct input *input;
    struct span bytes;

    if (inputs->without_streams)
        return false;
    input = add(inputs, path, FORMAT_UNKNOWN, true);
    if (!input_read(path, &input->file, cancel, err))
        return false;
    input->is_read = true;
    bytes = (struct span){input->file.bytes, input->file.size_bytes};
    input->format = detect_format(bytes);
    return input->format != FORMAT_UNKNOWN ||
           err_set(err, ERR_INPUT, "%s: %s", path, or_binary(detect_lookalike(bytes)));
}

/* ---- folders */

static char *join_path(const char *folder, const char *name)
{
    struct strbuf path = {0};
    size_t len = strlen(folder);

    sb_adds(&path, folder);
    sb_adds(&path, len && folder[len - 1] != '/' ? "/" : "");
    sb_adds(&path, name);
    return sb_take(&path);
}

/* saved_model.pb or .pbtxt in FOLDER as heap memory, or NULL. */
static char *saved_model_in(const char *folder)
{
    static const char *const names[] = {"saved_model.pb", "saved_model.pbtxt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = join_path(folder, names[i]);

        if (is_regular(path))
            return path;
        free(path);
    }
    return NULL;
}

static int by_version(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name); /* step_2 before step_10 */
}

/* True for the list of graph captures that a server writes next to its traces. */
static bool is_list_of_captures(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "execution_details.json") == 0;
}

/* Adds PATH if its format is known; other files in a folder are skipped with a note. */
static void add_from_folder(struct inputs *inputs, const char *path, struct notes *notes)
{
    enum input_format format;
    const char *lookalike;
    struct err err = {0};

    if (!is_regular(path) || checkpoint_path_is_data(path) || is_list_of_captures(path))
        return;
    if (run_folder_is_capture(path)) {
        add(inputs, path, FORMAT_CAPTURE, true); /* its reader reports defects */
        return;
    }
    if (!detect_file(path, &format, &lookalike, &err))
        note_add_kind(notes, NOTE_SKIPPED, "%s: skipped", err_text(&err));
    else if (format == FORMAT_UNKNOWN)
        note_add_kind(notes, NOTE_SKIPPED, "%s: skipped: %s", path, or_binary(lookalike));
    else
        add(inputs, path, format, false);
    err_done(&err);
}

/* Adds a SavedModel, and the checkpoint in its folder. */
static void add_saved_model(struct inputs *inputs, char *path)
{
    const char *slash = strrchr(path, '/');
    struct strbuf prefix = {0};

    add(inputs, path, FORMAT_SAVED_MODEL, true);
    sb_add(&prefix, path, slash ? (size_t)(slash + 1 - path) : 0);
    sb_adds(&prefix, "variables/variables");
    if (checkpoint_path_is_one(sb_text(&prefix)))
        add(inputs, sb_text(&prefix), FORMAT_CHECKPOINT, false);
    sb_done(&prefix);
    free(path);
}

/* Adds a file given by an option for graphs; any format that contains a graph is accepted. */
static bool add_graph(struct inputs *inputs, const char *path, struct err *err)
{
    enum input_format format = FORMAT_GRAPH;
    char *model = is_folder(path) ? saved_model_in(path) : NULL;
    const char *lookalike;

    if (model) {
        add_saved_model(inputs, model);
        return true;
    }
    if (is_regular(path) && !detect_file(path, &format, &lookalike, err))
        return false;
    if (format == FORMAT_SAVED_MODEL)
        add_saved_model(inputs, xstrdup(path));
    else
        add(inputs, path,
            format != FORMAT_UNKNOWN && formats[format]->contents == CONTAINS_GRAPH ? format
                                                                                    : FORMAT_GRAPH,
            true);
    return true;
}

static bool add_file(struct inputs *inputs, const char *path, struct cancel_mark cancel,
                     struct err *err)
{
    enum input_format format;
    const char *lookalike;

    if (checkpoint_path_is_one(path)) {
        add(inputs, path, FORMAT_CHECKPOINT, true);
        return true;
    }
    if (!is_regular(path))
        return add_stream(inputs, path, cancel, err);
    if (!detect_file(path, &format, &lookalike, err))
        return false;
    if (format == FORMAT_UNKNOWN)
        return err_set(err, ERR_INPUT, "%s: %s", path, or_report(path, lookalike));
    if (format == FORMAT_SAVED_MODEL)
        add_saved_model(inputs, xstrdup(path));
    else
        add(inputs, path, format, true);
    return true;
}

/* Adds the recognised files in FOLDER. */
static bool add_entries(struct inputs *inputs, const char *folder, struct notes *notes,
                        struct err *err)
{
    const bool is_run = run_folder_has_captures(folder);
    const size_t before = inputs->list.n;
    bool has_riegeli = false, has_traces = false;
    struct dirent **entries;
    int n;

    n = scandir(folder, &entries, NULL, by_version);
    if (n < 0)
        return err_set(err, ERR_INPUT, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char *path = join_path(folder, entries[i]->d_name);

        has_riegeli |= run_folder_is_riegeli(entries[i]->d_name);
        has_traces |= is_run && run_folder_is_trace(entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' &&
            !(is_run && run_folder_is_cache(entries[i]->d_name)))
            add_from_folder(inputs, path, notes);
        EACH(free, path, entries[i]);
    }
    free(entries);
    if (has_traces)
        note_add_kind(notes, NOTE_SKIPPED,
                      "%s: its captures are read instead of the traces (.trace.json.gz) made from "
                        "them, which have less data", folder);
    for (size_t i = before; i < inputs->list.n; i++)
        inputs->list.data[i].in_folder = true;
    if (inputs->list.n > before)
        return true;
    if (has_riegeli)
        return err_set(err, ERR_INPUT, "%s: the captures in this folder are riegeli records, which "
                                       "are not read: write them as .xplane.pb", folder);
    return err_set(err, ERR_INPUT, "%s: no file in this folder is a model or a profile", folder);
}

bool folder_has_inputs(const char *folder)
{
    struct inputs inputs = {.list = {0}};
    char *model = saved_model_in(folder);
    struct notes notes = {0};
    struct err err = {0};
    const bool any = model || add_entries(&inputs, folder, &notes, &err);

    inputs_done(&inputs);
    notes_done(&notes);
    err_done(&err);
    free(model);
    return any;
}

/* Adds the only run below FOLDER, which contains no inputs itself; else sets ERR. */
static bool add_only_run(struct inputs *inputs, const char *folder, struct notes *notes,
                         struct cancel_mark cancel, struct err *err)
{
    struct log_runs runs = {.is_cut = false};
    const char *path;
    bool done = false;

    runs_find(&runs, folder, cancel);
    path = runs.list.n ? runs.list.data[0].path : NULL;
    if (runs.list.n > 1) {
        err_set(err, ERR_USAGE, "%s: contains %zu runs; choose one: tfprof %s", folder,
                runs.list.n, path);
    } else if (path && strcmp(path, folder) != 0) {
        err_done(err);
        done = is_folder(path) ? add_entries(inputs, path, notes, err)
                               : add_file(inputs, path, cancel, err);
    }
    runs_done(&runs);
    return done;
}

/* Adds a SavedModel or the files of a folder.  Of a log folder adds the last capture run, else its
 * only run. */
static bool add_folder(struct inputs *inputs, const char *folder, struct notes *notes,
                       struct cancel_mark cancel, struct err *err)
{
    char *model = saved_model_in(folder);
    char *run = model || run_folder_has_captures(folder) ? NULL : run_folder_last(folder, notes);
    bool done = true;

    if (model)
        add_saved_model(inputs, model);
    else
        done = add_entries(inputs, run ? run : folder, notes, err) ||
               (!run && add_only_run(inputs, folder, notes, cancel, err));
    free(run);
    return done;
}

static void add_run_meta(const char *path, size_t len UNUSED, size_t offset UNUSED, void *inputs)
{
    add(inputs, path, FORMAT_RUN_META, true);
}

bool inputs_collect(struct inputs *inputs, const struct load_request *request, struct notes *notes,
                    struct cancel_mark cancel, struct err *err)
{
    const struct options *o = request->options;

    if (o->profile_path)
        add(inputs, o->profile_path, FORMAT_PROFILE, true);
    if (o->graph_path && !add_graph(inputs, o->graph_path, err))
        return false;
    if (o->op_log_path)
        add(inputs, o->op_log_path, FORMAT_OP_LOG, true);
    if (o->checkpoint_path)
        add(inputs, o->checkpoint_path, FORMAT_CHECKPOINT, true);
    if (o->run_meta_path)
        regexes_split(o->run_meta_path, add_run_meta, inputs);
    for (size_t i = 0; i < request->n_files; i++) {
        const char *path = request->files[i];

        if (!(is_folder(path) ? add_folder(inputs, path, notes, cancel, err)
                              : add_file(inputs, path, cancel, err)))
            return false;
    }
    if (inputs->list.n > UINT16_MAX)
        return err_set(err, ERR_USAGE, "more than %d input files", UINT16_MAX);
    return inputs_check_combination(inputs, request->max_file_bytes, notes, err);
}
