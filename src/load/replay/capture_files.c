/* capture_files.c: finds graph captures next to traces, and reads their execution_details.json
 * (formats-trace.md section 11). */
#include "load/replay/capture_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/trace/json_in.h"

/* Limit of entries; others are ignored. */
enum { LISTED_MAX = 4096 };

/* VALUE as a heap string; NULL if it is not a string. */
static char *string_of(struct json_value value)
{
    struct strbuf sb = {0};

    if (value.type != JSON_STRING)
        return NULL;
    json_unescape(&sb, value);
    return sb_take(&sb);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* FILE in the folder of PATH, as heap memory. */
static char *path_of(const char *path, const char *file)
{
    struct strbuf sb = {0};

    if (file[0] != '/')
        sb_add(&sb, path, (size_t)(base_name(path) - path));
    sb_adds(&sb, file);
    return sb_take(&sb);
}

/* Adds the entry ELEMENT; false if it is malformed. */
static bool add_entry(struct capture_files *files, const char *path, struct json_value element)
{
    struct json_in in = json_again(element, false);
    struct listed_capture listed = {.size = -1};
    struct json_value key, value;
    char *file = NULL;

    if (element.type != JSON_OBJECT || !json_open(&in))
        return false;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        if (json_is(key, "file", 4)) {
            free(file);
            file = string_of(value);
        } else if (json_is(key, "mode", 4)) {
            free(listed.mode);
            listed.mode = string_of(value);
        } else if (json_is(key, "batch_size", 10) && !json_integer(value, &listed.size)) {
            listed.size = -1;
        }
    }
    if (in.fault == JSON_FINE && file && listed.size >= 0) {
        listed.path = path_of(path, file);
        vec_push(&files->listed, listed);
    } else {
        free(listed.mode);
    }
    free(file);
    return listed.path != NULL;
}

/* Adds the entries of the array in BYTES; false if it is malformed. */
static bool add_entries(struct capture_files *files, const char *path, const struct source_file *file)
{
    struct json_in in = {.at = file->bytes, .end = file->bytes + file->size_bytes, .is_last = true};
    struct json_value all, element;
    bool fits = file->size_bytes && json_blanks(&in) && json_value(&in, &all) && all.type == JSON_ARRAY;

    if (!fits)
        return false;
    in = json_again(all, false);
    while (fits && files->listed.n < LISTED_MAX && json_element(&in, &element))
        fits = add_entry(files, path, element);
    return fits && in.fault == JSON_FINE;
}

/* Adds the entries of the file PATH to FILES, or a note if it is not such a list. */
static void execution_details_read(struct capture_files *files, const char *path)
{
    struct notes *notes = &builder_profile(files->all.l->builder)->notes;
    const size_t n_before = files->listed.n;
    struct source_file file = {0};
    struct err err = {0};

    if (!input_read(path, &file, files->all.l->cancel, &err)) {
        note_add(notes, "%s: ignored", err_text(&err));
    } else if (!add_entries(files, path, &file)) {
        note_add(notes, "%s: not a list of captures (file, batch_size, mode): ignored", path);
        while (files->listed.n > n_before) {
            const struct listed_capture *listed = &files->listed.data[--files->listed.n];

            EACH(free, listed->path, listed->mode);
        }
    }
    input_drop(&file);
    free(file.path);
    err_done(&err);
}

#define CAPTURE_FOLDER "capture_traces"
#define DETAILS_NAME "execution_details.json"

/* ---- names */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* The size in file names bs_SIZE_rankN... and bs_SIZE_q_Q_rankN..., or SIZE_UNKNOWN. */
static int64_t size_in_name(const char *path)
{
    const char *name = base_name(path), *end, *rank;
    int64_t size = 0;

    if (strncmp(name, "bs_", 3) != 0)
        return SIZE_UNKNOWN;
    end = skip_digits(name + 3);
    if (end == name + 3 || end - name > 18)
        return SIZE_UNKNOWN;
    for (const char *at = name + 3; at < end; at++)
        size = size * 10 + (*at - '0');
    rank = strncmp(end, "_q_", 3) == 0 && skip_digits(end + 3) > end + 3 ? skip_digits(end + 3) : end;
    return strncmp(rank, "_rank", 5) == 0 && rank[5] >= '0' && rank[5] <= '9' ? size : SIZE_UNKNOWN;
}

static bool is_capture_name(const char *name)
{
    return name[0] != '.' && strcmp(name, DETAILS_NAME) != 0 &&
           (text_ends(text_from(name), ".json") || text_ends(text_from(name), ".json.gz"));
}

static char *path_within(const char *folder, const char *name)
{
    struct strbuf sb = {0};

    sb_adds(&sb, folder);
    sb_adds(&sb, !text_ends(text_from(folder), "/") ? "/" : "");
    sb_adds(&sb, name);
    return sb_take(&sb);
}

/* ---- captures */

static bool is_same_file(const char *x, const char *y)
{
    struct stat a, b;

    return strcmp(x, y) == 0 || (stat(x, &a) == 0 && stat(y, &b) == 0 && a.st_dev == b.st_dev &&
                                 a.st_ino == b.st_ino);
}

