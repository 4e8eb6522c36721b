/* gaps_table.c: the table of idle times of devices. */
#include <stdlib.h>

#include "activity/breakdown.h"
#include "activity/kernel_name.h"
#include "activity/table.h"
#include "base/compare.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/breakdown/table_selection.h"

struct gap_row {
    int64_t rank, step; /* INT64_MIN: unknown */
    int64_t start_ps, dur_ps;
    strid host, device, before, after; /* names; STRID_EMPTY: unknown */
    enum idle_cause cause;
    node_id node; /* node of the work that ends the gap */
};

typedef VEC(struct gap_row) gap_rows;

enum { GAP_HOST, GAP_RANK, GAP_CAUSE = 6, GAP_SHORT_BEFORE = 10, GAP_SHORT_AFTER };

#define OF(field) MEMBER_OF(struct gap_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, OF(field)
static const struct table_column columns[] = {
    [GAP_HOST] = {"host", .help = "name of the host", .unit = VALUE_TEXT,
                  .audience = FOR_PROGRAMS},
    [GAP_RANK] = {"rank", .help = "number of the rank", OF(rank)},
    {"device", .help = "the device", .unit = VALUE_TEXT, OF(device)},
    {"step", .help = "step of the work after the gap", OF(step)},
    {"start", .help = "start, on the clock of the file; since the first event if that clock "
                      "counts from 1970", TIME(start_ps)},
    {"duration", .help = "length of the idle time", TIME(dur_ps), .adds_up = true},
    [GAP_CAUSE] = {"cause", .help = "host, launch, other, unknown: as in breakdown",
                   .unit = VALUE_TEXT},
    {"before", .help = "last work before the gap", .unit = VALUE_TEXT, .audience = FOR_PROGRAMS,
     OF(before)},
    {"after", .help = "first work after the gap", .unit = VALUE_TEXT, .audience = FOR_PROGRAMS, OF(after)},
    {"host_work", .help = "work of the host during the gap: unknown", .unit = VALUE_TEXT,
     .audience = FOR_PROGRAMS},
    [GAP_SHORT_BEFORE] = {"short_before", "before", "last work before the gap", .unit = VALUE_TEXT,
                          .audience = FOR_PEOPLE},
    [GAP_SHORT_AFTER] = {"short_after", "after", "first work after the gap", .unit = VALUE_TEXT,
                         .audience = FOR_PEOPLE},
};
#undef TIME
#undef OF

struct device_gaps {
    const struct selection *sel;
    const struct profile_device *device;
    int64_t zero_ps; /* zero of the column `start` */
    gap_rows *rows;
};

static strid name_of(const struct selection *sel, const struct work *w)
{
    const struct event_kind *kind = &sel->s->kinds[w->kind];

    return kind->name != STRID_EMPTY || kind->id == NODE_NONE
               ? kind->name
               : sel->p->name[profile_node_of_part(sel->p, kind->id)];
}

static void add_gap(void *context, const struct idle_gap *gap)
{
    const struct device_gaps *of = context;
    const struct event_store *s = of->sel->s;
    const struct event_kind *kind = &s->kinds[gap->after.kind];
    const int64_t rank = s->ranks.data[of->device->rank].number;
    const int64_t step = s->steps.data[gap->after.step].number;
    const struct gap_row row = {
        .rank = rank >= 0 ? rank : INT64_MIN,
        .step = step == STEP_OUTSIDE ? INT64_MIN : step,
        .start_ps = clamp_sub(gap->start_ps, of->zero_ps),
        .dur_ps = gap->dur_ps,
        .host = s->hosts.data[of->device->host].name,
        .device = of->device->name,
        .before = name_of(of->sel, &gap->before),
        .after = name_of(of->sel, &gap->after),
        .cause = gap->cause,
        .node = kind->id == NODE_NONE ? NODE_NONE : profile_node_of_part(of->sel->p, kind->id),
    };

    vec_push(of->rows, row);
}

COMPARE_CHAIN(by_duration, struct gap_row, DOWN(dur_ps) || UP(start_ps) || UP(rank) || UP(device))

/* Zero of the first clock, unless instants relative to it would overflow. */
static int64_t zero_of(const struct selection *sel)
{
    const struct profile_clock *clock = &sel->s->clocks.data[0];
    const int64_t origin_ps = clamp_mul(clock->origin_ticks, clock->tick_ps);

    return origin_ps > -EVENT_FARTHEST_PS && origin_ps < EVENT_FARTHEST_PS
               ? clamp_neg(origin_ps)
               : selection_first_start(sel);
}

static void add_gaps(gap_rows *rows, struct selection *sel, int64_t idle_gap_ps)
{
    while (selection_next(sel)) {
        struct device_gaps of = {.sel = sel, .zero_ps = zero_of(sel), .rows = rows};

        for (uint32_t d = 0; d < sel->s->devices.n; d++) {
            of.device = &sel->s->devices.data[d];
            if (sel->devices[d])
                breakdown_gaps(sel, d, idle_gap_ps, add_gap, &of);
        }
    }
    vec_sort(rows, by_duration);
}

static bool open_gaps(struct table_rows *t, struct err *err)
{
    struct selection sel;
    gap_rows *rows;

    if (!table_select(&sel, t->request, err))
        return false;
    rows = xcalloc(1, sizeof *rows);
    t->data = rows;
    add_gaps(rows, &sel, clamp_mul(t->request->options->idle_gap, PS_PER_US));
    selection_done(&sel);
    table_set_records(t, rows);
    if (!rows->n || rows->data[0].rank < 0)
        t->hidden_from_people = 1U << GAP_RANK;
    if (!sel.has_devices)
        t->needs = profile_needs_work(t->request->profile);
    return selection_is_whole(&sel, err);
}

static void close_gaps(struct table_rows *t)
{
    gap_rows *rows = t->data;

    vec_done(rows);
    free(rows);
}

static void set_short_name(struct table_cursor *c, strid name, struct table_value *v)
{
    sb_clear(&c->text);
    kernel_name_add(&c->text, intern_string(&c->profile->strings, name));
    value_scratch(v, c);
}

static void gap_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct gap_row *row = table_record(c);

    if (column == GAP_HOST)
        value_string(v, c->profile, row->host);
    else if (column == GAP_CAUSE)
        value_word(v, idle_cause_name(row->cause));
    else if (column == GAP_SHORT_BEFORE)
        set_short_name(c, row->before, v);
    else if (column == GAP_SHORT_AFTER)
        set_short_name(c, row->after, v);
}

static bool gap_subject(struct table_cursor *c, struct subject *s)
{
    const struct gap_row *row = table_record(c);

    *s = (struct subject){.kind = SUBJECT_NODE, .id = row->node};
    return row->node != NODE_NONE;
}

const struct table table_gaps = {
    .of = TABLE_OF_WORK,
    .name = "gaps", .help = "list idle times of devices, the longest first",
    TABLE_COLUMNS(columns), .options = (const char *const[]){"idle_gap", "top", NULL},
    .open = open_gaps, .close = close_gaps, .value = gap_value, .subject = gap_subject,
    .max_text_rows = 40, .rows_name = "gaps",
};
