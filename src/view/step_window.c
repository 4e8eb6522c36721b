/* step_window.c: computes the time that devices had available for work. */

#include "activity/work.h"
#include "base/compare.h"
#include "base/satmath.h"
#include "model/programs.h"
#include "model/metric.h"
#include "model/recorder.h"
#include "view/stages.h"
#include "view/step_window.h"

/* Lengths of steps by number. */
struct step_length {
    int64_t step, len; /* len: in any unit */
};

typedef VEC(struct step_length) step_lengths;

COMPARE_BY(by_step, struct step_length, step)

/* Returns the length of STEP, or the mean for STEP_AVERAGE. Lengths of several marks of a step are
 * added. Sorts STEPS. */
static int64_t length_of(step_lengths *steps, int64_t step)
{
    int64_t sum = 0, n = 0;

    vec_sort(steps, by_step);
    for (size_t i = 0; i < steps->n; i++) {
        if (step >= 0 && steps->data[i].step != step)
            continue;
        n += !i || steps->data[i].step != steps->data[i - 1].step;
        sum = clamp_add(sum, steps->data[i].len);
    }
    return step >= 0 || !n ? sum : sum / n;
}

/* ---- traces */

/* Device spans of a trace or rank. */
struct device_spans {
    VEC(strid) devices; /* devices with work */
    int64_t span_ns;    /* sum of the device spans */
};

/* Time from the first start to the last end on DEVICE; 0: no work. */
static int64_t span_of(const struct selection *sel, uint32_t device)
{
    struct work_reader reader;
    int64_t first_ps = INT64_MAX, end_ps = INT64_MIN;

    work_begin(&reader, sel, device);
    while (work_next(&reader)) { /* work is read by start */
        first_ps = first_ps < reader.work.start_ps ? first_ps : reader.work.start_ps;
        end_ps = end_ps > reader.work.end_ps ? end_ps : reader.work.end_ps;
    }
    work_end(&reader);
    return end_ps > first_ps ? end_ps - first_ps : 0;
}

/* Adds the devices of R; SEL has all events. */
static void add_spans(struct device_spans *s, const struct selection *sel, const struct recorder *r)
{
    for (uint32_t i = 0; r->has_event_host && i < sel->s->devices.n; i++) {
        const struct profile_device *d = &sel->s->devices.data[i];
        const int64_t span_ps =
            sel->devices[i] && d->is_accelerator && d->host == r->event_host ? span_of(sel, i) : 0;

        if (!span_ps)
            continue;
        vec_push(&s->devices, d->name);
        s->span_ns = clamp_add(s->span_ns, span_ps / PS_PER_NS);
    }
}

COMPARE_VALUES(by_strid, strid)

static int64_t n_distinct(struct device_spans *s)
{
    int64_t n = 0;

    vec_sort(&s->devices, by_strid);
    for (size_t i = 0; i < s->devices.n; i++)
        n += !i || s->devices.data[i] != s->devices.data[i - 1];
    return n;
}

/* Number of devices times step length for the rank whose first trace is FIRST; SEL has all events. */
static int64_t rank_window_ns(const struct selection *sel, uint32_t first, int64_t step)
{
    const struct profile *p = sel->p;
    struct device_spans spans = {.span_ns = 0};
    step_lengths steps = {0};
    int64_t window_ns;

    for (uint32_t i = first; i < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->rank_index != first)
            continue;
        add_spans(&spans, sel, r);
        for (uint32_t k = 0; k < r->n_steps; k++)
            vec_push(&steps, ((struct step_length){
                                 r->steps[k].step,
                                 clamp_sub(r->steps[k].end_ns, r->steps[k].start_ns)}));
    }
    if (step == STEP_ALL || step == STEP_OUTSIDE || !steps.n)
        window_ns = spans.span_ns;
    else
        window_ns = clamp_mul(n_distinct(&spans), length_of(&steps, step));
    EACH(vec_done, &spans.devices, &steps);
    return window_ns;
}

static int64_t trace_window_ps(const struct profile *p, int64_t step, int64_t rank)
{
    const struct cancel_mark never = {NULL, 0};
    int64_t sum_ns = 0, n_ranks = 0;
    struct selection sel;

    selection_open_all(&sel, p, never);
    if (!selection_next(&sel))
        return 0;
    for (uint32_t i = 0; i < p->n_recorders; i++) {
        int64_t window_ns;

        if (p->recorders[i].rank_index != i || (rank >= 0 && p->recorders[i].rank != rank))
            continue;
        window_ns = rank_window_ns(&sel, i, step);
        n_ranks += window_ns > 0;
        sum_ns = clamp_add(sum_ns, window_ns);
    }
    selection_done(&sel);
    if (rank == RANK_AVERAGE && n_ranks > 1)
        sum_ns /= n_ranks;
    return clamp_mul(sum_ns, PS_PER_NS);
}

/* ---- captures */

/* A mark, or the span of a device with work, of a host. */
struct host_time {
    strid host;
    struct step_length length; /* step and length; a device's span */
};

