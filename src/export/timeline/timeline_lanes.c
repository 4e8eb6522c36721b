/* timeline_lanes.c: the graph view of captures and traces: threads and streams as their files have
 * them, slices whole. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/regexes.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/timeline/timeline.h"
#include "export/timeline/timeline_allocators.h"
#include "model/capture.h"
#include "model/format.h"
#include "view/pictures/lane_place.h"

/* A lane that is shown; those of one rank and device are a process. */
struct shown_lane {
    const struct profile_lane *lane;
    int64_t rank;          /* -1: not said */
    int64_t shift_ticks;   /* to the common clock of all ranks */
    uint32_t order, pid;
    uint32_t first_thread; /* tid; those of what overlaps follow */
    bool is_stream;        /* its name is the stream's number */
};

struct lane_timeline {
    struct result *r;
    const struct profile *p;
    int64_t step; /* STEP_ALL: of all */
    struct regexes *devices; /* of a capture: those that are shown; NULL: all */
    uint8_t *is_shown; /* by node: its row is displayed */
    bool has_ranks;
    int64_t first_base_ns; /* where the first rank begins; 0: not all say so */
    VEC(struct profile_lane) streams; /* of accelerators, of traces */
    VEC(struct shown_lane) lanes;     /* by process */
    uint32_t n_processes;
    VEC(struct placed_slice) slices; /* of the lane in work */
    uint64_t n_drawn, n_all;
    int64_t drawn_ps, all_ps, from_ticks, to_ticks;
};

/* ---- which slices */

static void find_shown(struct lane_timeline *t)
{
    struct result_walk w;

    t->is_shown = xcalloc((size_t)t->p->n_nodes + 1, sizeof *t->is_shown);
    result_walk_init(&w, t->r, 0);
    while (result_walk_next(&w)) {
        const struct tree *tree = t->r->tree;

        if (w.row != 0 && tree->member_begin[w.row] < tree->member_begin[w.row + 1])
            t->is_shown[profile_whole(t->p, tree->members[tree->member_begin[w.row]])] = 1;
    }
    result_walk_done(&w);
}

static bool is_of_step(const struct lane_timeline *t, int64_t step)
{
    return t->step == STEP_ALL ||
           (t->p->n_recordings ? step_of_ranked(step) : step) == t->step;
}

/* ---- streams of accelerators, of traces */

struct stream_key {
    uint32_t recording, device;
    strid stream, unused;
};

static strid stream_lane(struct lane_timeline *t, struct intern *keys, uint32_t recording,
                         const struct device_work *work)
{
    const struct stream_key key = {recording, work->device, work->stream, 0};
    const strid id = intern_put(keys, &key, sizeof key) - 1;
    const struct profile_lane fresh = {
        .device = t->p->recordings[recording].devices[work->device],
        .name = work->stream,
        .is_accelerator = true,
        .recording = recording,
    };

    if (id == t->streams.n)
        vec_push(&t->streams, fresh);
    return id;
}

static void make_streams(struct lane_timeline *t)
{
    struct intern keys;

    intern_init(&keys);
    for (uint32_t i = 0; i < t->p->n_recordings; i++) {
        const struct recording *r = &t->p->recordings[i];

        for (uint32_t k = 0; k < r->n_works; k++) {
            const struct device_work *work = &r->works[k];
            const struct lane_slice slice = {
                .start_ticks = work->start_ns,
                .dur_ticks = work->dur_ns,
                .self_ticks = work->dur_ns,
                .step = ranked_step(r->rank_index, work->step),
                .node = work->node,
                .name = work->name,
            };

            const strid lane = stream_lane(t, &keys, i, work);

            lane_add(&t->streams.data[lane], &slice);
        }
    }
    intern_done(&keys);
}

/* ---- processes */

static void find_ranks(struct lane_timeline *t)
{
    bool all_have_bases = t->p->n_recordings > 0;
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < t->p->n_recordings; i++) {
        const struct recording *r = &t->p->recordings[i];

        t->has_ranks |= r->rank_index != t->p->recordings[0].rank_index;
        all_have_bases &= r->base_ns != 0;
        if (r->base_ns < first)
            first = r->base_ns;
    }
    t->first_base_ns = all_have_bases ? first : 0;
}

