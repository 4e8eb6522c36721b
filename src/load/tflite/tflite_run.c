/* tflite_run.c: loads operator profiles of benchmark_model, as CSV or as text tables
 * (formats-tflite.md section 4). */
#include <inttypes.h>
#include <string.h>

#include "load/formats.h"
#include "load/graph/row_paths.h"
#include "load/spans.h"
#include "load/trace/json_in.h"
#include "model/format.h"

enum { COLUMNS_MAX = 16 };

/* A table in the text. */
struct table {
    struct span header, rows; /* its header line, and the text after it */
    bool is_regular, is_run_order, is_top;
};

struct columns {
    int n, avg, times; /* -1: missing */
    bool is_csv;
};

struct run {
    struct loader *l;
    struct columns columns;
    int64_t lost_ns;
    uint32_t n_lost, n_rows;
};

/* ---- lines */

static bool is_header(struct span line)
{
    return span_begins(line, "node type, ") || span_find(line, "[node type]").bytes;
}

static bool fits_tflite_run(struct span bytes, struct evidence *e)
{
    struct span line;

    while (!e && span_line(&bytes, &line))
        if (is_header(line))
            return true;
    return false;
}

/* Splits LINE into at most N cells, the last of which takes the rest.  Returns their number. */
static int split(struct span line, bool is_csv, struct span *cells, int n)
{
    const char *between = is_csv ? ", " : "\t";
    struct span rest;
    int i = 0;

    if (!is_csv) /* in text tables rows begin with a tab, the header does not */
        line = span_trim(line);
    while (i + 1 < n && (rest = span_find(line, between)).bytes) {
        cells[i++] = span_trim(span_until(line, rest.bytes));
        line = span_skip(rest, strlen(between));
    }
    cells[i++] = span_trim(line);
    return i;
}

/* ---- choice of the table */

/* Chooses the last table in run order of a section on regular runs; else the last in run order;
 * else the last table by time.  False if there is none. */
static bool choose_table(struct span text, struct table *best)
{
    struct table now = {.is_regular = false}, found = {.is_regular = false};
    struct span line;
    int rank = 0;

    while (span_line(&text, &line)) {
        if (span_find(line, "Profiling Info for").bytes)
            now.is_regular = span_find(line, "Regular Benchmark Runs").bytes != NULL;
        if (span_begins(line, "===")) {
            now.is_run_order = span_find(line, " Run Order ").bytes != NULL;
            now.is_top = span_find(line, " Top by Computation Time ").bytes != NULL;
        }
        if (is_header(line)) {
            const int new_rank = now.is_run_order ? (now.is_regular ? 3 : 2) : now.is_top ? 1 : 0;

            if (new_rank && new_rank >= rank) {
                rank = new_rank;
                found = now;
                found.header = line;
                found.rows = text;
            }
        }
    }
    *best = found;
    return rank > 0;
}

static bool is_column(struct span cell, const char *name)
{
    if (cell.len && *cell.bytes == '[')
        cell = (struct span){cell.bytes + 1, cell.len - 2};
    return span_is(cell, name);
}

static void read_header(struct run *r, struct span header)
{
    struct span cells[COLUMNS_MAX];

    r->columns = (struct columns){.avg = -1, .times = -1, .is_csv = span_begins(header, "node type, ")};
    r->columns.n = split(header, r->columns.is_csv, cells, COLUMNS_MAX);
    for (int i = 0; i < r->columns.n; i++) {
        if (is_column(cells[i], "avg_ms") || is_column(cells[i], "avg ms"))
            r->columns.avg = i;
        else if (is_column(cells[i], "times called"))
            r->columns.times = i;
    }
}

/* ---- rows */

/* The number after the last colon of NAME, or -1. */
static int64_t index_of(struct span name)
{
    const uint8_t *colon = name.len ? memrchr(name.bytes, ':', name.len) : NULL;
    const struct span digits = colon ? span_skip(name, (size_t)(colon + 1 - name.bytes)) : (struct span){NULL, 0};

    for (size_t i = 0; i < digits.len; i++)
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9')
            return -1;
    return span_number(digits, UINT32_MAX - 1);
}

/* OUT of "[OUT, OUT2]:INDEX"; other names as a whole. */
static struct span first_output(struct span name)
{
    struct span end;

    if (!name.len || *name.bytes != '[')
        return name;
    name = span_skip(name, 1);
    end = span_find(name, "]:");
    name.len -= end.len;
    end = span_find(name, ", ");
    name.len -= end.len;
    return name;
}

static bool is_of_type(const struct loader *l, node_id node, struct span type)
{
    const struct text op = intern_string(&builder_profile(l->builder)->strings,
                                         builder_get_op(l->builder, node));

    return op.len == type.len && memcmp(op.bytes, type.bytes, type.len) == 0;
}

