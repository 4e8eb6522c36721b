/* breakdown_table.c: the table of device time: work and idle time by cause. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/verdict.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/breakdown/table_selection.h"

enum { ROW_RANK, ROW_DEVICE, ROW_STREAM, ROW_STEP, ROW_WALL, ROW_IDLE_BY_CAUSE = 14, ROW_HOST = 20,
       ROW_QUEUE_MOST, ROW_QUEUE_MEAN, ROW_QUEUE_NEGATIVE, ROW_OVERLAP_SHARE, ROW_SHORT_SHARE };

#define OF(field) MEMBER_OF(struct breakdown_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, .is_compared = true, OF(field)
static const struct table_column columns[] = {
    [ROW_RANK] = {"rank", .help = "number of the rank", .is_key = true, .is_aside = true, OF(rank)},
    [ROW_DEVICE] = {"device", .help = "the accelerator", .unit = VALUE_TEXT, .is_key = true, .is_location = true,
                    OF(device)},
    [ROW_STREAM] = {"stream", .help = "stream of the device, with -streams", .unit = VALUE_TEXT,
                    .is_key = true, OF(stream)},
    [ROW_STEP] = {"step", .help = "number of the step, or all", .is_key = true, .is_step = true},
    [ROW_WALL] = {"wall", .help = "length of the step", TIME(wall_ps)},
    {"span", .help = "from the first start to the last end on the device", TIME(span_ps), .is_aside = true},
    {"busy", .help = "something runs", TIME(busy_ps)},
    {"compute", .help = "kernels compute", TIME(compute_ps)},
    {"communication", .help = "collectives run", TIME(communication_ps), .is_aside = true},
    {"exposed_communication", "exposed", "collectives run while no kernel computes",
     TIME(exposed_communication_ps)},
    {"memory", "copies", "copies and memsets run", TIME(memory_ps), .is_aside = true},
    {"exposed_memory", .help = "copies that overlap with nothing", TIME(exposed_memory_ps),
     .audience = FOR_PROGRAMS},
    {"overlap", .help = "collectives run and something computes", TIME(overlap_ps),
     .audience = FOR_PROGRAMS},
    {"idle", .help = "nothing runs", TIME(idle_ps)},
    [ROW_IDLE_BY_CAUSE] = {"idle_host", "host", "idle: the host launched too late",
                           TIME(idle_by_cause_ps[IDLE_HOST])},
    {"idle_launch", "launch", "idle: launch latency", TIME(idle_by_cause_ps[IDLE_LAUNCH])},
    {"idle_other", "other", "idle: queued work waits", TIME(idle_by_cause_ps[IDLE_OTHER])},
    {"idle_unknown", "unknown", "idle: the launch is not recorded",
     TIME(idle_by_cause_ps[IDLE_UNKNOWN])},
    {"kernels", .help = "kernels that compute", OF(n_kernels), .audience = FOR_PROGRAMS},
    {"short_kernels", .help = "kernels shorter than their launch call", OF(n_short),
     .audience = FOR_PROGRAMS},
    [ROW_HOST] = {"host", .help = "name of the host of the device", .unit = VALUE_TEXT,
                  .audience = FOR_PROGRAMS, .omits_unknown = true},
    [ROW_QUEUE_MOST] = {"queue_most", "queue", "largest number of launched events that have not started",
                        OF(queue_max)},
    [ROW_QUEUE_MEAN] = {"queue_mean", .help = "mean number of launched events that have not started",
                        .unit = VALUE_REAL, .decimals = 3, .audience = FOR_PROGRAMS},
    [ROW_QUEUE_NEGATIVE] = {"queue_negative", .help = "number of times with more starts than launches",
                            OF(n_negative_queue), .audience = FOR_PROGRAMS},
    [ROW_OVERLAP_SHARE] = {"overlap_percent", "overlap", "part of communication that overlaps with computing",
                           .unit = VALUE_PERCENT, .decimals = 1, .audience = FOR_PEOPLE},
    [ROW_SHORT_SHARE] = {"short", .help = "share of short kernels", .audience = FOR_PEOPLE},
};
#undef TIME
#undef OF

#define BIT(column) (UINT64_C(1) << (column))

/* Hides the rank if it is unknown, and puts it aside if there is one. */
static void place_rank(struct table_rows *t, const breakdown_rows *rows)
{
    t->hidden_from_people = BIT(ROW_RANK);
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->data[i].rank >= 0)
            t->hidden_from_people = 0;
        if (rows->data[i].rank != rows->data[0].rank)
            t->not_aside = BIT(ROW_RANK);
    }
}

struct breakdown_data {
    breakdown_rows rows;
    struct verdict verdict;
    const char *lacks; /* why there is no device work; NULL: there is */
};

