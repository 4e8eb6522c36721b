/* timeline_tracks.c: the graph view of profiles with events: slices on their threads and
 * streams. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "export/timeline/timeline.h"
#include "model/events.h"
#include "model/memory_log.h"
#include "base/track_ends.h"
#include "view/origins.h"
#include "view/pictures/shown_tracks.h"

/* ---- memory in use of allocators, as counters */

/* Names a process for each allocator that uses the clock of executions, from FIRST_PID on. */
static void allocators_announce(const struct profile *p, int64_t first_pid, struct trace_events *t)
{
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++) {
        const struct memory_allocator *a = &p->memory->allocators.data[i];
        struct strbuf name = {0};

        if (!a->has_run_ticks)
            continue;
        sb_add(&name, intern_text(&p->strings, a->device), intern_len(&p->strings, a->device));
        sb_addc(&name, '/');
        sb_add(&name, intern_text(&p->strings, a->name), intern_len(&p->strings, a->name));
        trace_process(t, first_pid + (int64_t)i, "mem usage on:", sb_text(&name), name.len, "");
        sb_done(&name);
    }
}

/* Offset in ticks from the clock of HOST, "/host:h", to the common clock. */
static int64_t align_host(const struct profile *p, const struct origins *origins, strid host)
{
    const struct text text = intern_string(&p->strings, host);

    for (size_t i = 0; i < p->events->devices.n; i++) {
        const struct text device = intern_string(&p->strings, p->events->devices.data[i].name);

        if (device.len > text.len && device.bytes[text.len] == '/' &&
            memcmp(device.bytes, text.bytes, text.len) == 0)
            return origins_align(origins, p->events->devices.data[i].name);
    }
    return 0;
}

/* Writes the bytes in use of A between two instants of the common clock. */
static void write_points(const struct memory_allocator *a, int64_t align_ticks, int64_t pid,
                         int64_t from_ticks, int64_t to_ticks, struct trace_events *t)
{
    const int64_t zero = clamp_add(a->run_ticks, align_ticks);
    const int64_t from = clamp_sub(from_ticks, zero), to = clamp_sub(to_ticks, zero);
    uint32_t k = 0;

    while (k < a->n_events && a->ticks[k] <= from)
        k++;
    if (k)
        trace_bytes_in_use(t, pid, from_ticks, a->points.data[k - 1].in_use_bytes);
    for (; k < a->n_events && a->ticks[k] <= to; k++)
        if (k + 1 == a->n_events || a->ticks[k + 1] != a->ticks[k])
            trace_bytes_in_use(t, pid, clamp_add(a->ticks[k], zero), a->points.data[k].in_use_bytes);
}

/* Writes bytes in use at FROM_TICKS and all changes up to TO_TICKS, on the common clock of
 * ORIGINS. */
static void allocators_write(const struct profile *p, const struct origins *origins, int64_t first_pid,
                             int64_t from_ticks, int64_t to_ticks, struct trace_events *t)
{
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++) {
        const struct memory_allocator *a = &p->memory->allocators.data[i];

        if (a->has_run_ticks) /* each event of these has a point */
            write_points(a, align_host(p, origins, a->device), first_pid + (int64_t)i, from_ticks,
                         to_ticks, t);
    }
}

/* A track to write; tracks of one rank and device form a process. */
struct written_track {
    struct shown_track of;
    uint32_t pid;
    uint32_t first_thread; /* tid; threads for overlapping events follow */
};

/* An event in its thread. */
struct placed_event {
    struct event event;
    uint32_t thread; /* set by assign_threads() */
};

struct track_timeline {
    struct result *r;
    const struct profile *p;
    int64_t step; /* STEP_ALL: all steps */
    uint8_t *is_shown; /* by node: its row is displayed */
    const struct event_store *s;
    struct origins origins;
    VEC(struct written_track) tracks; /* grouped by process */
    uint32_t n_processes;
    VEC(struct placed_event) events; /* of the current track */
    struct drawn_part part;
    int64_t from_ticks, to_ticks;
    int64_t begin_ticks; /* origin of the written times */
    int64_t range_from_ticks, range_to_ticks; /* -time_range: events within it are written */
};

/* ---- which events */

static void find_shown(struct track_timeline *t)
{
    struct result_walk w;

    t->is_shown = xcalloc((size_t)t->p->n_nodes + 1, sizeof *t->is_shown);
    result_walk_init(&w, t->r, 0);
    while (result_walk_next(&w)) {
        const node_id node = w.row ? tree_node(t->r->tree, w.row) : NODE_NONE;

        if (node != NODE_NONE)
            t->is_shown[node] = 1;
    }
    result_walk_done(&w);
}

/* ---- processes */