/* Counts the slices of LANE; false when none is drawn. */
static bool count_slices(struct lane_timeline *t, const struct profile_lane *lane)
{
    struct lane_walk walk = lane_slices(lane);
    const uint64_t n_before = t->n_drawn;

    while (lane_next(&walk)) {
        const int64_t self_ps = clamp_mul(walk.slice.self_ticks, t->p->clock.tick_ps);

        if (!is_of_step(t, walk.slice.step))
            continue;
        t->n_all++;
        t->all_ps = clamp_add(t->all_ps, self_ps);
        if (!t->is_shown[walk.slice.node])
            continue;
        t->n_drawn++;
        t->drawn_ps = clamp_add(t->drawn_ps, self_ps);
        if (walk.slice.start_ticks < t->from_ticks)
            t->from_ticks = walk.slice.start_ticks;
        if (lane_slice_end(&walk.slice) > t->to_ticks)
            t->to_ticks = lane_slice_end(&walk.slice);
    }
    return t->n_drawn > n_before;
}

static void show_lane(struct lane_timeline *t, const struct profile_lane *lane, bool is_stream)
{
    struct shown_lane shown = {.lane = lane,
                               .rank = -1,
                               .order = (uint32_t)t->lanes.n,
                               .is_stream = is_stream};

    if (t->devices && regexes_match(t->devices, profile_text(t->p, lane->device),
                                    intern_len(&t->p->strings, lane->device)) < 0)
        return;
    if (t->p->n_recordings) {
        const struct recording *r = &t->p->recordings[lane->recording];

        if (t->r->options.rank >= 0 && r->rank != t->r->options.rank)
            return;
        if (t->has_ranks)
            shown.rank = r->rank;
        if (t->first_base_ns)
            shown.shift_ticks = clamp_sub(r->base_ns, t->first_base_ns);
    }
    if (count_slices(t, lane))
        vec_push(&t->lanes, shown);
}

static int by_rank_and_device(const struct lane_timeline *t, const struct shown_lane *a,
                              const struct shown_lane *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return intern_compare(&t->p->strings, a->lane->device, b->lane->device);
}

