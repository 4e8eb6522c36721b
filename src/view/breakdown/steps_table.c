/* steps_table.c: the table of steps of each host or rank. */
#include <stdlib.h>
#include <string.h>

#include "activity/breakdown.h"
#include "activity/table.h"
#include "base/compare.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "model/programs.h"
#include "view/breakdown/table_selection.h"

/* A step, or what one track, mark or device contributes to it. */
struct step_row {
    int64_t rank, step; /* rank: INT64_MIN: unknown */
    strid host;
    int64_t start_ps, end_ps; /* INT64_MAX, INT64_MIN: unknown */
    int64_t wall_ps;          /* INT64_MIN: without a mark */
    int64_t busy_ps; /* of all devices; in a row of the table their mean */
    int64_t idle_ps; /* of a row of the table */
    int64_t n_devices; /* of a row over all steps */
    int64_t all_ps; /* length of all steps of its rank and host */
    int64_t cpu_ps, accelerator_ps;
};

typedef VEC(struct step_row) step_rows;

enum { STEP_HOST, STEP_RANK, STEP_NAME = 3, STEP_SHARE = 10 };

#define OF(field) MEMBER_OF(struct step_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, OF(field)
static const struct table_column columns[] = {
    [STEP_HOST] = {"host", .help = "name of the host", .unit = VALUE_TEXT, .is_key = true,
                   .is_location = true},
    [STEP_RANK] = {"rank", .help = "number of the rank", .is_key = true, OF(rank)},
    {"step", .help = "number of the step, as in -step", .is_key = true, OF(step)},
    [STEP_NAME] = {"name", .help = "name of its mark, usable with -step", .unit = VALUE_TEXT},
    {"start", .help = "when it begins, since the first step", TIME(start_ps)},
    {"wall", "duration", "length of its mark, else from its first event to the end of its last one",
     TIME(wall_ps), .adds_up = true, .is_compared = true},
    {"busy", .help = "time in which a device is busy, mean of the devices", TIME(busy_ps), .is_compared = true},
    {"idle", .help = "time in which a device is idle, mean of the devices", TIME(idle_ps), .is_compared = true},
    {"cpu", .help = "self time of the events of its threads", TIME(cpu_ps)},
    {"accelerator", .help = "self time of the events of its accelerators", TIME(accelerator_ps)},
    [STEP_SHARE] = {"percent", "share", "its duration in percent of all steps of its rank or host", .unit = VALUE_PERCENT,
                    .decimals = 2, .audience = FOR_PEOPLE},
};
#undef TIME
#undef OF

/* ---- rows */

static struct step_row row_of(const struct selection *sel, uint32_t rank, uint32_t host, int64_t step)
{
    const int64_t number = sel->s->ranks.data[rank].number;

    return (struct step_row){.rank = number < 0 ? INT64_MIN : number,
                             .step = step,
                             .host = sel->s->hosts.data[host].name,
                             .start_ps = INT64_MAX,
                             .end_ps = INT64_MIN,
                             .wall_ps = INT64_MIN};
}

static void add_time(struct step_row *row, int64_t start_ps, int64_t end_ps)
{
    KEEP_MIN(row->start_ps, start_ps);
    KEEP_MAX(row->end_ps, end_ps);
}

static void add_marks(step_rows *rows, const struct selection *sel)
{
    vec_each(const struct profile_mark, mark, &sel->s->marks) {
        const struct profile_step *step = &sel->s->steps.data[mark->step];
        const int64_t shift_ps = sel->s->clocks.data[sel->s->ranks.data[step->rank].clock].shift_ps;
        int64_t start_ps = clamp_add(mark->start_ps, shift_ps);
        int64_t end_ps = clamp_add(mark->end_ps, shift_ps);
        struct step_row row = row_of(sel, step->rank, mark->host, step->number);

        if (sel->has_range) {
            KEEP_MAX(start_ps, sel->from_ps);
            KEEP_MIN(end_ps, sel->to_ps);
        }
        if (!sel->steps[mark->step] || step->number < 0 || end_ps < start_ps)
            continue;
        add_time(&row, start_ps, end_ps);
        row.wall_ps = clamp_sub(end_ps, start_ps);
        vec_push(rows, row);
    }
}

/* Adds a row for each step of TRACK. ROW_OF_STEP has an element for each step of the store: its
 * index in ROWS + 1; those up to rows->n are of other tracks. */
