/* breakdown_table.c: the table of where the time of accelerators goes. */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/table.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/breakdown/breakdown.h"

enum { ROW_RANK, ROW_DEVICE, ROW_STREAM, ROW_STEP, ROW_WALL, ROW_QUEUE_MOST = 20, ROW_QUEUE_MEAN,
       ROW_QUEUE_NEGATIVE, ROW_OVERLAP_SHARE, ROW_SHORT_SHARE };

#define OF(field) MEMBER_OF(struct breakdown_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, OF(field), .scale = PS_PER_NS
static const struct table_column columns[] = {
    [ROW_RANK] = {"rank", .help = "number of the rank", .is_key = true},
    [ROW_DEVICE] = {"device", .help = "the accelerator", .unit = VALUE_TEXT, .is_key = true,
                    OF(device)},
    [ROW_STREAM] = {"stream", .help = "stream of the device, with -streams", .unit = VALUE_TEXT,
                    .is_key = true, OF(stream)},
    [ROW_STEP] = {"step", .help = "number of the step, or all", .is_key = true},
    [ROW_WALL] = {"wall", .help = "length of the step", TIME(wall_ns)},
    {"span", .help = "from the first start to the last end on the device", TIME(span_ns)},
    {"busy", .help = "something runs", TIME(busy_ns)},
    {"compute", .help = "kernels compute", TIME(compute_ns)},
    {"communication", .help = "collectives run", TIME(communication_ns)},
    {"exposed_communication", "exposed", "collectives run and nothing computes",
     TIME(exposed_communication_ns)},
    {"memory", "copies", "copies and memsets run", TIME(memory_ns)},
    {"exposed_memory", .help = "copies run and nothing else", TIME(exposed_memory_ns),
     .audience = FOR_PROGRAMS},
    {"overlap", .help = "collectives run and something computes", TIME(overlap_ns),
     .audience = FOR_PROGRAMS},
    {"idle", .help = "nothing runs", TIME(idle_ns)},
    {"idle_host", "host", "idle: the host launched too late", TIME(idle_by_cause_ns[IDLE_HOST])},
    {"idle_launch", "launch", "idle: launch latency", TIME(idle_by_cause_ns[IDLE_LAUNCH])},
    {"idle_other", "other", "idle: launched long before", TIME(idle_by_cause_ns[IDLE_OTHER])},
    {"idle_unknown", "unknown", "idle: the launch is not recorded",
     TIME(idle_by_cause_ns[IDLE_UNKNOWN])},
    {"kernels", .help = "kernels that compute", OF(n_kernels), .audience = FOR_PROGRAMS},
    {"short_kernels", .help = "kernels shorter than their launch call", OF(n_short),
     .audience = FOR_PROGRAMS},
    [ROW_QUEUE_MOST] = {"queue_most", "queue", "events launched and not begun, at most",
                        OF(queue_max)},
    [ROW_QUEUE_MEAN] = {"queue_mean", .help = "events launched and not begun, on average",
                        .unit = VALUE_REAL, .decimals = 3, .audience = FOR_PROGRAMS},
    [ROW_QUEUE_NEGATIVE] = {"queue_negative", .help = "times that more began than were launched",
                            OF(n_negative_queue), .audience = FOR_PROGRAMS},
    [ROW_OVERLAP_SHARE] = {"overlap_percent", "overlap", "part of communication that is hidden",
                           .unit = VALUE_PERCENT, .decimals = 1, .audience = FOR_PEOPLE},
    [ROW_SHORT_SHARE] = {"short", .help = "short kernels of all", .audience = FOR_PEOPLE},
};
#undef TIME
#undef OF

#define BIT(column) (UINT64_C(1) << (column))

static bool open_breakdown(struct table_rows *t, struct err *err)
{
    const struct options *o = t->request->options;
    const struct breakdown_request request = {.idle_gap_ns = clamp_mul(o->idle_gap, 1000),
                                            .by_stream = o->streams};
    breakdown_rows *rows = xcalloc(1, sizeof *rows);

    (void)err;
    breakdown_make(t->request->profile, &request, rows);
    t->data = rows;
    table_set_records(t, rows);
    if (!t->request->profile->n_recordings)
        t->needs = "needs a trace";
    if (o->streams)
        t->hidden_from_people = BIT(ROW_STEP) | BIT(ROW_WALL);
    else
        t->hidden = BIT(ROW_STREAM) | BIT(ROW_QUEUE_MOST) | BIT(ROW_QUEUE_MEAN) |
                    BIT(ROW_QUEUE_NEGATIVE);
    return true;
}

static void close_breakdown(struct table_rows *t)
{
    breakdown_rows *rows = t->data;

    vec_done(rows);
    free(rows);
}

static const struct breakdown_row *row_at(const struct table_rows *t, uint64_t key)
{
    const breakdown_rows *rows = t->data;

    return &rows->data[key];
}

static void set_short_share(struct table_cursor *c, const struct breakdown_row *row,
                            struct table_value *v)
{
    sb_clear(&c->text);
    sb_addf(&c->text, "%" PRIu32 "/%" PRIu32, row->n_short, row->n_kernels);
    value_scratch(v, c);
}

static void row_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct breakdown_row *row = row_at(c->rows, c->key);

    if (column == ROW_RANK && row->rank >= 0)
        value_integer(v, row->rank);
    else if (column == ROW_STEP && row->step == STEP_ALL)
        value_word(v, "all");
    else if (column == ROW_STEP)
        value_integer(v, row->step);
    else if (column == ROW_OVERLAP_SHARE && row->communication_ns)
        value_real(v, 100.0 * (double)row->overlap_ns / (double)row->communication_ns);
    else if (column == ROW_SHORT_SHARE)
        set_short_share(c, row, v);
    else if (column == ROW_QUEUE_MEAN)
        value_real(v, row->queue_span_ns
                          ? (double)row->queue_area_ns / (double)row->queue_span_ns : 0);
}

static bool row_subject(struct table_cursor *c, struct subject *s)
{
    const struct text name =
        intern_string(&c->profile->strings, row_at(c->rows, c->key)->device);

    *s = (struct subject){.kind = SUBJECT_DEVICE, .name = name};
    return name.len > 0;
}

static void add_legend(struct strbuf *sb, const struct table_rows *t)
{
    (void)t;
    for (int cause = 0; cause < IDLE_CAUSES; cause++)
        sb_addf(sb, "idle, %-8s %s\n", idle_cause_name((enum idle_cause)cause),
                idle_cause_help((enum idle_cause)cause));
    sb_adds(sb, "short          kernels shorter than the call that launched them, of all\n");
}

const struct table table_breakdown = {
    .name = "breakdown", .help = "show where accelerator time goes, and why accelerators wait",
    .json_name = "anatomy", TABLE_COLUMNS(columns),
    .options = (const char *const[]){"streams", "idle_gap", NULL}, .open = open_breakdown,
    .close = close_breakdown, .value = row_value, .subject = row_subject, .legend = add_legend,
};
