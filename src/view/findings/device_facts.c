/* device_facts.c: reads steps and work of a device, and its idle time by cause. */
#include <stdlib.h>
#include <string.h>

#include "activity/breakdown.h"
#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "view/findings/findings_priv.h"

/* Longer unexplained parts of a gap are pauses. */
#define PAUSE_PS (INT64_C(1000) * PS_PER_US)

/* ---- steps */

static void add_step(struct find_device *d, uint32_t step, int64_t start_ps)
{
    uint32_t *place = &d->place_of_step[step];

    if (*place == STEP_NONE) {
        *place = (uint32_t)d->steps.n;
        vec_push(&d->steps, ((struct device_step){.step = step,
                                                  .number = d->s->steps.data[step].number,
                                                  .mark_ps = start_ps,
                                                  .end_ps = INT64_MIN}));
    } else if (start_ps < d->steps.data[*place].mark_ps) {
        d->steps.data[*place].mark_ps = start_ps;
    }
}

COMPARE_BY_TWO(step_by_start, struct device_step, mark_ps, number)

COMPARE_WITH(step_by_number, uint32_t, struct find_device,
             THEN(COMPARE(with->steps.data[*a].number, with->steps.data[*b].number)))

uint32_t place_of_number(const struct find_device *d, int64_t number)
{
    size_t at = 0;

    LOWER_BOUND(at, d->steps.n, i, d->steps.data[d->by_number[i]].number < number);
    return at < d->steps.n && d->steps.data[d->by_number[at]].number == number ? d->by_number[at]
                                                                               : STEP_NONE;
}

/* Lists the marked steps of the rank; without marks, the single numbered step. */
static void list_steps(struct find_device *d)
{
    const struct event_store *s = d->s;
    const int64_t shift_ps = s->clocks.data[s->ranks.data[d->rank].clock].shift_ps;

    d->place_of_step = xreallocarray(NULL, s->steps.n + 1, sizeof *d->place_of_step);
    memset(d->place_of_step, 0xff, (s->steps.n + 1) * sizeof *d->place_of_step);
    for (size_t i = 0; i < s->marks.n; i++)
        if (s->steps.data[s->marks.data[i].step].rank == d->rank)
            add_step(d, s->marks.data[i].step, clamp_add(s->marks.data[i].start_ps, shift_ps));
    for (uint32_t i = 0; i < s->steps.n && !s->marks.n; i++)
        if (s->steps.data[i].rank == d->rank && s->steps.data[i].number >= 0)
            add_step(d, i, d->host->first_ps);
    vec_sort(&d->steps, step_by_start);
    d->by_number = xreallocarray(NULL, d->steps.n + 1, sizeof *d->by_number);
    for (uint32_t i = 0; i < d->steps.n; i++) {
        d->place_of_step[d->steps.data[i].step] = i;
        d->by_number[i] = i;
    }
    qsort_r(d->by_number, d->steps.n, sizeof *d->by_number, step_by_number, d);
}

/* Sets step times to the lengths of the marks, for a job without device work. */
static void measure_marks(struct find_device *d)
{
    const struct event_store *s = d->s;

    vec_each(const struct profile_mark, mark, &s->marks) {
        if (s->steps.data[mark->step].rank == d->rank) {
            struct device_step *step = &d->steps.data[d->place_of_step[mark->step]];

            step->dur_ps = clamp_add(step->dur_ps, mark->end_ps - mark->start_ps);
        }
    }
    if (!s->marks.n && d->steps.n == 1 && d->host->last_ps > d->host->first_ps)
        d->steps.data[0].dur_ps = d->host->last_ps - d->host->first_ps;
}

/* Without marks, a single step lasts from the first event to the last. Several steps begin with the
 * first work. */
static void measure_steps(struct find_device *d)
{
    const bool is_one = !d->s->marks.n && d->steps.n == 1;
    int64_t end_ps = d->steps.n ? d->steps.data[0].mark_ps : 0;

    if (!d->s->marks.n && !is_one && d->works.n)
        end_ps = d->works.data[0].start_ps;

    for (size_t i = 0; i < d->works.n; i++) {
        struct device_step *step = &d->steps.data[d->place_of_step[d->works.data[i].step]];

        KEEP_MAX(step->end_ps, d->works.data[i].end_ps);
    }
    if (is_one && d->host->last_ps > d->steps.data[0].end_ps)
        d->steps.data[0].end_ps = d->host->last_ps;
    vec_each(struct device_step, step, &d->steps) {
        KEEP_MAX(step->end_ps, end_ps);
        step->dur_ps = step->end_ps - end_ps;
        end_ps = step->end_ps;
    }
}

/* ---- work */

