/* timeline_graph.c: device tracks and data flows of the graph view. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/timeline/timeline.h"
#include "export/timeline/timeline_memory.h"
#include "base/track_ends.h"
#include "view/cut.h"

/* One execution of a node on a device. */
struct slice {
    int64_t start_ticks, dur_ticks;
    node_id node;
    uint32_t order; /* input order; the first of several slices with equal start is kept */
    uint32_t track;
};

/* A device with executions, which becomes a process of the trace. */
struct process {
    strid device;
    bool accelerator; /* an accelerator stream; else a canonical device */
    VEC(struct slice) slices;
};

/* An arrow from slice A to slice B, each as process and slice index. */
struct flow {
    uint32_t a_process, a_slice, b_process, b_slice;
    uint32_t order;
};

struct graph_timeline {
    struct result *r;
    const struct profile *p;
    int64_t step;
    VEC(struct process) processes; /* by pid */
    uint32_t *process_of;          /* [strings.n] pid + 1 of a device, 0: none */
    VEC(uint32_t) by_device;       /* pids sorted by device name */
    VEC(struct flow) flows;
    struct exec_lists lists; /* scratch */
    VEC(const struct exec_time *) times;
};

static bool exec_in_step(const struct graph_timeline *g, node_id node, struct exec *e)
{
    return profile_exec(g->p, node, g->step, e) && e->start_ticks > 0 &&
           g->p->device[node] != STRID_EMPTY;
}

static struct process *process_get(struct graph_timeline *g, const struct exec_time *time)
{
    uint32_t *slot = &g->process_of[time->device];

    if (!*slot) {
        struct process fresh = {.device = time->device, .accelerator = time->accelerator};

        vec_push(&g->processes, fresh);
        *slot = (uint32_t)g->processes.n;
    }
    return &g->processes.data[*slot - 1];
}

typedef const struct exec_time *recorded_time;

/* Sorts executions by device name; those of one device stay in recorded order. */
COMPARE_WITH(by_device_then_order, recorded_time, struct profile,
             THEN(intern_compare(&with->strings, (*a)->device, (*b)->device)) || THEN(COMPARE(*a, *b)))

/* The *N executions of E grouped by device, valid until the next call. */
static const struct exec_time **times_by_device(struct graph_timeline *g, const struct exec *e,
                                                size_t *n)
{
    profile_exec_lists(g->p, e, &g->lists);
    *n = g->lists.times.n;
    g->times.n = 0;
    for (size_t i = 0; i < *n; i++)
        vec_push(&g->times, &g->lists.times.data[i]);
    vec_sort_arg(&g->times, by_device_then_order, (void *)(uintptr_t)g->p);
    return g->times.data;
}

static void add_node(struct graph_timeline *g, node_id node)
{
    const struct exec_time **times;
    size_t n_times;
    struct exec e;

    if (!exec_in_step(g, node, &e))
        return;
    times = times_by_device(g, &e, &n_times);
    for (size_t i = 0; i < n_times; i++) {
        struct process *process = process_get(g, times[i]);
        struct slice s = {.start_ticks = times[i]->start_ticks, .dur_ticks = times[i]->dur_ticks,
                          .node = node, .order = (uint32_t)process->slices.n};

        vec_push(&process->slices, s);
    }
}

COMPARE_BY_TWO(by_start, struct slice, start_ticks, order)

static int64_t slice_end(const struct slice *s)
{
    bool saturated = false;

    return sat_add(s->start_ticks, s->dur_ticks, &saturated);
}

/* Sorts slices by start, keeps the first of several with equal start, and assigns tracks. */
static void lay_out(struct process *process)
{
    struct track_ends tracks = {0};
    size_t n = 0;

    vec_sort(&process->slices, by_start);
    for (size_t i = 0; i < process->slices.n; i++) {
        struct slice s = process->slices.data[i];

        if (n && process->slices.data[n - 1].start_ticks == s.start_ticks)
            continue;
        s.track = track_ends_assign(&tracks, s.start_ticks, slice_end(&s));
        process->slices.data[n++] = s;
    }
    process->slices.n = n;
    track_ends_done(&tracks);
}

COMPARE_POINTERS(by_track, struct slice, UP(track) || THEN(COMPARE(a, b)))

