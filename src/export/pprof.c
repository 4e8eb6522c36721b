/* pprof.c: writes the code view as a gzipped pprof profile (semantics.md section 6; message fields:
 * formats-tfprof.md section 5). */
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/wire_out.h"
#include "base/xalloc.h"
#include "export/sinks/outbuf.h"
#include "export/sinks/sink.h"
#include "view/delta.h"
#include "view/source_path.h"

enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_COMMENT = 13,
};

/* Key of a location or function. Ids of both count from 1 in order of first use. */
struct key {
    strid file, function; /* in pprof.strings */
    int64_t line;
};

/* A location or function. */
struct entry {
    struct key key;
    uint32_t id;
    uint32_t of; /* of a location: id of its function; of a function: its name in pprof.strings */
};

typedef VEC(struct entry) entries;

struct sample {
    node_id node;
    row_id leaf; /* the displayed row */
};

struct pprof {
    struct result *r;
    enum metric_id metric;
    struct intern strings; /* the string table of the profile, by index */
    struct intern keys;    /* keys of both lists, struct key as bytes */
    entries locations, functions;
    VEC(struct sample) samples;
    uint32_t *location_of; /* [n_rows] location id of a displayed row; 0: none */
};

static strid add_text(struct pprof *pp, strid text)
{
    const struct profile *p = pp->r->profile;

    return intern_put(&pp->strings, profile_text(p, text), intern_len(&p->strings, text));
}

/* True for a row of folded frames, which has no file and line. */
static bool is_folded(const struct pprof *pp, row_id row)
{
    return pp->r->tree->n_folded[row] > 0;
}

static strid file_text(struct pprof *pp, row_id row)
{
    struct strbuf path = {0};
    strid id;

    if (!is_folded(pp, row))
        source_path(&path, pp->r->options.source_map, pp->r->profile, pp->r->tree->frame[row]);
    id = intern_put(&pp->strings, sb_text(&path), path.len);
    sb_done(&path);
    return id;
}

static int32_t line_of(const struct pprof *pp, row_id row)
{
    return is_folded(pp, row) ? 0 : pp->r->tree->frame[row]->lineno;
}

/* The function's text; gradient rows have a suffix. */
static strid function_text(struct pprof *pp, row_id row)
{
    const struct profile *p = pp->r->profile;
    strid function = pp->r->tree->frame[row]->function;
    struct strbuf sb = {0};
    strid id;

    if (is_folded(pp, row))
        return intern_put(&pp->strings, tree_name(pp->r->tree, row),
                          tree_name_len(pp->r->tree, row));
    sb_add(&sb, profile_text(p, function), intern_len(&p->strings, function));
    sb_adds(&sb, pp->r->tree->is_gradient[row] ? " (gradient)" : "");
    id = intern_put(&pp->strings, sb_text(&sb), sb.len);
    sb_done(&sb);
    return id;
}

/* "stem:function"; stem is the file's base name up to its last dot. */
static strid display_name(struct pprof *pp, strid file, strid function)
{
    const char *path = intern_text(&pp->strings, file);
    const char *slash = memrchr(path, '/', intern_len(&pp->strings, file));
    const char *base = slash ? slash + 1 : path;
    size_t len = intern_len(&pp->strings, file) - (size_t)(base - path);
    const char *dot = memrchr(base, '.', len);
    struct strbuf sb = {0};
    strid id;

    sb_add(&sb, base, dot ? (size_t)(dot - base) : len);
    sb_addc(&sb, ':');
    sb_add(&sb, intern_text(&pp->strings, function), intern_len(&pp->strings, function));
    id = intern_put(&pp->strings, sb_text(&sb), sb.len);
    sb_done(&sb);
    return id;
}

/* Returns the entry of KEY in LIST, added with OF 0 if it is not there. KIND separates the two lists
 * in the common table. */
