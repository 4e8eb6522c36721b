/* lanes_collect.c: the spans of lanes, from executions of runs and from slices of files. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "load/slices/nesting.h"
#include "view/pictures/file_lanes.h"
#include "view/pictures/lane_place.h"
#include "view/pictures/lanes_priv.h"
#include "view/pictures/device_spans.h"

/* Instants beyond are hostile: so far apart that differences are no numbers any more. */
#define FARTHEST_TICKS (INT64_C(1) << 61)

static int64_t near(int64_t ticks)
{
    return ticks < -FARTHEST_TICKS ? -FARTHEST_TICKS : ticks > FARTHEST_TICKS ? FARTHEST_TICKS : ticks;
}

static void meet_ends(struct lanes *l, int64_t start, int64_t end)
{
    if (start < l->begin_ticks)
        l->begin_ticks = start;
    if (end > l->end_ticks)
        l->end_ticks = end;
}

static void add_span(struct lanes *l, int64_t start, int64_t end, node_id node)
{
    struct span_lane *lane = &l->lanes.data[l->lanes.n - 1];

    vec_push(&l->spans, ((struct lane_span){start, end, node, 0}));
    lane->n++;
    lane->busy_ticks += end - start; /* spans do not overlap: no more than the time there is */
    meet_ends(l, start, end);
}

/* ---- runs */

typedef VEC(uint32_t) run_counts;

struct run_device {
    strid device;
    device_spans spans;
};

struct run_devices {
    VEC(struct run_device) list; /* as first met */
    uint32_t *place;             /* by strid: in the list + 1 */
};

static void add_time(struct run_devices *d, node_id node, const struct exec_time *t)
{
    const struct device_span span = {near(t->start_ticks), near(clamp_add(t->start_ticks, t->dur_ticks)),
                                  node, 0};

    if (span.end_ticks <= span.start_ticks)
        return;
    if (!d->place[t->device]) {
        vec_push(&d->list, ((struct run_device){.device = t->device}));
        d->place[t->device] = (uint32_t)d->list.n;
    }
    vec_push(&d->list.data[d->place[t->device] - 1].spans, span);
}

/* What NODE did in the step.  Nearly all have one time there. */
static void add_node(struct run_devices *d, const struct lanes *l, node_id node,
                     struct exec_lists *scratch)
{
    const struct profile *p = l->profile;
    const uint32_t at = p->exec_begin[node], n = p->exec_begin[node + 1] - at;
    struct exec_time time;
    struct exec e;

    if (n == 1 && exec_one_time(profile_record(p, p->exec_places[at]), &time)) {
        if (time.start_ticks > 0 && profile_record_step(p, p->exec_places[at]) == l->step)
            add_time(d, node, &time);
        return;
    }
    if (!profile_exec(p, node, l->step, &e) || e.start_ticks <= 0)
        return;
    profile_exec_lists(p, &e, scratch);
    for (size_t i = 0; i < scratch->times.n; i++)
        add_time(d, node, &scratch->times.data[i]);
}

/* Finds the thread of each span; how many spans each has goes to COUNTS. */
static void place_spans(device_spans *spans, run_counts *counts)
{
    struct lane_ends ends = {0};

    for (size_t i = 0; i < spans->n; i++) {
        struct device_span *s = &spans->data[i];

        s->thread = lane_ends_place(&ends, s->start_ticks, s->end_ticks);
        if (s->thread >= counts->n)
            vec_resize_zero(counts, s->thread + 1);
        counts->data[s->thread]++;
    }
    lane_ends_done(&ends);
}

static void add_device(struct lanes *l, struct run_device *d)
{
    const size_t first_lane = l->lanes.n;
    size_t first = l->spans.n;
    run_counts counts = {0};

    device_spans_sort(&d->spans);
    place_spans(&d->spans, &counts);
    for (uint32_t thread = 0; thread < counts.n; thread++) {
        vec_push(&l->lanes, ((struct span_lane){.device = d->device, .rank = -1, .thread = thread,
                                                .first = (uint32_t)first}));
        first += counts.data[thread];
    }
    vec_reserve(&l->spans, first);
    l->spans.n = first;
    for (size_t i = 0; i < d->spans.n; i++) {
        const struct device_span *s = &d->spans.data[i];
        struct span_lane *lane = &l->lanes.data[first_lane + s->thread];

        l->spans.data[lane->first + lane->n++] =
            (struct lane_span){s->start_ticks, s->end_ticks, s->node, 0};
        lane->busy_ticks += s->end_ticks - s->start_ticks;
        meet_ends(l, s->start_ticks, s->end_ticks);
    }
    vec_done(&counts);
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
    struct exec_lists scratch = {0};

    for (node_id node = 0; node < p->n_nodes && !cancel_asked(cancel); node++)
        if (p->device[node] != STRID_EMPTY)
            add_node(&d, l, node, &scratch);
    exec_lists_done(&scratch);
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
