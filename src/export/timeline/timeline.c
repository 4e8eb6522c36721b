/* timeline.c: the timeline output: selects the layout for a view. */
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
            "with -step -1 a file for each step of the graph view, 16 at most but for files=N",
    .outfile = OUTFILE_NEEDED,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_CODE,
    .per_step = timeline_per_step,
    .write = timeline_write,
};
