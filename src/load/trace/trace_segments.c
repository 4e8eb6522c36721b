/* trace_segments.c: collects time, runs and memory of parts, for execution records.  A thread makes records
 * of a batch while the next one is collected. */
#include "base/system/thread.h"
#include "load/trace/trace_build.h"

void segment_batch_done(struct segment_batch *batch)
{
    EACH(vec_done, &batch->segments, &batch->n_of_part, &batch->met, &batch->memories, &batch->order);
}

/* Passes R to the builder; N_PART_RUNS count for the part only. */
static void add_record(struct trace_build *b, const struct part_marks *of, struct exec_record *r,
                       int64_t n_part_runs)
{
    r->step = ranked_step(b->recording->rank_index, r->step);
    if (n_part_runs)
        builder_add_part_runs(b->builder, of->part, r->step, n_part_runs);
    r->times = b->times.data;
    r->n_times = (uint32_t)b->times.n;
    r->devices = &b->cpu_device;
    r->n_devices = 1;
    builder_add_part_record(b->builder, of->part, of->node, r);
    b->times.n = 0;
}

/* Segment AT of the order.  Segments of a part are scattered, so following ones are prefetched. */
static const struct segment *segment_at(const struct segment_batch *batch, size_t at)
{
    enum { AHEAD = 8 };

    if (at + AHEAD < batch->order.n)
        __builtin_prefetch(&batch->segments.data[batch->order.data[at + AHEAD]]);
    return &batch->segments.data[batch->order.data[at]];
}

/* Makes one record for consecutive segments of a step; segments [FROM, TO) of the order. */
static void flush_part(struct trace_build *b, const struct part_marks *of, size_t from, size_t to)
{
    struct exec_record r = {0};
    int64_t n_part_runs = 0;
    bool begun = false;

    for (size_t at = from; at < to; at++) {
        const struct segment *s = segment_at(&b->flushing, at);
        const int64_t end_ns = s->start_ns + s->dur_ns;
        const struct exec_time time = {
            .device = s->device ? s->device : b->cpu_device,
            .accelerator = s->device != STRID_EMPTY && s->device != b->async_device,
            .wait = s->wait,
            .start_ticks = s->start_ns,
            .dur_ticks = s->dur_ns,
        };

        if (begun && r.step != s->step) {
            add_record(b, of, &r, n_part_runs);
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
        add_record(b, of, &r, n_part_runs);
}

/* Orders segments by part, parts in order of first use.  n_of_part becomes the ends of the parts. */
static void order_segments(struct segment_batch *batch)
{
    uint32_t n = 0;

    vec_each(const struct part_marks, met, &batch->met) {
        uint32_t *of_part = &batch->n_of_part.data[met->part];
        const uint32_t begin = n;

        n += *of_part;
        *of_part = begin;
    }
    batch->order.n = 0;
    vec_resize_zero(&batch->order, n);
    for (uint32_t i = 0; i < n; i++)
        batch->order.data[batch->n_of_part.data[batch->segments.data[i].part]++] = i;
}

/* Passes the figures of b->flushing to the builder; on any thread. */
static void *flush(void *of)
{
    struct trace_build *b = of;
    struct segment_batch *batch = &b->flushing;
    size_t from = 0;

    flush_memories(b, batch);
    order_segments(batch);
    vec_each(const struct part_marks, met, &batch->met) {
        uint32_t *end = &batch->n_of_part.data[met->part];

        flush_part(b, met, from, *end);
        from = *end;
        *end = 0;
    }
    batch->met.n = batch->segments.n = 0;
    return NULL;
}

static void await_flush(struct trace_build *b)
{
    if (b->is_flushing)
        pthread_join(b->flusher, NULL);
    b->is_flushing = false;
}

/* Exchanges the batches, of which the other one is empty then. */
static void end_batch(struct trace_build *b)
{
    const struct segment_batch full = b->filling;

    await_flush(b);
    b->filling = b->flushing;
    b->flushing = full;
}

/* Passes the current figures on, in the background, once there are N_MAX of a kind. */
static void flush_full(struct trace_build *b, size_t n)
{
    enum { N_MAX = 1 << 17 };

    if (n < N_MAX)
        return;
    end_batch(b);
    b->is_flushing = thread_count() > 1 && thread_start(&b->flusher, "figures", flush, b) == 0;
    if (!b->is_flushing)
        flush(b);
}

void settle_segments(struct trace_build *b)
{
    await_flush(b);
    flush_memories(b, &b->filling);
}

void flush_segments(struct trace_build *b)
{
    end_batch(b);
    flush(b);
}

void add_segment(struct trace_build *b, struct segment segment)
{
    const uint32_t part = segment.part;
    struct segment_batch *to = &b->filling;

    flush_full(b, to->segments.n);
    if (part >= to->n_of_part.n)
        vec_resize_zero(&to->n_of_part, (size_t)part + 1);
    if (!to->n_of_part.data[part]++)
        vec_push(&to->met, ((struct part_marks){part, builder_part_node(b->builder, part), 0, 0}));
    vec_push(&to->segments, segment);
}

void add_memory(struct trace_build *b, uint32_t first, uint32_t part, int64_t step)
{
    flush_full(b, b->filling.memories.n);
    vec_push(&b->filling.memories,
             ((struct part_marks){part, builder_part_node(b->builder, part), first, step}));
}
