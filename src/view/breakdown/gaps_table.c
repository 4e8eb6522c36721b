/* gaps_table.c: the table of times in which an accelerator is idle. */
#include <stdlib.h>

#include "activity/table.h"
#include "base/xalloc.h"
#include "view/breakdown/breakdown.h"

struct gap_row {
    int64_t rank, step; /* INT64_MIN: not known */
    int64_t start_ns, dur_ns;
    strid device, before, after; /* names */
    enum idle_cause cause;
    node_id node; /* that has the time of the work which ends it */
};

typedef VEC(struct gap_row) gap_rows;

enum { GAP_CAUSE = 6 };

#define OF(field) MEMBER_OF(struct gap_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, OF(field), .scale = PS_PER_NS
static const struct table_column columns[] = {
    {"host", .help = "name of the host: not known", .unit = VALUE_TEXT, .audience = FOR_PROGRAMS},
    {"rank", .help = "number of the rank", OF(rank)},
    {"device", .help = "the accelerator", .unit = VALUE_TEXT, OF(device)},
    {"step", .help = "step of the work that ends it", OF(step)},
    {"start", .help = "when it begins, by the clock of the file", TIME(start_ns)},
    {"duration", .help = "how long nothing runs", TIME(dur_ns)},
    [GAP_CAUSE] = {"cause", .help = "host, launch, other, unknown: as in breakdown",
                   .unit = VALUE_TEXT},
    {"before", .help = "what ran last before it", .unit = VALUE_TEXT, OF(before)},
    {"after", .help = "what ends it", .unit = VALUE_TEXT, OF(after)},
    {"host_work", .help = "what the host did meanwhile: not known", .unit = VALUE_TEXT,
     .audience = FOR_PROGRAMS},
};
#undef TIME
#undef OF

/* The gaps of one device. */
struct device_gaps {
    const struct recording *recording;
    strid device;
    gap_rows *rows;
};

static void add_gap(void *context, const struct idle_gap *gap)
{
    const struct device_gaps *of = context;
    const struct device_work *after = gap->work;
    const struct gap_row row = {
        .rank = of->recording->rank >= 0 ? of->recording->rank : INT64_MIN,
        .step = after->step == STEP_OUTSIDE ? INT64_MIN : after->step,
        .start_ns = after->start_ns - gap->dur_ns,
        .dur_ns = gap->dur_ns,
        .device = of->device,
        .before = gap->before->name,
        .after = after->name,
        .cause = gap->cause,
        .node = after->node,
    };

    vec_push(of->rows, row);
}

static int by_duration(const void *x, const void *y)
{
    const struct gap_row *a = x, *b = y;

    if (a->dur_ns != b->dur_ns)
        return a->dur_ns < b->dur_ns ? 1 : -1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->device > b->device) - (a->device < b->device);
}

static bool open_gaps(struct table_rows *t, struct err *err)
{
    const struct profile *p = t->request->profile;
    const int64_t idle_gap_ns = clamp_mul(t->request->options->idle_gap, 1000);
    gap_rows *rows = xcalloc(1, sizeof *rows);

    (void)err;
    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];
        const struct device_work **works = xcalloc((size_t)r->n_works + 1, sizeof *works);

        for (uint32_t d = 0; d < r->n_devices; d++) {
            struct device_gaps of = {r, r->devices[d], rows};

            breakdown_gaps(works, breakdown_works(r, d, works), idle_gap_ns, add_gap, &of);
        }
        free(works);
    }
    vec_sort(rows, by_duration);
    t->data = rows;
    table_set_records(t, rows);
    if (!p->n_recordings)
        t->needs = "needs a trace";
    return true;
}

static void close_gaps(struct table_rows *t)
{
    gap_rows *rows = t->data;

    vec_done(rows);
    free(rows);
}

static const struct gap_row *row_at(const struct table_cursor *c)
{
    const gap_rows *rows = c->rows->data;

    return &rows->data[c->key];
}

static void gap_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    if (column == GAP_CAUSE)
        value_word(v, idle_cause_name(row_at(c)->cause));
}

static bool gap_subject(struct table_cursor *c, struct subject *s)
{
    *s = (struct subject){.kind = SUBJECT_NODE, .id = row_at(c)->node};
    return row_at(c)->node != NODE_NONE;
}

const struct table table_gaps = {
    .name = "gaps", .help = "list the times in which accelerators are idle, the longest first",
    TABLE_COLUMNS(columns), .options = (const char *const[]){"idle_gap", NULL}, .open = open_gaps,
    .close = close_gaps, .value = gap_value, .subject = gap_subject, .max_text_rows = 40,
    .rows_name = "gaps",
};