static void read_works(struct find_device *d)
{
    struct work_reader r;

    work_begin(&r, d->run->sel, d->device);
    while (work_next(&r)) {
        const enum event_class c = (enum event_class)d->s->kinds[r.work.kind].event_class;

        if (c == EVENT_COMPUTE)
            interval_set_add(&d->computing, r.work.start_ps, r.work.end_ps);
        if (c == EVENT_COMPUTE || c == EVENT_COMMUNICATION)
            interval_set_add(&d->busy_or_communicating, r.work.start_ps, r.work.end_ps);
        if (d->place_of_step[r.work.step] != STEP_NONE)
            vec_push(&d->works, r.work);
    }
    work_end(&r);
}

COMPARE_BY_TWO(by_track_and_start, struct interval, end_ps, start_ps)

static void list_pageable(struct find_device *d)
{
    for (size_t i = 0; i < d->works.n; i++) {
        const struct work *w = &d->works.data[i];

        if (work_is_pageable_copy(d, w) && w->launch.track != TRACK_NONE)
            vec_push(&d->pageable, ((struct interval){w->launch_ps, w->launch.track, 0}));
    }
    vec_sort(&d->pageable, by_track_and_start);
}

bool work_is_pageable_copy(const struct find_device *d, const struct work *w)
{
    const struct event_kind *kind = &d->s->kinds[w->kind];
    const char *name = profile_text(d->run->p, kind_name(d->run, kind));

    return kind->event_class == EVENT_COPY && strstr(name, "HtoD") && strstr(name, "Pageable");
}

/* ---- idle time */

/* True when the operator around CALL also launched a copy from pageable memory. */
static bool copies_pageable(const struct find_device *d, const struct blocking_call *call)
{
    size_t at = 0;

    LOWER_BOUND(at, d->pageable.n, i,
                d->pageable.data[i].end_ps < call->track ||
                    (d->pageable.data[i].end_ps == call->track &&
                     d->pageable.data[i].start_ps < call->operator_start_ps));
    return at < d->pageable.n && d->pageable.data[at].end_ps == call->track &&
           d->pageable.data[at].start_ps < call->operator_end_ps;
}

/* The call that was open at START_PS, or began between START_PS and UNTIL_PS; of several the one
 * with the latest end; NULL: none. */
static struct blocking_call *cause_of(const struct find_device *d, int64_t start_ps, int64_t until_ps)
{
    struct host_facts *h = d->host;
    size_t at = 0;

    LOWER_BOUND(at, h->calls.n, i, h->calls.data[i].start_ps < until_ps);
    if (!at)
        return NULL;
    at = h->calls.data[at - 1].latest;
    return h->calls.data[at].end_ps > start_ps || h->calls.data[at].start_ps >= start_ps
               ? &h->calls.data[at]
               : NULL;
}

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct find_device *d = context;
    const uint32_t id = d->s->kinds[gap->after.kind].id;
    const int64_t g = gap->start_ps, b = gap->after.start_ps;
    const int64_t until_ps = gap->after.launch_ps < b ? gap->after.launch_ps : b;
    int64_t rest_ps = gap->dur_ps, compile_ps, input_ps;
    struct blocking_call *call;

    if (gap->cause != IDLE_HOST || d->place_of_step[gap->after.step] == STEP_NONE)
        return;
    compile_ps = interval_set_within(&d->host->compile, g, until_ps);
    input_ps = interval_set_within(&d->host->either, g, until_ps) - compile_ps;
    d->compile_ps += compile_ps;
    d->input_ps += input_ps;
    rest_ps -= compile_ps + input_ps;
    interval_set_add(&d->waits, g, until_ps);
    call = rest_ps > 0 ? cause_of(d, g, gap->after.launch_ps) : NULL;
    if (call && copies_pageable(d, call)) {
        d->copy_ps += rest_ps;
    } else if (call) {
        d->sync_ps += rest_ps;
        call->lost_ps += rest_ps;
    } else if (rest_ps <= PAUSE_PS) {
        d->host_ps += rest_ps;
        if (id != NODE_NONE)
            node_times_add(d->host_nodes, id, rest_ps);
    }
}

void device_read(struct find_device *d)
{
    list_steps(d);
    d->host_nodes = node_times_new();
    for (size_t i = 0; i < d->host->calls.n; i++)
        d->host->calls.data[i].lost_ps = 0;
    if (d->device == DEVICE_NONE) {
        measure_marks(d);
    } else {
        read_works(d);
        measure_steps(d);
        list_pageable(d);
        breakdown_gaps(d->run->sel, d->device, 0, add_gap, d);
    }
    for (size_t i = 0; i < d->steps.n; i++)
        d->total_ps = clamp_add(d->total_ps, d->steps.data[i].dur_ps);
}

void device_done(struct find_device *d)
{
    EACH(vec_done, &d->steps, &d->works, &d->computing, &d->busy_or_communicating, &d->waits,
         &d->pageable);
    node_times_free(d->host_nodes);
    EACH(free, d->place_of_step, d->by_number);
}