struct captured_file *capture_files_find(const struct capture_files *files, const char *path)
{
    for (size_t i = 0; i < files->all.list.n; i++)
        if (is_same_file(files->all.list.data[i].path, path))
            return &files->all.list.data[i];
    return NULL;
}

/* Copies size and mode from the execution_details.json entry of C. */
static void apply_listed(struct capture_files *files, struct captured_file *c)
{
    vec_each(struct listed_capture, listed, &files->listed) {
        if (listed->is_found || strcmp(base_name(listed->path), base_name(c->path)) != 0 ||
            !is_same_file(listed->path, c->path))
            continue;
        listed->is_found = true;
        c->listed_size = listed->size;
        free(c->listed_mode);
        c->listed_mode = listed->mode ? xstrdup(listed->mode) : NULL;
    }
}

struct captured_file *capture_files_add(struct capture_files *files, const char *path)
{
    const struct captured_file fresh = {.path = xstrdup(path),
                                  .rank = rank_in_name(path),
                                  .listed_size = SIZE_UNKNOWN,
                                  .named_size = size_in_name(path),
                                  .noted_size = SIZE_UNKNOWN};
    struct captured_file *c;

    vec_push(&files->all.list, fresh);
    c = &files->all.list.data[files->all.list.n - 1];
    apply_listed(files, c);
    return c;
}

int64_t capture_size(const struct captured_file *c)
{
    return c->listed_size != SIZE_UNKNOWN  ? c->listed_size
           : c->noted_size != SIZE_UNKNOWN ? c->noted_size
                                           : c->named_size;
}

/* ---- folders */

static int by_version(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static bool is_kind(const char *path, mode_t kind)
{
    struct stat st;

    return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

/* Adds the files of FOLDER that are named like a capture; returns their number. */
static size_t add_folder(struct capture_files *files, const char *folder)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, NULL, by_version);
    size_t n_added = 0;

    for (int i = 0; i < n; i++) {
        char *path = path_within(folder, entries[i]->d_name);

        if (is_capture_name(entries[i]->d_name) && is_kind(path, S_IFREG)) {
            capture_files_add(files, path);
            n_added++;
        }
        EACH(free, path, entries[i]);
    }
    if (n >= 0)
        free(entries);
    return n_added;
}

/* True on the first call for PATH. */
static bool is_new(struct capture_files *files, const char *path)
{
    const size_t n = files->folders.n;

    return intern_put(&files->folders, path, strlen(path)) == n;
}

/* Reads the execution_details.json at PATH (ownership is taken), if it exists. */
static void read_details(struct capture_files *files, char *path)
{
    if (is_new(files, path) && is_kind(path, S_IFREG))
        execution_details_read(files, path);
    free(path);
}

/* Reads the lists in the folders of all captures and applies them. */
static void read_all_details(struct capture_files *files)
{
    for (size_t i = 0; i < files->all.list.n; i++)
        if (!files->all.list.data[i].is_own)
            read_details(files, path_of(files->all.list.data[i].path, DETAILS_NAME));
    for (size_t i = 0; i < files->all.list.n; i++)
        apply_listed(files, &files->all.list.data[i]);
}

void capture_files_add_near(struct capture_files *files, const char *path)
{
    char *folder = path_of(path, CAPTURE_FOLDER);

    if (!files->is_off && !files->is_given && is_kind(folder, S_IFDIR) && is_new(files, folder)) {
        add_folder(files, folder);
        read_details(files, path_within(folder, DETAILS_NAME));
    }
    free(folder);
    if (files->is_off)
        return;
    read_details(files, path_of(path, DETAILS_NAME));
    read_all_details(files);
}

/* ---- -capture */

struct given {
    struct capture_files *files;
    struct err *err;
};

static void add_given(const char *path, size_t len UNUSED, size_t offset UNUSED, void *context)
{
    struct given *given = context;

    if (given->err->kind != ERR_NONE)
        return;
    if (is_kind(path, S_IFDIR)) {
        if (!add_folder(given->files, path))
            err_set(given->err, ERR_INPUT, "%s: no graph capture in this folder", path);
    } else if (!is_kind(path, S_IFREG)) {
        err_set(given->err, ERR_INPUT, "%s: %s", path,
                access(path, R_OK) == 0 ? "no file" : strerror(errno));
    } else {
        capture_files_add(given->files, path)->is_given = true;
    }
}

bool capture_files_init(struct capture_files *files, struct loader *l, struct err *err)
{
    const char *option = l->request->options->capture;
    struct given given = {files, err};

    memset(files, 0, sizeof *files);
    captures_init(&files->all, l);
    intern_init(&files->folders);
    files->is_off = option && strcmp(option, "none") == 0;
    files->is_given = option && *option && !files->is_off;
    if (files->is_given) {
        regexes_split(option, add_given, &given);
        read_all_details(files);
    }
    return err->kind == ERR_NONE;
}

void capture_files_done(struct capture_files *files)
{
    for (size_t i = 0; i < files->listed.n; i++)
        EACH(free, files->listed.data[i].path, files->listed.data[i].mode);
    vec_done(&files->listed);
    intern_done(&files->folders);
    captures_done(&files->all);
}
