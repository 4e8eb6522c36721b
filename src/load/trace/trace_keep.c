/* trace_keep.c: what timelines show of a thread: its slices as they are. */
#include "load/trace/trace_build.h"

struct kept_lane keep_lane(struct trace_build *b, uint32_t number)
{
    const struct trace_lane *lane = &b->log->lanes.data[number];
    const struct profile_lane like = {.device = b->cpu_device,
                                      .name = lane->name ? lane->name : lane->tid,
                                      .recording = builder_profile(b->builder)->n_recordings - 1};

    return (struct kept_lane){.b = b, .lane = builder_lane(b->builder, &like)};
}

void keep_slice(struct kept_lane *kept, const struct trace_slice *slice, uint32_t path,
                int64_t step, int64_t self_ns)
{
    const struct lane_slice whole = {
        .start_ticks = slice->start_ns,
        .dur_ticks = slice->dur_ns,
        .self_ticks = self_ns,
        .step = ranked_step(kept->b->recording->rank_index, step),
        .node = node_of(kept->b, path),
    };

    lane_add(kept->lane, &whole);
}

void keep_end(struct kept_lane *kept)
{
    if (kept->gap.dur_ticks)
        lane_add(kept->lane, &kept->gap);
    kept->gap.dur_ticks = 0;
}

void keep_gap(struct kept_lane *kept, int64_t from_ns, int64_t to_ns, uint32_t path, int64_t step)
{
    const int64_t ranked = ranked_step(kept->b->recording->rank_index, step);
    struct lane_slice *gap = &kept->gap;

    if (!gap->dur_ticks || gap->start_ticks + gap->dur_ticks != from_ns || gap->step != ranked) {
        keep_end(kept);
        *gap = (struct lane_slice){.start_ticks = from_ns,
                                   .step = ranked,
                                   .node = node_of(kept->b, path)};
    }
    gap->dur_ticks = gap->self_ticks = to_ns - gap->start_ticks;
}