static struct entry *entry_of(struct pprof *pp, struct key key, char kind, entries *list,
                              uint32_t **index_of)
{
    char bytes[sizeof key.file + sizeof key.function + sizeof key.line + 1];
    size_t n_before = pp->keys.n;
    strid id;

    memcpy(bytes, &key.file, sizeof key.file);
    memcpy(bytes + 4, &key.function, sizeof key.function);
    memcpy(bytes + 8, &key.line, sizeof key.line);
    bytes[16] = kind;
    id = intern_put(&pp->keys, bytes, sizeof bytes);
    if (pp->keys.n > n_before) {
        *index_of = xreallocarray(*index_of, pp->keys.n, sizeof **index_of);
        (*index_of)[id] = (uint32_t)list->n;
        vec_push(list, ((struct entry){key, (uint32_t)list->n + 1, 0}));
    }
    return &list->data[(*index_of)[id]];
}

static uint32_t function_id(struct pprof *pp, row_id row, uint32_t **index_of)
{
    const struct frame *frame = pp->r->tree->frame[row];
    struct key key = {file_text(pp, row), function_text(pp, row),
                      is_folded(pp, row) ? 0 : frame->func_start_line};
    struct entry *function = entry_of(pp, key, 'f', &pp->functions, index_of);

    if (!function->of)
        function->of = is_folded(pp, row) ? key.function : display_name(pp, key.file, key.function);
    return function->id;
}

/* The location of a row is its call site: the parent's file and line, with its own function. */
static void add_location(struct pprof *pp, row_id row, uint32_t **index_of)
{
    const row_id parent = pp->r->shown_parent[row];
    struct key key = {file_text(pp, parent), function_text(pp, row), line_of(pp, parent)};
    struct entry *location = entry_of(pp, key, 'l', &pp->locations, index_of);

    if (!location->of)
        location->of = function_id(pp, row, index_of);
    pp->location_of[row] = location->id;
}

/* Adds the accounted nodes of ROW. */
static void add_own_samples(struct pprof *pp, row_id row, row_id leaf)
{
    const struct tree *tree = pp->r->tree;

    for (uint32_t i = tree->member_begin[row]; i < tree->member_begin[row + 1]; i++) {
        struct sample s = {tree->members[i], leaf};

        if (pp->r->node_accounted[s.node])
            vec_push(&pp->samples, s);
    }
}

/* Adds the nodes of all rows without children at or below LEAF. A row of folded frames also has
 * nodes of its own. */
static void add_samples(struct pprof *pp, row_id leaf)
{
    const struct tree *tree = pp->r->tree;

    for (row_id row = leaf; row < tree->end[leaf]; row++)
        if (tree->end[row] == row + 1 || is_folded(pp, row))
            add_own_samples(pp, row, leaf);
}

static void collect(struct pprof *pp)
{
    struct result_walk w;
    uint32_t *index_of = NULL;

    result_walk_init(&w, pp->r, 0);
    while (result_walk_next(&w)) {
        uint32_t n_children;

        if (w.row == 0)
            continue;
        if (pp->r->shown_parent[w.row] != 0)
            add_location(pp, w.row, &index_of);
        result_output_children(pp->r, w.row, &n_children);
        if (n_children == 0)
            add_samples(pp, w.row);
        else if (is_folded(pp, w.row))
            add_own_samples(pp, w.row, w.row);
    }
    result_walk_done(&w);
    free(index_of);
}

static int compare_keys(const struct pprof *pp, const struct key *a, const struct key *b)
{
    int order = intern_compare(&pp->strings, a->file, b->file);

    if (!order)
        order = intern_compare(&pp->strings, a->function, b->function);
    if (!order && a->line != b->line)
        order = (uint64_t)a->line < (uint64_t)b->line ? -1 : 1;
    return order;
}

COMPARE_WITH(by_key, struct entry, struct pprof, THEN(compare_keys(with, &a->key, &b->key)))

COMPARE_WITH(by_node_name, struct sample, struct profile,
             THEN(intern_compare(&with->strings, with->name[a->node], with->name[b->node])))

