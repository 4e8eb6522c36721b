/* output.c: the output table, the option -output, and writing outputs. */
#include "export/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "export/sinks/sink_file.h"
#include "export/tables/table_list.h"
#include "export/tables/table_writer.h"
#include "opt/suggest.h"
#include "view/delta.h"

#define OUTPUT_ADDRESS(name) &output_##name,
const struct output *const outputs[] = {OUTPUT_LIST(OUTPUT_ADDRESS) NULL};
#undef OUTPUT_ADDRESS

/* The output "none" runs the query and writes nothing. */
const struct output output_none = {
    .name = "none",
    .help = "no output; errors and notes are still printed",
    .outfile = OUTFILE_NONE,
    .compares = true,
    .views = (1U << VIEW_COUNT) - 1,
};

const struct output *output_find(const char *name)
{
    for (size_t i = 0; outputs[i]; i++)
        if (strcmp(outputs[i]->name, name) == 0)
            return outputs[i];
    return NULL;
}

/* ---- the option */

static bool unknown_type(const char *type, struct err *err)
{
    struct suggest near;
    struct strbuf hint = {0};

    suggest_init(&near, type);
    for (size_t i = 0; outputs[i]; i++)
        suggest_try(&near, outputs[i]->name);
    suggest_add(&near, "", &hint);
    if (!near.best) {
        sb_adds(&hint, " (");
        for (size_t i = 0; outputs[i]; i++)
            sb_addf(&hint, "%s%s", i ? ", " : "", outputs[i]->name);
        sb_adds(&hint, ")");
    }
    err_set(err, ERR_USAGE, "-output: unknown type '%s'%s", type, sb_text(&hint));
    sb_done(&hint);
    return false;
}

/* Returns the value of KEY ("outfile=") in PAIR, of LEN bytes, as heap memory; NULL if PAIR has
 * another key. */
static char *value_of(const char *pair, size_t len, const char *key)
{
    const size_t key_len = strlen(key);

    return len >= key_len && strncmp(pair, key, key_len) == 0
               ? xmemdupz(pair + key_len, len - key_len)
               : NULL;
}

static bool parse_files(const char *value, struct output_spec *spec, struct err *err)
{
    char *end;
    long n;

    errno = 0;
    n = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || n < 1 || n > INT32_MAX)
        return err_set(err, ERR_USAGE, "-output %s: files: '%s' is not a number of files",
                       spec->output->name, value);
    spec->max_files = (uint32_t)n;
    return true;
}

/* Parses one KEY=VALUE of LEN bytes. */
static bool parse_pair(const char *pair, size_t len, struct output_spec *spec, struct err *err)
{
    const char *type = spec->output->name;
    char *outfile = value_of(pair, len, "outfile=");
    char *files = spec->output->per_step ? value_of(pair, len, "files=") : NULL;
    bool ok = true;

    if (!outfile && !files)
        ok = err_set(err, ERR_USAGE, "-output %s: '%.*s' is not outfile=FILE%s", type, (int)len,
                     pair, spec->output->per_step ? " or files=N" : "");
    else if (outfile && spec->output->outfile == OUTFILE_NONE)
        ok = err_set(err, ERR_USAGE, "-output %s: takes no outfile", type);
    else if (files)
        ok = parse_files(files, spec, err);
    free(files);
    if (!ok || !outfile) {
        free(outfile);
        return ok;
    }
    free(spec->outfile);
    spec->outfile = outfile;
    return true;
}

static bool parse_spec(const char *text, struct output_spec *spec, struct err *err)
{
    const size_t type_len = strcspn(text, ":");
    char *type = xmemdupz(text, type_len);
    const char *pair = text + type_len;

    spec->output = output_find(type);
    if (!spec->output) {
        unknown_type(type, err);
        free(type);
        return false;
    }
    free(type);
    while (*pair) {
        const size_t len = strcspn(++pair, ",");

        if (len && !parse_pair(pair, len, spec, err))
            return false;
        pair += len;
    }
    if (spec->outfile && !*spec->outfile) {
        free(spec->outfile);
        spec->outfile = NULL;
    }
    if (output_needs_outfile(spec->output) && !spec->outfile) {
        const bool is_folder = spec->output->outfile == OUTFILE_FOLDER;

        return err_set(err, ERR_USAGE, "-output %s: a %s is missing: %s:outfile=%s",
                       spec->output->name, is_folder ? "folder" : "file", spec->output->name,
                       is_folder ? "DIR" : "FILE");
    }
    return true;
}

bool output_parse(const char *text, struct output_spec *spec, struct err *err)
{
    *spec = (struct output_spec){.max_files = OUTPUT_MAX_FILES};
    if (parse_spec(text, spec, err))
        return true;
    output_spec_done(spec);
    return false;
}

void output_spec_done(struct output_spec *spec)
{
    free(spec->outfile);
    memset(spec, 0, sizeof *spec);
}

bool output_supports_budget(const struct output_spec *spec, const struct options *o, struct err *err)
{
    return !o->budget || spec->output == &output_stdout || spec->output == &output_json ||
           spec->output == &output_none ||
           err_set(err, ERR_USAGE, "-budget: works with -output text and json");
}