static void add_track(step_rows *rows, uint32_t *row_of_step, const struct selection *sel, uint32_t track)
{
    const struct event_store *s = sel->s;
    const struct profile_device *device = &s->devices.data[s->tracks.data[track].device];
    const size_t first = rows->n;
    struct event_reader r = selection_reader(sel, track);

    while (event_next(&r)) {
        const struct event *e = &r.event;
        const int64_t start_ps = selection_instant(sel, track, e->start_ps);
        struct step_row *row;

        if (!sel->steps[e->step] || s->steps.data[e->step].number < 0)
            continue;
        if (row_of_step[e->step] <= first) {
            const struct step_row fresh =
                row_of(sel, device->rank, device->host, s->steps.data[e->step].number);

            vec_push(rows, fresh);
            row_of_step[e->step] = (uint32_t)rows->n;
        }
        row = &rows->data[row_of_step[e->step] - 1];
        add_time(row, start_ps, clamp_add(start_ps, e->dur_ps));
        if (device->is_accelerator)
            row->accelerator_ps = clamp_add(row->accelerator_ps, e->self_ps);
        else
            row->cpu_ps = clamp_add(row->cpu_ps, e->self_ps);
    }
}

static void add_store(step_rows *rows, const struct selection *sel)
{
    const struct event_store *s = sel->s;
    uint32_t *row_of_step = xcalloc(s->steps.n + 1, sizeof *row_of_step);

    add_marks(rows, sel);
    for (uint32_t t = 0; t < s->tracks.n && !cancel_asked(sel->cancel); t++)
        if (sel->tracks[t] && s->tracks.data[t].kind != TRACK_LAUNCHES &&
            s->tracks.data[t].kind != TRACK_INPUT)
            add_track(rows, row_of_step, sel, t);
    free(row_of_step);
}

/* Adds the busy times of devices, and a row over all steps for each device with work; SEL is at its
 * beginning. */
static void add_devices(step_rows *rows, struct selection *sel)
{
    const struct profile *p = sel->p;
    const struct breakdown_request request = {.by_stream = false};
    breakdown_rows devices = {0};

    breakdown_make(sel, &request, &devices);
    vec_each(const struct breakdown_row, d, &devices) {
        struct step_row row = {.rank = d->rank, .step = d->step, .host = d->host,
                               .start_ps = INT64_MAX, .end_ps = INT64_MIN, .wall_ps = INT64_MIN,
                               .n_devices = d->step < 0};

        if (!d->n_works)
            continue;
        if (d->step < 0)
            vec_push(rows, row);
        if (d->step < 0 && !sel->has_steps && p->n_steps == 1)
            row.step = p->steps[0];
        row.busy_ps = d->busy_ps;
        if (row.step >= 0)
            vec_push(rows, row);
    }
    vec_done(&devices);
}

COMPARE_WITH(by_step, struct step_row, struct intern,
             UP(rank) || THEN(a->host == b->host ? 0 : intern_compare(with, a->host, b->host)) || UP(step))

static void merge(struct step_row *to, const struct step_row *from)
{
    add_time(to, from->start_ps, from->end_ps);
    if (from->wall_ps != INT64_MIN)
        to->wall_ps = to->wall_ps == INT64_MIN ? from->wall_ps : clamp_add(to->wall_ps, from->wall_ps);
    to->busy_ps = clamp_add(to->busy_ps, from->busy_ps);
    to->cpu_ps = clamp_add(to->cpu_ps, from->cpu_ps);
    to->accelerator_ps = clamp_add(to->accelerator_ps, from->accelerator_ps);
    to->n_devices += from->n_devices;
}

/* Joins rows of the same step. */
static void join(step_rows *rows, const struct profile *p)
{
    void *strings = (void *)(uintptr_t)&p->strings;

    vec_sort_arg(rows, by_step, strings);
    vec_merge(rows, last, next, by_step(last, next, strings) == 0, merge(last, next));
}