/* The node of E if it is displayed, else NODE_NONE. */
static node_id written_node(const struct track_timeline *t, const struct event *e)
{
    const uint32_t id = t->s->kinds[e->kind].id;
    const node_id node = id == NODE_NONE ? NODE_NONE : profile_node_of_part(t->p, id);

    return node != NODE_NONE && t->is_shown[node] ? node : NODE_NONE;
}

/* Converts an instant of a range to ticks, rounded up like the cuts of executions. */
static int64_t range_ticks(int64_t first_ticks, int64_t ps, int64_t tick_ps)
{
    return clamp_add(first_ticks, ps / tick_ps + (ps % tick_ps != 0));
}

static void find_range(struct track_timeline *t, struct time_range range)
{
    const int64_t first = origins_first(&t->origins), tick_ps = t->p->clock.tick_ps;

    t->range_from_ticks = INT64_MIN;
    t->range_to_ticks = INT64_MAX;
    if (time_range_is_all(range) || first == INT64_MAX)
        return;
    t->range_from_ticks = range_ticks(first, range.from_ps, tick_ps);
    if (range.to_ps != TIME_RANGE_OPEN)
        t->range_to_ticks = range_ticks(first, range.to_ps, tick_ps);
}

/* Sets *E to the event of R, clipped to the range; false if it is outside, or in another step. */
static bool clip_event(const struct track_timeline *t, const struct shown_track *track,
                       const struct event_reader *r, struct event *e)
{
    const int64_t tick_ps = t->p->clock.tick_ps;
    const int64_t start = shown_ticks(track, r->start_ticks);
    const int64_t end = shown_ticks(track, r->start_ticks + r->dur_ticks);
    const int64_t from = start < t->range_from_ticks ? t->range_from_ticks : start;
    const int64_t to = end > t->range_to_ticks ? t->range_to_ticks : end;

    *e = r->event;
    if (!step_is_shown(t->s, e->step, t->step))
        return false;
    if (from == start && to == end)
        return true;
    e->start_ps = (r->start_ticks + (from - start)) * tick_ps;
    e->dur_ps = (to - from) * tick_ps;
    KEEP_MIN(e->self_ps, e->dur_ps);
    return from < to;
}

/* Counts the events of TRACK; false when none is displayed. */
static bool count_events(struct track_timeline *t, const struct shown_track *track)
{
    struct event_reader r = event_reader_of(t->s, track->id);
    const uint64_t n_before = t->part.n_drawn;

    while (event_next(&r)) {
        int64_t start, end;
        struct event e;

        if (!clip_event(t, track, &r, &e))
            continue;
        t->part.n_all++;
        t->part.all_ps = clamp_add(t->part.all_ps, e.self_ps);
        if (written_node(t, &e) == NODE_NONE)
            continue;
        t->part.n_drawn++;
        t->part.drawn_ps = clamp_add(t->part.drawn_ps, e.self_ps);
        start = shown_ticks(track, e.start_ps / t->p->clock.tick_ps);
        end = shown_ticks(track, event_end_ps(&e) / t->p->clock.tick_ps);
        KEEP_MIN(t->from_ticks, start);
        KEEP_MAX(t->to_ticks, end);
    }
    return t->part.n_drawn > n_before;
}

/* Makes times since 1970 relative to the first event. Viewers read times as doubles, which cannot
 * hold nanoseconds since 1970. */
static void begin_clock(struct track_timeline *t)
{
    static const int64_t exact_ns = INT64_C(1) << 53;

    if (t->tracks.n && quotient(t->from_ticks, PS_PER_NS / t->p->clock.tick_ps) > exact_ns / 8)
        t->begin_ticks = t->from_ticks;
}

static void find_tracks(struct track_timeline *t, const shown_tracks *shown)
{
    for (size_t i = 0; i < shown->n; i++)
        if (count_events(t, &shown->data[i]))
            vec_push(&t->tracks, ((struct written_track){.of = shown->data[i]}));
    begin_clock(t);
    for (size_t i = 0; i < t->tracks.n; i++) {
        if (!i || shown_tracks_compare(t->p, &t->tracks.data[i - 1].of, &t->tracks.data[i].of))
            t->n_processes++;
        t->tracks.data[i].pid = t->n_processes - 1;
    }
}

/* ---- threads */

/* Assigns each of the N events of a track, sorted by start, then longest first, to a thread. Thread
 * 0 holds events that are nested or disjoint. An event that partially overlaps another one there,
 * which trace viewers drop, gets a further thread. Returns the number of threads. */
static uint32_t assign_threads(struct placed_event *events, size_t n)
{
    VEC(int64_t) open = {0}; /* ends of open events in thread 0, each within the one before */
    struct track_ends others = {0};
    uint32_t n_threads = 1;

    for (size_t i = 0; i < n; i++) {
        struct placed_event *at = &events[i];
        const int64_t start = at->event.start_ps, end = event_end_ps(&at->event);

        while (open.n && open.data[open.n - 1] <= start)
            open.n--;
        if (!open.n || end <= open.data[open.n - 1]) {
            vec_push(&open, end);
            continue;
        }
        at->thread = 1 + track_ends_assign(&others, start, end);
        if (at->thread >= n_threads)
            n_threads = at->thread + 1;
    }
    track_ends_done(&others);
    vec_done(&open);
    return n_threads;
}