/* ---- writing */

/* False with ERR if the unit is multiply-adds and readers of the file expect FLOPs. */
static bool supports_unit(const struct output *output, const struct result *r, struct err *err)
{
    return !output->counts_operations || r->options.flops_unit != FLOPS_UNIT_MACS ||
           err_set(err, ERR_USAGE,
                   "-output %s: needs -flops_unit flops", output->name);
}

bool output_fits(const struct output *output, enum view_id view, const struct result *r,
                 struct err *err)
{
    struct strbuf fitting = {0};

    if (r && result_compares(r) && !output->compares)
        return err_set(err, ERR_USAGE,
                       "-output %s: does not support comparisons; json, csv and html do",
                       output->name);
    if (output->views >> view & 1)
        return !r || (supports_unit(output, r, err) && (!output->check || output->check(output->name, r, err)));
    if (!output->views)
        return err_set(err, ERR_USAGE, "-output %s: only for the command check", output->name);
    for (int v = 0; v < VIEW_COUNT; v++)
        if (output->views >> v & 1)
            sb_addf(&fitting, "%s%s", fitting.len ? ", " : "", view_names[v]);
    err_set(err, ERR_USAGE, "-output %s: not available for the %s view, only for: %s", output->name,
            view_names[view], sb_text(&fitting));
    sb_done(&fitting);
    return false;
}

void output_adjust_options(const struct output *output, struct options *o)
{
    if (output->shares_of_base && o->min_delta == MIN_DELTA_ANY)
        o->min_delta = 0;
}

static bool write_one(const struct output_request *q, struct sink *sink, struct err *err)
{
    const struct output *output = q->spec->output;

    if (q->table)
        return table_write(output->table, q->table, sink, err);
    if (q->notes)
        return output->write_notes(q->notes, sink, err);
    if (q->check)
        return output->write_check(q->check, sink, err);
    if (q->advice)
        return output->write_advice(q->advice, sink, err);
    if (output->write_views)
        return output->write_views(q->result, q->query, q->cancel, sink, err);
    return output->write(q->result, sink, err);
}

static bool make_file(const struct output_request *q, struct err *err)
{
    const struct sink_file_request to = {
        .path = q->spec->outfile, .inputs = q->inputs, .cancel = q->cancel};
    struct sink_file file;
    bool ok;

    if (!sink_file_open(&file, &to, err))
        return false;
    ok = write_one(q, &file.sink, err) &&
         sink_file_finish(&file, err) && sink_file_commit(&file, err);
    sink_file_abandon(&file);
    return ok;
}

/* Runs the query again for the N-th step, which may display other rows, and writes its result. */
static bool write_step(const struct output_request *q, uint32_t n, struct sink *sink, struct err *err)
{
    const int64_t step = q->result->profile->steps[n];
    struct options options = q->result->options;
    struct result *r;
    size_t n_before;
    bool ok;

    options.step = step;
    r = query_run(q->query, q->result->view_id, &options, q->cancel, err);
    n_before = r ? r->notes.n : 0;
    ok = r && q->spec->output->write(r, sink, err);
    for (size_t i = n_before; ok && i < r->notes.n; i++) /* notes of the query were printed
                                                          * before */
        note_add(&q->result->notes, "step %" PRId64 ": %s", step, r->notes.data[i].text);
    result_free(r);
    return ok;
}

/* Appends the file name of one of several steps: "g.2.json" for "g.json", else "g_2", as in the
 * original. */
static void add_step_path(struct strbuf *sb, const char *outfile, int64_t step)
{
    static const char ending[] = ".json";
    const size_t len = strlen(outfile), stem = len - (sizeof ending - 1);

    if (len > sizeof ending - 1 && strcmp(outfile + stem, ending) == 0) {
        sb_add(sb, outfile, stem);
        sb_addf(sb, ".%" PRId64 "%s", step, ending);
    } else {
        sb_addf(sb, "%s_%" PRId64, outfile, step);
    }
}

static void step_path(const struct output_request *q, uint32_t n, struct strbuf *path)
{
    const struct profile *p = q->result->profile;

    if (p->n_steps > 1)
        add_step_path(path, q->spec->outfile, p->steps[n]);
    else
        sb_adds(path, q->spec->outfile);
}

/* Adds a note that names the files. */
static void note_files(const struct output_request *q)
{
    const struct profile *p = q->result->profile;
    struct strbuf first = {0}, last = {0};

    add_step_path(&first, q->spec->outfile, p->steps[0]);
    add_step_path(&last, q->spec->outfile, p->steps[p->n_steps - 1]);
    note_add(&q->result->notes, "%s to %s: a file for each of %" PRIu32 " steps", sb_text(&first),
             sb_text(&last), p->n_steps);
    EACH(sb_done, &first, &last);
}

/* Several files, made all or none. */
struct file_set {
    uint32_t n;
    void (*path)(const struct output_request *q, uint32_t n, struct strbuf *path);
    bool (*write)(const struct output_request *q, uint32_t n, struct sink *sink, struct err *err);
};