/* Writes slices sorted by track, then start; the array stays sorted by start for look-ups. */
static void write_slices(const struct graph_timeline *g, struct trace_events *t, uint32_t pid)
{
    const struct process *process = &g->processes.data[pid];
    const struct slice **order = xreallocarray(NULL, process->slices.n, sizeof *order);

    for (size_t i = 0; i < process->slices.n; i++)
        order[i] = &process->slices.data[i];
    qsort(order, process->slices.n, sizeof *order, by_track);
    for (size_t i = 0; i < process->slices.n; i++) {
        const struct text name = intern_string(&g->p->strings, g->p->name[order[i]->node]);
        struct timeline_slice s = {
            .label = name, .node = name, .pid = pid, .tid = order[i]->track,
            .start_ticks = order[i]->start_ticks, .dur_ticks = order[i]->dur_ticks,
            .self_ticks = order[i]->dur_ticks};

        trace_slice(t, &s);
    }
    free(order);
}

/* The slice of PROCESS that starts at START_TICKS, or NULL. */
static const struct slice *find_slice(const struct process *process, int64_t start_ticks)
{
    const struct slice *slices = process->slices.data;
    size_t at = 0;

    LOWER_BOUND(at, process->slices.n, i, slices[i].start_ticks < start_ticks);
    return at < process->slices.n && slices[at].start_ticks == start_ticks ? &slices[at] : NULL;
}

/* Adds flows from executions of SOURCE on other canonical devices to slice B. */
static void link_source(struct graph_timeline *g, node_id source, uint32_t b_process,
                        uint32_t b_slice)
{
    const struct exec_time **times;
    size_t n_times;
    struct exec e;

    if (!exec_in_step(g, source, &e))
        return;
    times = times_by_device(g, &e, &n_times);
    for (size_t i = 0; i < n_times; i++) {
        uint32_t pid = g->process_of[times[i]->device];
        const struct slice *a;
        struct flow flow;

        if (times[i]->accelerator || !pid || pid - 1 == b_process)
            continue;
        a = find_slice(&g->processes.data[pid - 1], times[i]->start_ticks);
        if (!a)
            continue;
        flow = (struct flow){pid - 1, (uint32_t)(a - g->processes.data[pid - 1].slices.data),
                             b_process, b_slice, (uint32_t)g->flows.n};
        vec_push(&g->flows, flow);
    }
}

static void find_flows(struct graph_timeline *g)
{
    const struct profile *p = g->p;

    for (size_t d = 0; d < g->by_device.n; d++) {
        uint32_t pid = g->by_device.data[d];
        const struct process *process = &g->processes.data[pid];

        if (process->accelerator)
            continue;
        for (size_t s = 0; s < process->slices.n; s++) {
            node_id node = process->slices.data[s].node;

            for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
                node_id source = p->inputs[i].source;

                if (source != NODE_NONE && g->r->node_accounted[source])
                    link_source(g, source, pid, (uint32_t)s);
            }
        }
    }
}

static const struct slice *slice_at(const struct graph_timeline *g, uint32_t process,
                                    uint32_t slice)
{
    return &g->processes.data[process].slices.data[slice];
}

static uint32_t a_track(const struct graph_timeline *g, const struct flow *f)
{
    return slice_at(g, f->a_process, f->a_slice)->track;
}

/* Compares by the order in which the A slices are written: process, track, start. */
COMPARE_WITH(by_a_slice, struct flow, struct graph_timeline,
             UP(a_process) || THEN(COMPARE(a_track(with, a), a_track(with, b))) || UP(a_slice) || UP(order))

static void write_flows(struct graph_timeline *g, struct trace_events *t)
{
    vec_sort_arg(&g->flows, by_a_slice, g);
    for (size_t i = 0; i < g->flows.n; i++) {
        const struct flow *f = &g->flows.data[i];
        const struct slice *a = slice_at(g, f->a_process, f->a_slice);
        const struct slice *b = slice_at(g, f->b_process, f->b_slice);
        const char *name = profile_text(g->p, g->p->name[a->node]);
        size_t len = intern_len(&g->p->strings, g->p->name[a->node]);

        trace_flow(t, 's', (int64_t)i + 1, name, len, f->a_process, a->track, slice_end(a));
        trace_flow(t, 't', (int64_t)i + 1, name, len, f->b_process, b->track, b->start_ticks);
    }
}

