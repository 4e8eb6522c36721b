/* trace_segments.c: collects time and runs of parts, for execution records. */
#include "load/trace/trace_build.h"

void add_segment(struct trace_build *b, struct segment segment)
{
    enum { SEGMENTS_MAX = 1 << 19 };
    const uint32_t part = segment.part;

    if (b->segments.n == SEGMENTS_MAX)
        flush_segments(b);
    while (b->first_segment.n <= part)
        vec_push(&b->first_segment, SLICE_NONE);
    if (b->first_segment.data[part] == SLICE_NONE)
        vec_push(&b->parts_met, part);
    segment.next = b->first_segment.data[part];
    b->first_segment.data[part] = (uint32_t)b->segments.n;
    vec_push(&b->segments, segment);
}

/* Reverses the segment list of a part. */
static uint32_t reversed(struct trace_build *b, uint32_t at)
{
    uint32_t before = SLICE_NONE;

    while (at != SLICE_NONE) {
        const uint32_t next = b->segments.data[at].next;

        b->segments.data[at].next = before;
        before = at;
        at = next;
    }
    return before;
}

/* N_PART_RUNS are runs of the part alone. */
static void add_record(struct trace_build *b, uint32_t part, struct exec_record *r,
                       int64_t n_part_runs)
{
    r->step = ranked_step(b->recording->rank_index, r->step);
    if (n_part_runs)
        builder_add_part_runs(b->builder, part, r->step, n_part_runs);
    r->times = b->times.data;
    r->n_times = (uint32_t)b->times.n;
    r->devices = &b->cpu_device;
    r->n_devices = 1;
    builder_add_part_record(b->builder, part, r);
    b->times.n = 0;
}

/* One record for each run of segments of a step. */
static void flush_part(struct trace_build *b, uint32_t part)
{
    struct exec_record r = {0};
    int64_t n_part_runs = 0;
    bool begun = false;

    for (uint32_t at = reversed(b, b->first_segment.data[part]); at != SLICE_NONE;) {
        const struct segment *s = &b->segments.data[at];
        const int64_t end_ns = s->start_ns + s->dur_ns;
        const struct exec_time time = {
            .device = s->device ? s->device : b->cpu_device,
            .accelerator = s->device != STRID_EMPTY && s->device != b->async_device,
            .wait = s->wait,
            .start_ticks = s->start_ns,
            .dur_ticks = s->dur_ns,
        };

        if (begun && r.step != s->step) {
            add_record(b, part, &r, n_part_runs);
            begun = false;
        }
        if (!begun) {
            r = (struct exec_record){.step = s->step,
                                     .start_ticks = s->start_ns,
                                     .latest_end_ticks = end_ns};
            n_part_runs = 0;
        }
        begun = true;
        *(s->is_of_part ? &n_part_runs : &r.run_count) += s->n_runs;
        if (s->start_ns < r.start_ticks)
            r.start_ticks = s->start_ns;
        if (end_ns > r.latest_end_ticks)
            r.latest_end_ticks = end_ns;
        if (s->dur_ns)
            vec_push(&b->times, time);
        at = s->next;
    }
    if (begun)
        add_record(b, part, &r, n_part_runs);
    b->first_segment.data[part] = SLICE_NONE;
}

void flush_segments(struct trace_build *b)
{
    for (size_t i = 0; i < b->parts_met.n; i++)
        flush_part(b, b->parts_met.data[i]);
    b->parts_met.n = 0;
    b->segments.n = 0;
}
