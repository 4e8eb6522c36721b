/* report_anatomy.c: where the time of accelerators goes, as text or JSON. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "session/report.h"
#include "view/anatomy/anatomy.h"

struct column {
    const char *key;   /* of JSON */
    const char *title; /* of the table; NULL: not there */
    size_t offset;     /* of an int64_t in struct anatomy_row */
};

#define AT(field) offsetof(struct anatomy_row, field)
static const struct column columns[] = {
    {"span", "span", AT(span_ns)},
    {"busy", "busy", AT(busy_ns)},
    {"compute", "compute", AT(compute_ns)},
    {"communication", "communication", AT(communication_ns)},
    {"exposed_communication", "exposed", AT(exposed_communication_ns)},
    {"memory", "copies", AT(memory_ns)},
    {"exposed_memory", NULL, AT(exposed_memory_ns)},
    {"overlap", NULL, AT(overlap_ns)},
    {"idle", "idle", AT(idle_ns)},
    {"idle_host", "host", AT(idle_by_cause_ns[IDLE_HOST])},
    {"idle_launch", "launch", AT(idle_by_cause_ns[IDLE_LAUNCH])},
    {"idle_other", "other", AT(idle_by_cause_ns[IDLE_OTHER])},
    {"idle_unknown", "unknown", AT(idle_by_cause_ns[IDLE_UNKNOWN])},
};
#undef AT

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static int64_t value_of(const struct anatomy_row *row, const struct column *column)
{
    int64_t value;

    memcpy(&value, (const char *)row + column->offset, sizeof value);
    return value;
}

static void add_queue(struct strbuf *sb, const struct anatomy_row *row)
{
    report_integer(sb, "queue_most", row->queue_max);
    report_key(sb, "queue_mean");
    sb_addf(sb, "%.3f",
            row->queue_span_ns ? (double)row->queue_area_ns / (double)row->queue_span_ns : 0.0);
    report_integer(sb, "queue_negative", row->n_negative_queue);
}

static void add_json_row(struct strbuf *sb, const struct profile *p, const struct anatomy_row *row,
                         bool by_stream)
{
    report_key(sb, "rank");
    if (row->rank < 0)
        sb_adds(sb, "null");
    else
        sb_add_int(sb, row->rank);
    if (row->device) {
        report_string(sb, "device", p, row->device);
    } else {
        report_key(sb, "device");
        sb_adds(sb, "\"\"");
    }
    if (by_stream)
        report_string(sb, "stream", p, row->stream);
    if (row->step == STEP_ALL) {
        report_key(sb, "step");
        sb_adds(sb, "\"all\"");
    } else {
        report_integer(sb, "step", row->step);
    }
    if (row->wall_ns == INSTANT_NONE) {
        report_key(sb, "wall");
        sb_adds(sb, "null");
    } else {
        report_time(sb, "wall", row->wall_ns);
    }
    for (size_t i = 0; i < N_COLUMNS; i++)
        report_time(sb, columns[i].key, value_of(row, &columns[i]));
    report_integer(sb, "kernels", row->n_kernels);
    report_integer(sb, "short_kernels", row->n_short);
    if (by_stream)
        add_queue(sb, row);
}

static void print_json(struct strbuf *sb, const struct profile *p, const anatomy_rows *rows,
                       bool by_stream)
{
    sb_adds(sb, "{\"tfprof\":1,\"view\":\"anatomy\",\"rows\":[");
    for (size_t i = 0; i < rows->n; i++) {
        sb_adds(sb, i ? ",\n{" : "\n{");
        add_json_row(sb, p, &rows->data[i], by_stream);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}

static void number_cell(struct report_table *t, int64_t number, bool is_known, const char *instead)
{
    struct strbuf text = {0};

    if (is_known)
        sb_add_int(&text, number);
    report_cell(t, is_known ? sb_text(&text) : instead);
    sb_done(&text);
}

static void add_titles(struct report_table *t, bool by_stream)
{
    report_cell(t, "device");
    report_cell(t, by_stream ? "stream" : "step");
    report_cell(t, "rank");
    report_cell(t, by_stream ? "queue" : "wall");
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (columns[i].title)
            report_cell(t, columns[i].title);
    report_cell(t, "overlap");
    report_cell(t, "short");
    t->n_columns = t->cells.n;
    t->n_left = 2;
}

static void add_cells(struct report_table *t, const struct profile *p,
                      const struct anatomy_row *row, bool by_stream)
{
    struct strbuf share = {0};

    report_cell(t, row->device ? profile_text(p, row->device) : "-");
    if (by_stream)
        report_cell(t, profile_text(p, row->stream));
    else
        number_cell(t, row->step, row->step != STEP_ALL, "all");
    number_cell(t, row->rank, row->rank >= 0, "-");
    if (by_stream)
        number_cell(t, row->queue_max, true, "");
    else if (row->wall_ns == INSTANT_NONE)
        report_cell(t, "-");
    else
        report_time_cell(t, row->wall_ns);
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (columns[i].title)
            report_time_cell(t, value_of(row, &columns[i]));
    if (row->communication_ns)
        sb_addf(&share, "%.1f%%",
                100.0 * (double)row->overlap_ns / (double)row->communication_ns);
    else
        sb_adds(&share, "n/a");
    report_cell(t, sb_text(&share));
    sb_clear(&share);
    sb_addf(&share, "%" PRIu32 "/%" PRIu32, row->n_short, row->n_kernels);
    report_cell(t, sb_text(&share));
    sb_done(&share);
}

static void print_text(struct strbuf *sb, const struct profile *p, const anatomy_rows *rows,
                       bool by_stream)
{
    struct report_table t = {.n_left = 2};

    add_titles(&t, by_stream);
    for (size_t i = 0; i < rows->n; i++)
        add_cells(&t, p, &rows->data[i], by_stream);
    report_table_end(&t, sb);
    for (int cause = 0; cause < IDLE_CAUSES; cause++)
        sb_addf(sb, "idle, %-8s %s\n", idle_cause_name((enum idle_cause)cause),
                idle_cause_help((enum idle_cause)cause));
    sb_adds(sb, "short          kernels shorter than the call that launched them, of all\n");
}

bool report_anatomy(struct strbuf *sb, const struct profile *p, const struct options *o,
                    bool is_json, struct err *err)
{
    const struct anatomy_request request = {.idle_gap_ns = clamp_mul(o->idle_gap, 1000),
                                            .by_stream = o->streams};
    anatomy_rows rows = {0};

    if (!p->n_recordings)
        return err_set(err, ERR_INPUT, "anatomy: needs a trace");
    anatomy_make(p, &request, &rows);
    if (is_json)
        print_json(sb, p, &rows, o->streams);
    else
        print_text(sb, p, &rows, o->streams);
    vec_done(&rows);
    return true;
}
