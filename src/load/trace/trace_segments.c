/* trace_segments.c: collects time and runs of parts, for execution records. */
#include "load/trace/trace_build.h"

void add_segment(struct trace_build *b, struct segment segment)
{
    enum { SEGMENTS_MAX = 1 << 17 };
    const uint32_t part = segment.part;

    if (b->segments.n == SEGMENTS_MAX)
        flush_segments(b);
    if (part >= b->part_segments.n)
        vec_resize_zero(&b->part_segments, (size_t)part + 1);
    if (!b->part_segments.data[part]++)
        vec_push(&b->parts_met, part);
    vec_push(&b->segments, segment);
}

/* Passes R to the builder; N_PART_RUNS count for the part only. */
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

/* Segment AT of the order.  Segments of a part are scattered, so following ones are prefetched. */
static const struct segment *segment_at(const struct trace_build *b, size_t at)
{
    enum { AHEAD = 8 };

    if (at + AHEAD < b->segment_order.n)
        __builtin_prefetch(&b->segments.data[b->segment_order.data[at + AHEAD]]);
    return &b->segments.data[b->segment_order.data[at]];
}

/* Makes one record for consecutive segments of a step; segments [FROM, TO) of the order. */
static void flush_part(struct trace_build *b, uint32_t part, size_t from, size_t to)
{
    struct exec_record r = {0};
    int64_t n_part_runs = 0;
    bool begun = false;

    for (size_t at = from; at < to; at++) {
        const struct segment *s = segment_at(b, at);
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
        KEEP_MIN(r.start_ticks, s->start_ns);
        KEEP_MAX(r.latest_end_ticks, end_ns);
        if (s->dur_ns)
            vec_push(&b->times, time);
    }
    if (begun)
        add_record(b, part, &r, n_part_runs);
}

/* Orders segments by part, parts in order of first use.  part_segments become the ends of the
 * parts. */
static void order_segments(struct trace_build *b)
{
    uint32_t n = 0;

    for (size_t i = 0; i < b->parts_met.n; i++) {
        uint32_t *of_part = &b->part_segments.data[b->parts_met.data[i]];
        const uint32_t begin = n;

        n += *of_part;
        *of_part = begin;
    }
    b->segment_order.n = 0;
    vec_resize_zero(&b->segment_order, b->segments.n);
    for (uint32_t i = 0; i < n; i++)
        b->segment_order.data[b->part_segments.data[b->segments.data[i].part]++] = i;
}

void flush_segments(struct trace_build *b)
{
    size_t from = 0;

    order_segments(b);
    for (size_t i = 0; i < b->parts_met.n; i++) {
        uint32_t *end = &b->part_segments.data[b->parts_met.data[i]];

        flush_part(b, b->parts_met.data[i], from, *end);
        from = *end;
        *end = 0;
    }
    b->parts_met.n = 0;
    b->segments.n = 0;
}
