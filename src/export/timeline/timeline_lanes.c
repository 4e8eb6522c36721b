/* timeline_lanes.c: the graph view of captures and traces: threads and streams as their files have
 * them, slices whole. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/timeline/timeline.h"
#include "export/timeline/timeline_allocators.h"
#include "model/capture.h"
#include "model/format.h"
#include "view/pictures/file_lanes.h"
#include "view/pictures/lane_place.h"

/* A lane that is shown; those of one rank and device are a process. */
struct shown_lane {
    struct file_lane of;
    uint32_t pid;
    uint32_t first_thread; /* tid; those of what overlaps follow */
};

struct lane_timeline {
    struct result *r;
    const struct profile *p;
    int64_t step; /* STEP_ALL: of all */
    uint8_t *is_shown; /* by node: its row is displayed */
    struct file_lanes files;
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

/* ---- processes */

/* Counts the slices of LANE; false when none is drawn. */
static bool count_slices(struct lane_timeline *t, const struct profile_lane *lane)
{
    struct lane_walk walk = lane_slices(lane);
    const uint64_t n_before = t->n_drawn;

    while (lane_next(&walk)) {
        const int64_t self_ps = clamp_mul(walk.slice.self_ticks, t->p->clock.tick_ps);

        if (!file_lane_has_step(t->p, walk.slice.step, t->step))
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

/* Instants that count from 1970 count from the first slice: viewers take them for doubles, which
 * have no room for their nanoseconds. */
static void begin_clock(struct lane_timeline *t)
{
    static const int64_t exact_ns = INT64_C(1) << 53;

    for (size_t i = 0; i < t->lanes.n && t->p->n_recordings && t->from_ticks > exact_ns / 8; i++)
        t->lanes.data[i].of.shift_ticks =
            clamp_sub(t->lanes.data[i].of.shift_ticks, t->from_ticks);
}

static void find_lanes(struct lane_timeline *t)
{
    for (size_t i = 0; i < t->files.lanes.n; i++) {
        const struct shown_lane shown = {.of = t->files.lanes.data[i]};

        if (count_slices(t, shown.of.lane))
            vec_push(&t->lanes, shown);
    }
    begin_clock(t);
    for (size_t i = 0; i < t->lanes.n; i++) {
        if (!i || file_lanes_compare(t->p, &t->lanes.data[i - 1].of, &t->lanes.data[i].of))
            t->n_processes++;
        t->lanes.data[i].pid = t->n_processes - 1;
    }
}

/* ---- threads */

/* Fills t->slices with those of LANE that are drawn; returns how many threads they take. */
static uint32_t lay_out(struct lane_timeline *t, const struct shown_lane *lane)
{
    struct lane_walk walk = lane_slices(lane->of.lane);

    t->slices.n = 0;
    while (lane_next(&walk)) {
        struct placed_slice placed = {.slice = walk.slice, .order = (uint32_t)t->slices.n};

        if (!file_lane_has_step(t->p, walk.slice.step, t->step) || !t->is_shown[walk.slice.node])
            continue;
        placed.slice.start_ticks = clamp_add(placed.slice.start_ticks, lane->of.shift_ticks);
        vec_push(&t->slices, placed);
    }
    return slices_place(t->slices.data, t->slices.n);
}

/* ---- writing */

static void announce_process(struct trace_events *events, const struct lane_timeline *t,
                             const struct shown_lane *lane)
{
    const strid device = lane->of.lane->device;
    struct strbuf name = {0};

    if (lane->of.rank >= 0)
        sb_addf(&name, "/rank:%" PRId64, lane->of.rank);
    sb_add(&name, profile_text(t->p, device), intern_len(&t->p->strings, device));
    trace_process(events, lane->pid,
                  lane->of.lane->is_accelerator ? "Op execution threads: "
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
        const strid name = lane->of.lane->name;

        if (!i || lane->pid != t->lanes.data[i - 1].pid) {
            announce_process(events, t, lane);
            next_thread = 0;
        }
        lane->first_thread = next_thread;
        for (uint32_t k = 0; k < n_threads && name; k++)
            trace_thread(events, lane->pid, next_thread + k, lane->of.is_stream ? "stream " : "",
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
    file_lanes_done(&t->files);
    vec_done(&t->lanes);
    vec_done(&t->slices);
    free(t->is_shown);
}

bool timeline_lanes(struct result *r, int64_t step, struct sink *sink, struct err *err)
{
    struct lane_timeline t = {.r = r, .p = r->profile, .step = step, .from_ticks = INT64_MAX};
    const struct capture *capture = r->profile->capture;
    struct trace_events events;

    if (!file_lanes_make(&t.files, r->profile, &r->options, err)) {
        timeline_done(&t);
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
