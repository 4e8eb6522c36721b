/* timeline.c: the timeline output: selects the layout for a view. */
#include "export/output.h"

#include <stdio.h>

#include "base/satmath.h"
#include "base/vec.h"
#include "export/timeline/timeline.h"

/* True for the graph view, whose times are real: it shows one step at a time, unless all steps are
 * requested. */
static bool timeline_per_step(const struct result *r)
{
    return r->view_id == VIEW_GRAPH && r->options.step < 0 && r->options.step > STEP_OUTSIDE;
}

static bool timeline_write(struct result *r, int64_t step, struct sink *sink, struct err *err)
{
    if (r->view_id == VIEW_GRAPH)
        return r->profile->events
                   ? timeline_tracks(r, step, sink, err)
                   : timeline_graph(r, step, sink, err);
    return timeline_flame(r, sink, err);
}

const struct output output_timeline = {
    .name = "timeline",
    .help = "Chrome trace events: device tracks of the graph view, nested totals of scope and code; "
            "with -step -1 a file for each step of the graph view, at most 16 or files=N",
    .outfile = OUTFILE_NEEDED,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_CODE,
    .per_step = timeline_per_step,
    .write = timeline_write,
};

/* ---- displayed rows as nested slices (scope and code view) */

/* By depth: start of the next child of the open row. */
typedef VEC(int64_t) starts;

static void announce(struct trace_events *t, uint32_t depth)
{
    char number[16];
    int len = snprintf(number, sizeof number, "%u", depth);

    trace_process(t, depth, "Scope:", number, (size_t)len, "");
}

bool timeline_flame(struct result *r, struct sink *sink, struct err *err)
{
    const int64_t *times;
    struct trace_events t;
    struct result_walk w;
    starts next_ps = {0}; /* [depth]: start of the next row at that depth */
    uint32_t announced = 0;
    bool saturated = false;

    result_need(r, FIELD_BIT(METRIC_MICROS));
    times = r->total[METRIC_MICROS];
    trace_events_init(&t, 1, sink, err);
    result_walk_init(&w, r, 0);
    vec_push(&next_ps, 0);
    while (result_walk_next(&w)) {
        const char *name = tree_name(r->tree, w.row);
        struct timeline_slice s = {.name = name, .len = tree_name_len(r->tree, w.row), .op = name,
                                .pid = w.depth, .dur_ticks = times[w.row]};

        if (w.row != 0 && (s.dur_ticks <= 0 || w.row == r->tree->outside)) {
            result_walk_skip(&w);
            continue;
        }
        for (; announced <= w.depth; announced++)
            announce(&t, announced);
        s.start_ticks = next_ps.data[w.depth];
        trace_slice(&t, &s);
        next_ps.data[w.depth] = sat_add(s.start_ticks, s.dur_ticks, &saturated);
        vec_resize_zero(&next_ps, (size_t)w.depth + 2);
        next_ps.data[w.depth + 1] = s.start_ticks;
    }
    result_walk_done(&w);
    vec_done(&next_ps);
    return trace_events_end(&t);
}