COMPARE_WITH(by_device_name, uint32_t, struct graph_timeline,
             THEN(intern_compare(&with->p->strings, with->processes.data[*a].device, with->processes.data[*b].device)))

/* Notes executions that are not drawn because their rows are hidden. */
static void note_hidden(struct graph_timeline *g)
{
    const int64_t tick_ps = g->p->clock.tick_ps;
    int64_t drawn_ticks = 0, all_ticks = 0;
    struct drawn_part part = {.n_drawn = 0};
    size_t n_times;
    struct exec e;

    for (size_t i = 0; i < g->processes.n; i++) {
        part.n_drawn += g->processes.data[i].slices.n;
        for (size_t k = 0; k < g->processes.data[i].slices.n; k++)
            drawn_ticks = clamp_add(drawn_ticks, g->processes.data[i].slices.data[k].dur_ticks);
    }
    for (node_id node = 0; node < g->p->n_nodes; node++)
        if (exec_in_step(g, node, &e)) {
            const struct exec_time **times = times_by_device(g, &e, &n_times);

            part.n_all += n_times;
            for (size_t i = 0; i < n_times; i++)
                all_ticks = clamp_add(all_ticks, times[i]->dur_ticks);
        }
    part.drawn_ps = clamp_mul(drawn_ticks, tick_ps);
    part.all_ps = clamp_mul(all_ticks, tick_ps);
    timeline_note_hidden(g->r, "executions", &part);
}

static void collect(struct graph_timeline *g)
{
    struct result_walk w;

    result_walk_init(&w, g->r, 0);
    while (result_walk_next(&w)) {
        const struct tree *tree = g->r->tree;

        if (w.row != 0 && tree->member_begin[w.row] < tree->member_begin[w.row + 1])
            add_node(g, tree->members[tree->member_begin[w.row]]);
    }
    result_walk_done(&w);
    for (uint32_t pid = 0; pid < g->processes.n; pid++) {
        lay_out(&g->processes.data[pid]);
        vec_push(&g->by_device, pid);
    }
    vec_sort_arg(&g->by_device, by_device_name, g);
}

static void write_processes(const struct graph_timeline *g, struct trace_events *t)
{
    for (uint32_t pid = 0; pid < g->processes.n; pid++) {
        strid device = g->processes.data[pid].device;
        const char *name = profile_text(g->p, device);
        bool stream = strstr(name, "stream") != NULL;

        trace_process(t, pid, stream ? "Op execution threads: " : "Op scheduling threads: ", name,
                      intern_len(&g->p->strings, device), "");
    }
    for (uint32_t pid = 0; pid < g->processes.n; pid++)
        write_slices(g, t, pid);
}

bool timeline_graph(struct result *r, struct sink *sink, struct err *err)
{
    const int64_t step = r->options.step;
    const struct time_range range = r->options.time_range;
    struct cut *cut = time_range_is_all(range)
                          ? NULL
                          : cut_new(r->profile, range, step, NULL, NULL, (struct cancel_mark){0});
    struct graph_timeline g = {.r = r, .p = cut ? &cut->profile : r->profile, .step = step};
    struct trace_events t;
    struct memory_counters memory;

    g.process_of = xcalloc(r->profile->strings.n, sizeof *g.process_of);
    trace_events_init(&t, r->profile->clock.tick_ps, sink, err);
    collect(&g);
    note_hidden(&g);
    write_processes(&g, &t);
    find_flows(&g);
    memory_counters_init(&memory, r, (int64_t)g.processes.n);
    if (cut)
        cut_window(cut, step, 0, &memory.from_ticks, &memory.to_ticks);
    memory_counters_announce(&memory, &t);
    write_flows(&g, &t);
    memory_counters_write(&memory, &t);
    memory_counters_done(&memory);
    for (size_t i = 0; i < g.processes.n; i++)
        vec_done(&g.processes.data[i].slices);
    EACH(vec_done, &g.processes, &g.by_device, &g.flows);
    exec_lists_done(&g.lists);
    vec_done(&g.times);
    free(g.process_of);
    cut_unref(cut);
    return trace_events_end(&t);
}