/* Writes the N-th file except for the final rename; FILES has N open files before. */
static bool make_nth(const struct output_request *q, const struct file_set *set,
                     struct sink_file *files, uint32_t n, struct err *err)
{
    struct sink_file_request to = {
        .inputs = q->inputs, .cancel = q->cancel, .first = n ? files : NULL};
    struct strbuf path = {0};
    bool ok;

    set->path(q, n, &path);
    to.path = sb_text(&path);
    ok = sink_file_open(&files[n], &to, err);
    sb_done(&path);
    if (!ok)
        return false;
    ok = set->write(q, n, &files[n].sink, err) && sink_file_finish(&files[n], err);
    if (!ok)
        sink_file_abandon(&files[n]);
    return ok;
}

static bool make_set(const struct output_request *q, const struct file_set *set, struct err *err)
{
    struct sink_file *files = xcalloc(set->n, sizeof *files);
    uint32_t n = 0;
    bool ok;

    while (n < set->n && make_nth(q, set, files, n, err))
        n++;
    ok = n == set->n;
    while (n--) {
        ok = ok && sink_file_commit(&files[n], err);
        sink_file_abandon(&files[n]);
    }
    free(files);
    return ok;
}

/* One file per step of the profile. */
static bool make_steps(const struct output_request *q, struct err *err)
{
    const uint32_t n_steps = q->result->profile->n_steps;
    const struct file_set set = {n_steps, step_path, write_step};

    if (n_steps > q->spec->max_files)
        return err_set(err, ERR_USAGE,
                       "-output %s: one file for each of %" PRIu32 " steps: allow them with "
                       "outfile=FILE,files=%" PRIu32 ", or choose one with -step",
                       q->spec->output->name, n_steps, n_steps);
    if (!n_steps)
        note_add(&q->result->notes, "%s: not written: the profile has no step", q->spec->outfile);
    if (!make_set(q, &set, err))
        return false;
    if (n_steps > 1)
        note_files(q);
    return true;
}

/* ---- a file per table */

static void table_path(const struct output_request *q, uint32_t n, struct strbuf *path)
{
    sb_addf(path, "%s/%s.%s", q->spec->outfile, table_sql_name(table_list[n]), q->spec->output->name);
}

static bool write_nth_table(const struct output_request *q, uint32_t n, struct sink *sink,
                            struct err *err)
{
    const struct table_request request = {.profile = q->result->profile,
                                          .options = &q->result->options, .query = q->query,
                                          .cancel = q->cancel};
    struct table_rows rows;
    bool ok;

    if (!table_open(&rows, table_list[n], &request, err))
        return false;
    ok = q->spec->output->write_table(&rows, sink, err);
    table_close(&rows);
    return ok;
}

/* Creates the folder FOLDER unless it exists. */
static bool make_folder(const char *path, struct target_path *folder, struct err *err)
{
    if (!target_path_find(path, folder, err))
        return false;
    if (folder->exists ? !S_ISDIR(folder->st.st_mode)
                       : mkdirat(folder->folder_fd, folder->name, 0777) != 0)
        return err_set(err, ERR_INPUT, "%s: cannot be written: %s", path,
                       strerror(folder->exists ? ENOTDIR : errno));
    return true;
}

static bool make_tables(const struct output_request *q, struct err *err)
{
    struct file_set set = {.path = table_path, .write = write_nth_table};
    struct target_path folder;
    bool ok;

    while (table_list[set.n])
        set.n++;
    ok = make_folder(q->spec->outfile, &folder, err);
    if (ok && !make_set(q, &set, err)) {
        ok = false;
        if (!folder.exists)
            unlinkat(folder.folder_fd, folder.name, AT_REMOVEDIR);
    }
    target_path_done(&folder);
    return ok;
}

bool output_make(const struct output_request *request, struct err *err)
{
    const struct output *output = request->spec->output;
    struct result *r = request->result;

    assert(!r + !request->advice + !request->check + !request->notes + !request->table == 4); /* exactly
                                                                                               * one
                                                                                               * is
                                                                                               * set */
    if (!output->write && !output->write_check && !output->write_views && !output->write_table)
        return true; /* output "none" */
    if (output->write_table)
        return make_tables(request, err);
    if (!request->spec->outfile)
        return write_one(request, request->standard_out, err);
    if (r && output->per_step && output->per_step(r))
        return make_steps(request, err);
    return make_file(request, err);
}

bool output_make_table(const struct output_spec *spec, const struct table *table,
                       const struct table_request *request, struct sink *standard_out,
                       struct err *err)
{
    struct output_request output = {.spec = spec, .inputs = request->profile,
                                    .cancel = request->cancel, .standard_out = standard_out};
    struct table_rows rows;
    bool ok;

    if (!spec->output->table && spec->output != &output_none)
        return err_set(err, ERR_USAGE, "-output %s: %s has stdout, file, csv, tsv, json and html",
                       spec->output->name, table->name);
    if (!table_open(&rows, table, request, err))
        return false;
    output.table = &rows;
    ok = table_has_rows(&rows, err) && table_order(&rows, err) && output_make(&output, err);
    table_close(&rows);
    return ok;
}