/* Fills t->events with the displayed events of TRACK; returns the number of their threads. */
static uint32_t lay_out(struct track_timeline *t, const struct written_track *track)
{
    struct event_reader r = event_reader_of(t->s, track->of.id);

    t->events.n = 0;
    while (event_next(&r)) {
        struct placed_event placed = {.thread = 0};

        if (clip_event(t, &track->of, &r, &placed.event) &&
            written_node(t, &placed.event) != NODE_NONE)
            vec_push(&t->events, placed);
    }
    return assign_threads(t->events.data, t->events.n);
}

/* ---- writing */

static void announce_process(struct trace_events *events, const struct track_timeline *t,
                             const struct written_track *track)
{
    const strid device = track->of.device->name;
    struct strbuf name = {0};

    if (track->of.rank >= 0)
        sb_addf(&name, "/rank:%" PRId64, track->of.rank);
    sb_add(&name, profile_text(t->p, device), intern_len(&t->p->strings, device));
    trace_process(events, track->pid,
                  track->of.device->is_accelerator ? "Op execution threads: "
                                                   : "Op scheduling threads: ",
                  sb_text(&name), name.len, "");
    sb_done(&name);
}

/* Writes the names of all processes and threads before the first slice. */
static void announce(struct trace_events *events, struct track_timeline *t)
{
    uint32_t next_thread = 0;

    for (size_t i = 0; i < t->tracks.n; i++) {
        struct written_track *track = &t->tracks.data[i];
        const uint32_t n_threads = lay_out(t, track);
        const strid name = track->of.track->name;

        if (!i || track->pid != t->tracks.data[i - 1].pid) {
            announce_process(events, t, track);
            next_thread = 0;
        }
        track->first_thread = next_thread;
        for (uint32_t k = 0; k < n_threads && name; k++)
            trace_thread(events, track->pid, next_thread + k,
                         track->of.track->name_is_number ? "stream " : "",
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

static void write_event(struct trace_events *events, struct track_timeline *t,
                        const struct written_track *track, const struct placed_event *at)
{
    const struct profile *p = t->p;
    const struct event *e = &at->event;
    const node_id node = written_node(t, e);
    const strid name = t->s->kinds[e->kind].name;
    const int64_t tick_ps = p->clock.tick_ps;
    const struct timeline_slice slice = {
        .label = name ? intern_string(&p->strings, name) : last_part(p, node),
        .node = intern_string(&p->strings, p->name[node]),
        .op = intern_string(&p->strings, p->op[node]),
        .pid = track->pid,
        .tid = track->first_thread + at->thread,
        .start_ticks = clamp_sub(shown_ticks(&track->of, e->start_ps / tick_ps), t->begin_ticks),
        .dur_ticks = e->dur_ps / tick_ps,
        .self_ticks = e->self_ps / tick_ps,
    };

    trace_slice(events, &slice);
}

static void write_tracks(struct trace_events *events, struct track_timeline *t)
{
    for (size_t i = 0; i < t->tracks.n; i++) {
        lay_out(t, &t->tracks.data[i]);
        for (size_t k = 0; k < t->events.n; k++)
            write_event(events, t, &t->tracks.data[i], &t->events.data[k]);
    }
}

static void timeline_done(struct track_timeline *t)
{
    origins_done(&t->origins);
    EACH(vec_done, &t->tracks, &t->events);
    free(t->is_shown);
}

bool timeline_tracks(struct result *r, struct sink *sink, struct err *err)
{
    struct track_timeline t = {.r = r, .p = r->profile, .s = r->profile->events, .step = r->options.step,
                               .from_ticks = INT64_MAX};
    struct trace_events events;
    shown_tracks shown = {0};

    origins_find(&t.origins, t.p, t.step, NULL, (struct cancel_mark){0});
    find_range(&t, r->options.time_range);
    if (!shown_tracks_add(&shown, t.p, t.s, &t.origins, &r->options, err)) {
        origins_done(&t.origins);
        return false;
    }
    trace_events_init(&events, r->profile->clock.tick_ps, sink, err);
    find_shown(&t);
    find_tracks(&t, &shown);
    vec_done(&shown);
    timeline_note_hidden(r, "slices", &t.part);
    announce(&events, &t);
    allocators_announce(t.p, t.n_processes, &events);
    write_tracks(&events, &t);
    allocators_write(t.p, &t.origins, t.n_processes, t.from_ticks, t.to_ticks, &events);
    timeline_done(&t);
    return trace_events_end(&events);
}