static void write_sample_type(struct strbuf *sb, strid type, strid unit)
{
    size_t mark = wire_begin(sb, PROFILE_SAMPLE_TYPE);

    wire_int(sb, 1, type);
    wire_int(sb, 2, unit);
    wire_end(sb, mark);
}

/* Label of baseline samples, which `go tool pprof -diff_base` subtracts. */
static const char base_label[] = "pprof::base";

static void write_sample(struct pprof *pp, struct strbuf *sb, const struct sample *s, strid label,
                         int64_t value, bool is_base)
{
    size_t mark = wire_begin(sb, PROFILE_SAMPLE);
    size_t inner = wire_begin(sb, 1);
    const int64_t values[] = {is_base ? -1 : 1, is_base ? -value : value};

    for (row_id row = s->leaf; row != 0; row = pp->r->shown_parent[row])
        if (pp->location_of[row])
            wire_varint(sb, pp->location_of[row]);
    wire_end(sb, inner);
    wire_packed(sb, 2, values, 2);
    inner = wire_begin(sb, 3);
    wire_int(sb, 1, label);
    wire_int(sb, 2, add_text(pp, pp->r->profile->name[s->node]));
    wire_end(sb, inner);
    if (is_base) {
        inner = wire_begin(sb, 3);
        wire_int(sb, 1, intern_put(&pp->strings, base_label, strlen(base_label)));
        wire_int(sb, 2, intern_put(&pp->strings, "true", strlen("true")));
        wire_end(sb, inner);
    }
    wire_end(sb, mark);
}

static void write_location(struct strbuf *sb, const struct entry *l)
{
    size_t mark = wire_begin(sb, PROFILE_LOCATION);
    size_t line;

    wire_int(sb, 1, l->id);
    line = wire_begin(sb, 4);
    wire_int(sb, 1, l->of);
    wire_int(sb, 2, l->key.line);
    wire_end(sb, line);
    wire_end(sb, mark);
}

static void write_function(struct strbuf *sb, const struct entry *f)
{
    size_t mark = wire_begin(sb, PROFILE_FUNCTION);

    wire_int(sb, 1, f->id);
    wire_int(sb, 2, f->of);
    wire_int(sb, 4, f->key.file);
    wire_int(sb, 5, f->key.line);
    wire_end(sb, mark);
}

static void write_samples(struct pprof *pp, struct outbuf *out)
{
    const struct profile *p = pp->r->profile;
    const int64_t *figures = result_node_figures(pp->r, pp->metric);
    const int64_t *base = result_compares(pp->r) ? result_base_figures(pp->r, pp->metric) : NULL;
    strid label = intern_put(&pp->strings, "graph node:", strlen("graph node:"));

    if (pp->samples.n)
        qsort_r(pp->samples.data, pp->samples.n, sizeof *pp->samples.data, by_node_name,
                (void *)(uintptr_t)p);
    for (size_t i = 0; i < pp->samples.n; i++) {
        const struct sample *s = &pp->samples.data[i];

        write_sample(pp, &out->text, s, label, metric_to_named(pp->metric, figures[s->node]), false);
        if (base && base[s->node])
            write_sample(pp, &out->text, s, label, metric_to_named(pp->metric, base[s->node]), true);
        outbuf_step(out);
    }
}

/* Metrics that pprof can show: unit and comment. */
static const struct {
    const char *unit, *comment;
} sample_types[METRIC_COUNT] = {
    [METRIC_BYTES] = {"bytes",
                      "Sum of operation total memory requests, excluding deallocations."},
    [METRIC_PEAK_BYTES] = {"bytes", "Sum of operation peak memory usage."},
    [METRIC_RESIDUAL_BYTES] = {"bytes", "Sum of operation allocated memory after finish."},
    [METRIC_OUTPUT_BYTES] = {"bytes", "Sum of operation output size."},
    [METRIC_MICROS] = {"microseconds",
                       "Sum of accelerator execution time and cpu execution time."},
    [METRIC_ACCELERATOR_MICROS] = {"microseconds", "Accelerator execution time."},
    [METRIC_CPU_MICROS] = {"microseconds", "CPU execution time."},
    [METRIC_PARAMS] = {"count", "Model parameters."},
    [METRIC_PARAM_BYTES] = {"bytes", "Memory of model parameters."},
    [METRIC_FLOAT_OPS] = {"count", "Model float operations (Only available if defined)."},
    [METRIC_BYTES_ACCESSED] = {"bytes", "Sum of bytes that compiled code reads and writes."},
};