/* Completes the rows of one rank and host. */
static void complete(struct step_row *rows, size_t n, int64_t n_devices, int64_t first_ps)
{
    int64_t all_ps = 0;

    for (size_t i = 0; i < n; i++) {
        struct step_row *row = &rows[i];
        const bool has_time = row->start_ps <= row->end_ps;

        if (row->wall_ps == INT64_MIN && has_time)
            row->wall_ps = clamp_sub(row->end_ps, row->start_ps);
        row->start_ps = has_time && first_ps != INT64_MIN ? clamp_sub(row->start_ps, first_ps) : INT64_MIN;
        row->busy_ps = n_devices ? row->busy_ps / n_devices : INT64_MIN;
        row->idle_ps = !n_devices || row->wall_ps < 0  ? INT64_MIN
                       : row->wall_ps < row->busy_ps ? 0
                                                     : row->wall_ps - row->busy_ps;
        all_ps = row->wall_ps > 0 ? clamp_add(all_ps, row->wall_ps) : all_ps;
    }
    for (size_t i = 0; i < n; i++)
        rows[i].all_ps = all_ps;
}

/* Completes all rows, and removes those over all steps, which are the first of their rank and host.
 * Stores of single steps have unrelated clocks. */
static void complete_all(step_rows *rows, const struct profile *p)
{
    int64_t first_ps = p->events ? INT64_MAX : INT64_MIN;
    size_t kept = 0;

    for (size_t i = 0; i < rows->n && p->events; i++)
        KEEP_MIN(first_ps, rows->data[i].start_ps);
    for (size_t from = 0, to; from < rows->n; from = to) {
        const struct step_row head = rows->data[from];
        const size_t begin = from + (head.step < 0);

        for (to = begin; to < rows->n; to++)
            if (rows->data[to].rank != head.rank || rows->data[to].host != head.host)
                break;
        complete(rows->data + begin, to - begin, head.step < 0 ? head.n_devices : 0, first_ps);
        memmove(rows->data + kept, rows->data + begin, (to - begin) * sizeof *rows->data);
        kept += to - begin;
    }
    rows->n = kept;
}

/* ---- the table */

/* Hides the host if it is the same in all rows, and empty columns. */
static void hide_columns(struct table_rows *t, const step_rows *rows, const struct profile *p)
{
    t->hidden_from_people = 1U << STEP_HOST | 1U << STEP_RANK | 1U << STEP_NAME;
    vec_each(const struct step_row, row, rows) {
        if (row->host != rows->data[0].host)
            t->hidden_from_people &= ~(UINT64_C(1) << STEP_HOST);
        if (row->rank >= 0)
            t->hidden_from_people &= ~(UINT64_C(1) << STEP_RANK);
        if (program_step_name(p->programs, row->step) != STRID_EMPTY)
            t->hidden_from_people &= ~(UINT64_C(1) << STEP_NAME);
    }
}

static bool open_steps(struct table_rows *t, struct err *err)
{
    step_rows *rows;
    struct selection sel;

    if (!table_select(&sel, t->request, err))
        return false;
    rows = xcalloc(1, sizeof *rows);
    t->data = rows;
    while (selection_next(&sel))
        add_store(rows, &sel);
    selection_rewind(&sel);
    add_devices(rows, &sel);
    selection_done(&sel);
    join(rows, t->request->profile);
    complete_all(rows, t->request->profile);
    table_set_records(t, rows);
    hide_columns(t, rows, t->request->profile);
    if (!rows->n)
        t->needs = profile_needs_steps(t->request->profile);
    return selection_is_whole(&sel, err);
}

static void close_steps(struct table_rows *t)
{
    step_rows *rows = t->data;

    vec_done(rows);
    free(rows);
}

static void step_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct step_row *row = table_record(c);

    if (column == STEP_HOST)
        value_string(v, c->profile, row->host);
    else if (column == STEP_NAME)
        value_string(v, c->profile, program_step_name(c->profile->programs, row->step));
    else if (row->wall_ps >= 0 && row->all_ps > 0)
        value_real(v, 100.0 * (double)row->wall_ps / (double)row->all_ps);
}

static bool step_subject(struct table_cursor *c, struct subject *s)
{
    const struct step_row *row = table_record(c);

    *s = (struct subject){.kind = SUBJECT_STEP, .id = row->step, .has_rank = row->rank >= 0,
                          .rank = row->rank};
    return true;
}

const struct table table_steps = {
    .of = TABLE_OF_STEPS,
    .name = "steps", .help = "list steps: start, duration, work and idle time of devices",
    .sql_name = "step_times", TABLE_COLUMNS(columns),
    .open = open_steps, .close = close_steps, .value = step_value, .subject = step_subject,
    .max_text_rows = 200, .rows_name = "steps",
};