COMPARE_BY(by_host, struct host_time, host)

typedef VEC(struct host_time) host_times;

/* Appends the lengths of the marks of HOST from *AT on. */
static void append_lengths(const host_times *marks, size_t *at, strid host, step_lengths *steps)
{
    while (*at < marks->n && marks->data[*at].host < host)
        (*at)++;
    for (; *at < marks->n && marks->data[*at].host == host; (*at)++)
        vec_push(steps, marks->data[*at].length);
}

/* Sums over hosts. DEVICES and MARKS are sorted by host. */
static int64_t sum_hosts(const host_times *devices, const host_times *marks, int64_t step)
{
    const bool is_all = step == STEP_ALL || step == STEP_OUTSIDE;
    int64_t window_ps = 0;
    size_t mark = 0;

    for (size_t i = 0, to; i < devices->n; i = to) {
        const strid host = devices->data[i].host;
        step_lengths steps = {0};
        int64_t span_ps = 0;

        for (to = i; to < devices->n && devices->data[to].host == host; to++)
            span_ps = clamp_add(span_ps, devices->data[to].length.len);
        append_lengths(marks, &mark, host, &steps);
        window_ps = clamp_add(window_ps, is_all || !steps.n
                                             ? span_ps
                                             : clamp_mul((int64_t)(to - i), length_of(&steps, step)));
        vec_done(&steps);
    }
    return window_ps;
}

static int64_t programs_window_ps(const struct profile *p, int64_t step, const uint8_t *counted)
{
    const struct programs *c = p->programs;
    const struct event_store *s = p->events;
    host_times devices = {0}, marks = {0};
    int64_t window_ps;

    array_each(const struct program_device, d, c->devices, c->n_devices) {
        if (d->is_accelerator && d->self_ps > 0 && (!counted || counted[d->name]))
            vec_push(&devices, ((struct host_time){d->host, {0, d->span_ps}}));
    }
    for (size_t i = 0; s && i < s->marks.n; i++) {
        const struct profile_mark *m = &s->marks.data[i];

        vec_push(&marks, ((struct host_time){s->hosts.data[m->host].name,
                                             {s->steps.data[m->step].number,
                                              clamp_sub(m->end_ps, m->start_ps)}}));
    }
    vec_sort(&devices, by_host);
    vec_sort(&marks, by_host);
    window_ps = sum_hosts(&devices, &marks, step);
    EACH(vec_done, &devices, &marks);
    return window_ps;
}

/* ---- both */

__extension__ typedef unsigned __int128 wide;

/* Returns the number of devices with work times the length of STEP (as in struct figures), in
 * picoseconds; for STEP_AVERAGE the mean length of the steps. For STEP_ALL, STEP_OUTSIDE, and
 * without step marks: the sum of the devices' spans from first start to last end. RANK as in struct
 * figures; RANK_AVERAGE: mean over ranks. COUNTED as figures.counted_devices. 0: no device had
 * work. */
static int64_t step_window_ps(const struct profile *p, int64_t step, int64_t rank, const uint8_t *counted)
{
    return clamp_add(trace_window_ps(p, step, rank),
                     p->programs ? programs_window_ps(p, step, counted) : 0);
}

int64_t step_window_percent(int64_t a_ps, int64_t window_ps)
{
    const uint64_t a = (uint64_t)a_ps, b = (uint64_t)window_ps;

    wide share;

    if (window_ps <= 0 || a_ps <= 0)
        return 0;
    share = (20000 * (wide)a + b) / (2 * (wide)b);
    return clamp_mul(share < INT64_MAX ? (int64_t)share : INT64_MAX, MILLION / 100);
}

/* ---- what shares of rows are shares of */

static int64_t window_of(const struct query_run *run, int set, const struct profile *p)
{
    const struct node_figures *f = &run->nodes[set];

    return step_window_ps(p, f->step, f->rank, COLUMN(f->counted_devices, const uint8_t));
}

void figures_step_windows(const struct query_run *run, int64_t window_ps[2])
{
    window_ps[0] = window_of(run, run->comparison ? FIGURES_OF_NOW : FIGURES_OF_ROWS, run_now(run));
    window_ps[1] = run_compares(run) ? window_of(run, FIGURES_OF_BASE, run_base(run)) : 0;
}

struct roofs figures_roofs(const struct query_run *run)
{
    struct node_figures *rows = &run->nodes[FIGURES_OF_ROWS];
    struct column *const *columns = rows->figures;
    const struct roof_figures f = {COLUMN(columns[METRIC_FLOAT_OPS], const int64_t),
                                   COLUMN(columns[METRIC_BYTES_ACCESSED], const int64_t),
                                   COLUMN(columns[METRIC_MICROS], const int64_t)};

    if (!f.float_ops || !f.bytes_accessed || !f.micros_ps)
        return (struct roofs){0};
    if (!rows->has_best_roofs)
        rows->best_roofs = roofs_measure(run->profile, &f);
    rows->has_best_roofs = true;
    return roofs_choose(run->profile, run->options, rows->best_roofs);
}