static void write_message(struct pprof *pp, struct outbuf *out)
{
    const struct metric *metric = &metrics[pp->metric];
    strid count = intern_put(&pp->strings, "count", strlen("count"));
    const char *unit = sample_types[pp->metric].unit;
    const char *comment = sample_types[pp->metric].comment;
    int64_t comments[] = {intern_put(&pp->strings, comment, strlen(comment))};

    write_sample_type(&out->text, count, count);
    write_sample_type(&out->text, intern_put(&pp->strings, metric->name, strlen(metric->name)),
                      intern_put(&pp->strings, unit, strlen(unit)));
    write_samples(pp, out);
    vec_sort_arg(&pp->locations, by_key, pp);
    for (size_t i = 0; i < pp->locations.n && outbuf_step(out); i++)
        write_location(&out->text, &pp->locations.data[i]);
    vec_sort_arg(&pp->functions, by_key, pp);
    for (size_t i = 0; i < pp->functions.n && outbuf_step(out); i++)
        write_function(&out->text, &pp->functions.data[i]);
    wire_packed(&out->text, PROFILE_COMMENT, comments, 1);
    /* Written last, because all strings are known now. */
    for (strid id = 0; id < pp->strings.n && outbuf_step(out); id++)
        wire_string(&out->text, PROFILE_STRING, intern_text(&pp->strings, id),
                    intern_len(&pp->strings, id));
}

/* The only selected metric, or METRIC_COUNT. */
static enum metric_id selected_metric(const struct result *r)
{
    enum metric_id found = METRIC_COUNT;
    int n = 0;

    for (int field = 0; field < FIELD_COUNT; field++) {
        if (!field_in(r->options.select, field))
            continue;
        n++;
        if (field < METRIC_COUNT && sample_types[field].unit)
            found = (enum metric_id)field;
    }
    return n == 1 ? found : METRIC_COUNT;
}

static bool pprof_check(const char *name UNUSED, const struct result *r, struct err *err)
{
    struct strbuf names = {0};

    if (selected_metric(r) != METRIC_COUNT)
        return true;
    for (int m = 0; m < METRIC_COUNT; m++)
        if (sample_types[m].unit)
            sb_addf(&names, "%s%s", names.len ? ", " : "", metrics[m].name);
    err_set(err, ERR_USAGE, "-output pprof needs exactly one -select field of %s", names.data);
    sb_done(&names);
    return false;
}

static bool pprof_write(struct result *r, struct sink *sink, struct err *err)
{
    struct pprof pp = {.r = r, .metric = selected_metric(r)};
    struct sink *gzip = gzip_sink_new(sink);
    struct outbuf out;

    EACH(intern_init, &pp.strings, &pp.keys);
    pp.location_of = xcalloc(r->tree->n_rows, sizeof *pp.location_of);
    outbuf_init(&out, gzip, err);
    collect(&pp);
    write_message(&pp, &out);
    EACH(intern_done, &pp.strings, &pp.keys);
    EACH(vec_done, &pp.locations, &pp.functions, &pp.samples);
    free(pp.location_of);
    return gzip_sink_free(gzip, !outbuf_end(&out), err);
}

const struct output output_pprof = {
    .name = "pprof",
    .help = "the code view as a profile for pprof and speedscope",
    .outfile = OUTFILE_NEEDED,
    .compares = true,
    .shares_of_base = true,
    .counts_operations = true,
    .views = 1u << VIEW_CODE,
    .check = pprof_check,
    .write = pprof_write,
};