static bool add_verdict(struct table_rows *t, struct err *err)
{
    struct breakdown_data *d = t->data;
    struct selection_request wanted;

    t->object = &d->verdict;
    return table_get_selection(&wanted, t->request, err) &&
           verdict_make(&d->verdict, t->request->profile, &wanted,
                        t->request->options->align_clocks, t->request->cancel, err);
}

static bool open_breakdown(struct table_rows *t, struct err *err)
{
    const struct options *o = t->request->options;
    const struct breakdown_request request = {.idle_gap_ps = clamp_mul(o->idle_gap, PS_PER_US),
                                              .by_stream = o->streams};
    struct breakdown_data *d;
    breakdown_rows *rows;
    struct selection sel;

    if (!table_select(&sel, t->request, err))
        return false;
    d = xcalloc(1, sizeof *d);
    rows = &d->rows;
    t->data = d;
    breakdown_make(&sel, &request, rows);
    selection_done(&sel);
    table_set_records(t, rows);
    place_rank(t, rows);
    d->lacks = sel.has_devices ? NULL : profile_needs_work(t->request->profile);
    if (!rows->n)
        t->needs = d->lacks ? d->lacks : "the selected devices, ranks and steps have no work";
    if (o->streams)
        t->hidden_from_people |= BIT(ROW_STEP) | BIT(ROW_WALL);
    else
        t->hidden = BIT(ROW_STREAM) | BIT(ROW_QUEUE_MOST) | BIT(ROW_QUEUE_MEAN) |
                    BIT(ROW_QUEUE_NEGATIVE);
    return selection_is_whole(&sel, err) && add_verdict(t, err);
}

static void close_breakdown(struct table_rows *t)
{
    struct breakdown_data *d = t->data;

    vec_done(&d->rows);
    verdict_done(&d->verdict);
    free(d);
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
    const struct breakdown_row *row = table_record(c);

    if (column == ROW_HOST)
        value_string(v, c->profile, row->host);
    else if (column == ROW_STEP && row->step == STEP_ALL)
        value_word(v, "all");
    else if (column == ROW_STEP)
        value_integer(v, row->step);
    else if (column == ROW_OVERLAP_SHARE && row->communication_ps)
        value_real(v, 100.0 * (double)row->overlap_ps / (double)row->communication_ps);
    else if (column == ROW_SHORT_SHARE)
        set_short_share(c, row, v);
    else if (column == ROW_QUEUE_MEAN)
        value_real(v, row->queue_span_ps
                          ? (double)row->queue_area_ps / (double)row->queue_span_ps : 0);
}

static bool row_subject(struct table_cursor *c, struct subject *s)
{
    const struct breakdown_row *row = table_record(c);
    const struct text name = intern_string(&c->profile->strings, row->device);

    *s = (struct subject){.kind = SUBJECT_DEVICE, .id = row->step, .name = name, .has_rank = row->rank >= 0,
                          .rank = row->rank};
    return name.len > 0;
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct breakdown_data *d = t->data;
    const char *line = d->verdict.text ? d->verdict.text : d->lacks;

    if (!line)
        return;
    utf8_escape(sb, line, strlen(line));
    sb_addc(sb, '\n');
}

static void add_legend(struct strbuf *sb, const struct table_rows *t)
{
    for (int cause = 0; cause < IDLE_CAUSES; cause++)
        if (!table_hides(t, (size_t)(ROW_IDLE_BY_CAUSE + cause), FOR_PEOPLE))
            sb_addf(sb, "idle, %-8s %s\n", idle_cause_name((enum idle_cause)cause),
                    idle_cause_help((enum idle_cause)cause));
    if (!table_hides(t, ROW_SHORT_SHARE, FOR_PEOPLE))
        sb_adds(sb, "short          kernels shorter than the call that launched them, of all\n");
}

/* Rows over all steps weigh more than rows of single steps. */
static int64_t weight_of(struct table_cursor *c)
{
    const struct breakdown_row *row = table_record(c);

    return row->step == STEP_ALL ? INT64_MAX / 2 + row->span_ps / 2 : row->span_ps / 2;
}

const struct table table_breakdown = {
    .of = TABLE_OF_WORK,
    .name = "breakdown", .help = "show where accelerator time goes, why devices wait",
    .json_name = "anatomy", TABLE_COLUMNS(columns), .weight = weight_of,
    .options = (const char *const[]){"streams", "idle_gap", "align_clocks", NULL}, .open = open_breakdown,
    .close = close_breakdown, .value = row_value, .subject = row_subject, .lead = add_lead,
    .legend = add_legend, .object_key = "verdict", .object_columns = verdict_columns,
    .n_object_columns = VERDICT_COLUMNS,
};