static int by_process(const void *x, const void *y, void *timeline)
{
    const struct shown_lane *a = x, *b = y;
    const int order = by_rank_and_device(timeline, a, b);

    return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

/* Instants that count from 1970 count from the first slice: viewers take them for doubles, which
 * have no room for their nanoseconds. */
static void begin_clock(struct lane_timeline *t)
{
    static const int64_t exact_ns = INT64_C(1) << 53;

    for (size_t i = 0; i < t->lanes.n && t->p->n_recordings && t->from_ticks > exact_ns / 8; i++)
        t->lanes.data[i].shift_ticks = clamp_sub(t->lanes.data[i].shift_ticks, t->from_ticks);
}

static void find_lanes(struct lane_timeline *t)
{
    make_streams(t);
    find_ranks(t);
    for (uint32_t i = 0; i < t->p->n_lanes; i++)
        show_lane(t, &t->p->lanes[i], false);
    for (size_t i = 0; i < t->streams.n; i++)
        show_lane(t, &t->streams.data[i], true);
    vec_sort_arg(&t->lanes, by_process, t);
    begin_clock(t);
    for (size_t i = 0; i < t->lanes.n; i++) {
        if (!i || by_rank_and_device(t, &t->lanes.data[i - 1], &t->lanes.data[i]))
            t->n_processes++;
        t->lanes.data[i].pid = t->n_processes - 1;
    }
}

/* ---- threads */

/* Fills t->slices with those of LANE that are drawn; returns how many threads they take. */
static uint32_t lay_out(struct lane_timeline *t, const struct shown_lane *lane)
{
    struct lane_walk walk = lane_slices(lane->lane);

    t->slices.n = 0;
    while (lane_next(&walk)) {
        struct placed_slice placed = {.slice = walk.slice, .order = (uint32_t)t->slices.n};

        if (!is_of_step(t, walk.slice.step) || !t->is_shown[walk.slice.node])
            continue;
        placed.slice.start_ticks = clamp_add(placed.slice.start_ticks, lane->shift_ticks);
        vec_push(&t->slices, placed);
    }
    return slices_place(t->slices.data, t->slices.n);
}

/* ---- writing */

static void announce_process(struct trace_events *events, const struct lane_timeline *t,
                             const struct shown_lane *lane)
{
    const strid device = lane->lane->device;
    struct strbuf name = {0};

    if (lane->rank >= 0)
        sb_addf(&name, "/rank:%" PRId64, lane->rank);
    sb_add(&name, profile_text(t->p, device), intern_len(&t->p->strings, device));
    trace_process(events, lane->pid,
                  lane->lane->is_accelerator ? "Op execution threads: "
                                             : "Op scheduling threads: ",
                  sb_text(&name), name.len, "");
    sb_done(&name);
}

/* All names of processes and threads stand before the first slice. */
static void announce(struct trace_events *events, struct lane_timeline *t)
{
    uint32_t next_thread = 0;

    for (size_t i = 0; i < t->lanes.n; i++) {
        struct shown_lane *lane = &t->lanes.data[i];
        const uint32_t n_threads = lay_out(t, lane);
        const strid name = lane->lane->name;

        if (!i || lane->pid != t->lanes.data[i - 1].pid) {
            announce_process(events, t, lane);
            next_thread = 0;
        }
        lane->first_thread = next_thread;
        for (uint32_t k = 0; k < n_threads && name; k++)
            trace_thread(events, lane->pid, next_thread + k, lane->is_stream ? "stream " : "",
                         profile_text(t->p, name), intern_len(&t->p->strings, name),
                         k ? " (overlapping)" : "");
        next_thread += n_threads;
    }
}

static struct text last_part(const struct profile *p, node_id node)
{
    const char *name = profile_text(p, p->name[node]);
    const size_t len = intern_len(&p->strings, p->name[node]);
    const char *slash = memrchr(name, '/', len);

    return slash ? (struct text){slash + 1, (uint32_t)(name + len - slash - 1)}
                 : (struct text){name, (uint32_t)len};
}

static struct text string(const struct profile *p, strid id)
{
    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

static void write_slice(struct trace_events *events, struct lane_timeline *t,
                        const struct shown_lane *lane, const struct placed_slice *at)
{
    const struct profile *p = t->p;
    const struct lane_slice *slice = &at->slice;
    const struct timeline_whole whole = {
        .label = slice->name ? string(p, slice->name) : last_part(p, slice->node),
        .node = string(p, p->name[slice->node]),
        .op = string(p, p->op[slice->node]),
        .pid = lane->pid,
        .tid = lane->first_thread + at->thread,
        .start_ticks = slice->start_ticks,
        .dur_ticks = slice->dur_ticks,
        .self_ticks = slice->self_ticks,
    };

    trace_whole(events, &whole);
}

static void write_lanes(struct trace_events *events, struct lane_timeline *t)
{
    for (size_t i = 0; i < t->lanes.n; i++) {
        lay_out(t, &t->lanes.data[i]);
        for (size_t k = 0; k < t->slices.n; k++)
            write_slice(events, t, &t->lanes.data[i], &t->slices.data[k]);
    }
}

/* Says what ran and is not drawn, as its row is hidden. */
static void note_hidden(const struct lane_timeline *t)
{
    struct strbuf drawn = {0}, all = {0};

    if (t->n_drawn < t->n_all) {
        format_time(&drawn, t->drawn_ps);
        format_time(&all, t->all_ps);
        note_add(&t->r->notes,
                 "timeline: %" PRIu64 " of %" PRIu64 " slices are drawn, %s of %s; the others are in "
                 "hidden rows (-max_depth, filters)",
                 t->n_drawn, t->n_all, sb_text(&drawn), sb_text(&all));
    }
    sb_done(&drawn);
    sb_done(&all);
}

static void timeline_done(struct lane_timeline *t)
{
    for (size_t i = 0; i < t->streams.n; i++)
        lane_done(&t->streams.data[i]);
    vec_done(&t->streams);
    vec_done(&t->lanes);
    vec_done(&t->slices);
    regexes_free(t->devices);
    free(t->is_shown);
}

bool timeline_lanes(struct result *r, int64_t step, struct sink *sink, struct err *err)
{
    struct lane_timeline t = {.r = r, .p = r->profile, .step = step, .from_ticks = INT64_MAX};
    const struct capture *capture = r->profile->capture;
    struct trace_events events;

    if (capture) {
        t.devices = regexes_new(r->options.device_regexes, err);
        if (!t.devices)
            return false;
    }
    trace_events_init(&events, r->profile->clock.tick_ps, sink, err);
    find_shown(&t);
    find_lanes(&t);
    note_hidden(&t);
    announce(&events, &t);
    if (capture)
        allocators_announce(t.p, capture, t.n_processes, &events);
    write_lanes(&events, &t);
    if (capture)
        allocators_write(capture, t.n_processes, t.from_ticks, t.to_ticks, &events);
    timeline_done(&t);
    return trace_events_end(&events);
}