/* The operator of the model that a row refers to, or NODE_NONE. */
static node_id find_operator(const struct loader *l, struct span type, struct span name)
{
    const int64_t index = index_of(name);
    const uint32_t key = (uint32_t)index;
    const node_id node = index < 0 ? NODE_NONE : run_node_named(&l->run_names, &key, sizeof key);

    return node != NODE_NONE && is_of_type(l, node, type) ? node
                                                          : run_producer_of(&l->run_names, first_output(name));
}

/* Adds a node for a row without an operator; below (runtime) if a model is loaded. */
static node_id add_operator(struct loader *l, struct span type, struct span name)
{
    struct strbuf path = {0};
    node_id node;
    bool added;

    sb_adds(&path, l->run_names.is_used ? "(runtime)" : "");
    row_put_levels(&path, first_output(name), '/');
    node = builder_node(l->builder, builder_str(l->builder, sb_text(&path), path.len),
                        builder_str(l->builder, type.bytes, type.len), &added);
    sb_done(&path);
    return node;
}

static int64_t number_of(struct span cell, unsigned shift)
{
    int64_t number;

    return cell.len && json_decimal((struct json_value){.at = cell.bytes, .len = cell.len,
                                                        .type = JSON_WORD}, shift, &number) &&
                   number > 0 ? number : 0;
}

static void add_time(struct loader *l, node_id node, int64_t dur_ns, int64_t n_runs)
{
    const strid device = builder_str(l->builder, "/cpu:0", 6);
    const struct exec_time time = {.device = device, .dur_ticks = dur_ns};
    const struct exec_record r = {.run_count = n_runs, .latest_end_ticks = dur_ns, .times = &time,
                                  .n_times = dur_ns != 0, .devices = &device, .n_devices = 1};

    builder_set_devices(l->builder, node, device, STRID_EMPTY);
    builder_add_record(l->builder, node, &r);
}

static void take_row(struct run *r, const struct span *cells)
{
    enum { NS_PER_MS_DIGITS = 6 };
    struct loader *l = r->l;
    const struct span type = cells[0], name = cells[r->columns.n - 1];
    const int64_t dur_ns = number_of(cells[r->columns.avg], NS_PER_MS_DIGITS);
    const int64_t n_runs = r->columns.times < 0 ? 1 : number_of(cells[r->columns.times], 0);
    node_id node = l->run_names.is_used ? find_operator(l, type, name) : NODE_NONE;

    r->n_rows++;
    if (node == NODE_NONE && l->run_names.is_used) {
        r->n_lost++;
        r->lost_ns = clamp_add(r->lost_ns, dur_ns);
    }
    if (node == NODE_NONE)
        node = add_operator(l, type, name);
    add_time(l, node, dur_ns < INT64_MAX / 4 ? dur_ns : INT64_MAX / 4, n_runs);
}

static void add_notes(const struct run *r)
{
    struct strbuf time = {0};

    format_time(&time, clamp_mul(r->lost_ns, PS_PER_NS));
    if (r->n_lost)
        note_add(&builder_profile(r->l->builder)->notes,
                 "%s: %" PRIu32 " rows match no operator of the model (%s): shown below (runtime)",
                 r->l->path, r->n_lost, sb_text(&time));
    sb_done(&time);
}

static bool load_tflite_run(struct loader *l, struct err *err)
{
    struct run r = {.l = l};
    struct table table;
    struct span line;

    builder_profile(l->builder)->clock.tick_ps = PS_PER_NS;
    builder_profile(l->builder)->op_set = "tflite:";
    if (!choose_table(l->input, &table))
        return err_set(err, ERR_INPUT, "%s: no table of operators in order of run or by time", l->path);
    read_header(&r, table.header);
    if (r.columns.avg < 0 || r.columns.n < 3)
        return load_fail(l, table.header.bytes, err, "the table has no average time");
    while (span_line(&table.rows, &line) && span_trim(line).len) {
        struct span cells[COLUMNS_MAX];

        if (!load_tick(l, line.bytes, err))
            return false;
        if (split(line, r.columns.is_csv, cells, r.columns.n) == r.columns.n)
            take_row(&r, cells);
    }
    builder_add_step(l->builder, 0);
    builder_profile(l->builder)->has_runtime = true;
    add_notes(&r);
    return true;
}

const struct format_row format_tflite_run = {
    .name = "TFLite op profile",
    .help = "operator times of benchmark_model (--enable_op_profiling), as CSV or as text",
    .binary_name = "TFLite op profile",
    .contents = CONTAINS_STEPS,
    .load_order = 92,
    .detect_order = 90,
    .is_plain_text = true,
    .fits = fits_tflite_run,
    .load = load_tflite_run,
};
