/* lanes_collect.c: the spans of lanes, from executions of runs and from slices of files. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "load/slices/nesting.h"
#include "view/pictures/file_lanes.h"
#include "view/pictures/lane_place.h"
#include "view/pictures/lanes_priv.h"

/* Instants beyond are hostile: so far apart that differences are no numbers any more. */
#define FARTHEST_TICKS (INT64_C(1) << 61)

static int64_t near(int64_t ticks)
{
    return ticks < -FARTHEST_TICKS ? -FARTHEST_TICKS : ticks > FARTHEST_TICKS ? FARTHEST_TICKS : ticks;
}

static void add_span(struct lanes *l, int64_t start, int64_t end, node_id node)
{
    struct span_lane *lane = &l->lanes.data[l->lanes.n - 1];

    vec_push(&l->spans, ((struct lane_span){start, end, node, 0}));
    lane->n++;
    lane->busy_ticks += end - start; /* spans do not overlap: no more than the time there is */
    if (start < l->begin_ticks)
        l->begin_ticks = start;
    if (end > l->end_ticks)
        l->end_ticks = end;
}

/* ---- runs */

struct run_span {
    int64_t start_ticks, end_ticks;
    node_id node;
    uint32_t thread;
};
typedef VEC(struct run_span) run_spans;

struct run_device {
    strid device;
    run_spans spans;
};

struct run_devices {
    VEC(struct run_device) list; /* as first met */
    uint32_t *place;             /* by strid: in the list + 1 */
};

static void add_times(struct run_devices *d, node_id node, const struct exec_lists *lists)
{
    for (size_t i = 0; i < lists->times.n; i++) {
        const struct exec_time *t = &lists->times.data[i];
        const struct run_span span = {near(t->start_ticks),
                                      near(clamp_add(t->start_ticks, t->dur_ticks)), node, 0};

        if (span.end_ticks <= span.start_ticks)
            continue;
        if (!d->place[t->device]) {
            vec_push(&d->list, ((struct run_device){.device = t->device}));
            d->place[t->device] = (uint32_t)d->list.n;
        }
        vec_push(&d->list.data[d->place[t->device] - 1].spans, span);
    }
}

static int by_start(const void *a, const void *b)
{
    const struct run_span *x = a, *y = b;

    if (x->start_ticks != y->start_ticks)
        return x->start_ticks < y->start_ticks ? -1 : 1;
    if (x->end_ticks != y->end_ticks)
        return x->end_ticks > y->end_ticks ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_thread(const void *a, const void *b)
{
    const struct run_span *x = a, *y = b;

    return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : by_start(a, b);
}

static void add_device(struct lanes *l, struct run_device *d)
{
    struct lane_ends ends = {0};

    vec_sort(&d->spans, by_start);
    for (size_t i = 0; i < d->spans.n; i++) {
        struct run_span *s = &d->spans.data[i];

        s->thread = lane_ends_place(&ends, s->start_ticks, s->end_ticks);
    }
    lane_ends_done(&ends);
    vec_sort(&d->spans, by_thread);
    for (size_t i = 0; i < d->spans.n; i++) {
        const struct run_span *s = &d->spans.data[i];

        if (!i || s->thread != s[-1].thread)
            vec_push(&l->lanes, ((struct span_lane){.device = d->device, .rank = -1,
                                               .thread = s->thread,
                                               .first = (uint32_t)l->spans.n}));
        add_span(l, s->start_ticks, s->end_ticks, s->node);
    }
}

static int by_device_name(const void *a, const void *b, void *profile)
{
    const struct run_device *x = a, *y = b;
    const struct profile *p = profile;

    return intern_compare(&p->strings, x->device, y->device);
}

/* What takes part is what the timeline of a step draws: what started, on a device. */
static bool collect_run(struct lanes *l, struct cancel_mark cancel)
{
    const struct profile *p = l->profile;
    struct run_devices d = {.place = xcalloc(p->strings.n, sizeof *d.place)};
    struct exec_lists lists = {0};
    struct exec e;

    for (node_id node = 0; node < p->n_nodes && !cancel_asked(cancel); node++)
        if (profile_exec(p, node, l->step, &e) && e.start_ticks > 0 &&
            p->device[node] != STRID_EMPTY) {
            profile_exec_lists(p, &e, &lists);
            add_times(&d, node, &lists);
        }
    exec_lists_done(&lists);
    vec_sort_arg(&d.list, by_device_name, (void *)(uintptr_t)p);
    for (size_t i = 0; i < d.list.n; i++) {
        if (!cancel_asked(cancel))
            add_device(l, &d.list.data[i]);
        vec_done(&d.list.data[i].spans);
    }
    vec_done(&d.list);
    free(d.place);
    return !cancel_asked(cancel);
}

/* ---- captures and traces */

struct file_spans {
    struct lanes *l;
    VEC(node_id) nodes; /* by id of a slice */
};

static void slice_begins(void *context, const struct nested_slice *slice, uint32_t parent,
                         uint32_t frame, bool partly)
{
    (void)context, (void)slice, (void)parent, (void)frame, (void)partly;
}

static void span_found(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    const struct file_spans *s = context;

    (void)frame;
    if (timed != SLICE_NONE)
        add_span(s->l, from, to, s->nodes.data[timed]);
}

static void add_file_lane(struct lanes *l, const struct file_lane *f)
{
    static const struct nesting_calls calls = {.begin = slice_begins, .span = span_found};
    struct file_spans s = {.l = l};
    VEC(struct nested_slice) slices = {0};
    struct lane_walk walk = lane_slices(f->lane);

    while (lane_next(&walk)) {
        const struct nested_slice slice = {
            .start = near(clamp_add(walk.slice.start_ticks, f->shift_ticks)),
            .end = near(clamp_add(lane_slice_end(&walk.slice), f->shift_ticks)),
            .id = (uint32_t)s.nodes.n,
            .layers = LAYER_TIMED,
        };

        if (slice.end <= slice.start ||
            !file_lane_has_step(l->profile, walk.slice.step, l->step))
            continue;
        vec_push(&slices, slice);
        vec_push(&s.nodes, walk.slice.node);
    }
    if (slices.n) {
        vec_push(&l->lanes, ((struct span_lane){.device = f->lane->device, .name = f->lane->name,
                                           .rank = f->rank, .is_stream = f->is_stream,
                                           .first = (uint32_t)l->spans.n}));
        nesting_sort(slices.data, slices.n);
        nesting_sweep(slices.data, slices.n, &calls, &s);
    }
    vec_done(&slices);
    vec_done(&s.nodes);
}

static bool collect_files(struct lanes *l, const struct options *options, struct cancel_mark cancel)
{
    struct file_lanes files = {0};
    struct err err = {0};

    /* A list of devices that is no regex is said where rows are made. */
    if (file_lanes_make(&files, l->profile, options, &err))
        for (size_t i = 0; i < files.lanes.n && !cancel_asked(cancel); i++)
            add_file_lane(l, &files.lanes.data[i]);
    err_done(&err);
    file_lanes_done(&files);
    return !cancel_asked(cancel);
}

bool lanes_collect(struct lanes *l, const struct options *options, struct cancel_mark cancel)
{
    bool done;

    l->begin_ticks = INT64_MAX;
    l->end_ticks = INT64_MIN;
    done = l->profile->capture || l->profile->n_recordings ? collect_files(l, options, cancel)
                                                           : collect_run(l, cancel);
    if (!l->spans.n)
        l->begin_ticks = l->end_ticks = 0;
    return done;
}
