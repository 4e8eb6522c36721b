/* trace_lanes.c: whose each instant of a thread is (formats-trace.md section 4.1). */
#include <stdlib.h>
#include <string.h>

#include "base/offsets.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"

/* ---- segments */

void add_segment(struct trace_build *b, struct segment segment)
{
    enum { SEGMENTS_MAX = 4 << 20 };
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

/* Turns the list of a part, the last segment first, around. */
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

static void add_record(struct trace_build *b, uint32_t part, struct exec_record *r)
{
    r->step = ranked_step(b->recording->rank_index, r->step);
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
    bool begun = false;

    for (uint32_t at = reversed(b, b->first_segment.data[part]); at != SLICE_NONE;) {
        const struct segment *s = &b->segments.data[at];
        const int64_t end_ns = s->start_ns + s->dur_ns;
        const struct exec_time time = {
            .device = s->device ? s->device : b->cpu_device,
            .accelerator = s->device != STRID_EMPTY,
            .start_ticks = s->start_ns,
            .dur_ticks = s->dur_ns,
        };

        if (begun && r.step != s->step) {
            add_record(b, part, &r);
            begun = false;
        }
        if (!begun)
            r = (struct exec_record){.step = s->step,
                                     .start_ticks = s->start_ns,
                                     .latest_end_ticks = end_ns};
        begun = true;
        r.run_count += s->n_runs;
        if (s->start_ns < r.start_ticks)
            r.start_ticks = s->start_ns;
        if (end_ns > r.latest_end_ticks)
            r.latest_end_ticks = end_ns;
        if (s->dur_ns)
            vec_push(&b->times, time);
        at = s->next;
    }
    if (begun)
        add_record(b, part, &r);
    b->first_segment.data[part] = SLICE_NONE;
}

void flush_segments(struct trace_build *b)
{
    for (size_t i = 0; i < b->parts_met.n; i++)
        flush_part(b, b->parts_met.data[i]);
    b->parts_met.n = 0;
    b->segments.n = 0;
}

/* ---- lanes */

/* A slice of the lane in work. */
struct lane_slice {
    uint32_t slice; /* in the log */
    uint32_t path, stack;
    uint32_t call;  /* the innermost operator: a slice of this lane, or SLICE_NONE */
    int64_t step;
    uint32_t part, part_stack; /* the part it was booked to last, with that stack */
    uint32_t memory; /* of lane.memories + 1; 0: none */
};

/* What a slice allocated. */
struct slice_memory {
    uint32_t part;
    int64_t step, at_ns;
    int64_t bytes, sum, peak_bytes;
    VEC(struct allocation) allocations;
};

struct lane {
    struct trace_build *b;
    VEC(struct nested_slice) nested;
    VEC(struct lane_slice) slices;
    VEC(struct slice_memory) memories;
    const struct trace_memory *mark, *marks_end; /* of the lane, by time */
    uint32_t python_path;
};

static const struct trace_slice *slice_at(const struct lane *lane, uint32_t id)
{
    return &lane->b->log->slices.data[lane->slices.data[id].slice];
}

static uint32_t frame_stack(const struct lane *lane, uint32_t frame)
{
    return frame == SLICE_NONE ? 0 : lane->slices.data[frame].stack;
}

/* A Python slice's stack: below its parent by number, else below the frame that it was called
 * from. */
static void place_frame(struct lane *lane, uint32_t id, uint32_t frame)
{
    struct trace_build *b = lane->b;
    const struct trace_slice *slice = slice_at(lane, id);
    uint32_t parent = 0;

    if (slice->link == NUMBER_NONE) {
        parent = frame_stack(lane, frame);
    } else if ((uint32_t)slice->link != FRAME_NONE) {
        parent = idmap_get(&b->frame_stacks, (int64_t)((uint32_t)slice->link));
        if (parent == IDMAP_NONE)
            parent = 0; /* not in the file */
    }
    lane->slices.data[id].stack = stack_of(b, parent, slice->name);
    if (slice->link != NUMBER_NONE)
        idmap_put(&b->frame_stacks, (int64_t)((uint64_t)slice->link >> 32),
                  lane->slices.data[id].stack, 0);
}

/* The part of a timed slice at an instant with that stack. */
static uint32_t part_at(struct lane *lane, uint32_t id, uint32_t stack)
{
    struct lane_slice *at = &lane->slices.data[id];

    if (at->part == SLICE_NONE || at->part_stack != stack) {
        at->part = part_of(lane->b, at->path, stack, slice_at(lane, id)->args);
        at->part_stack = stack;
    }
    return at->part;
}

static void place_launch(struct lane *lane, uint32_t id, uint32_t stack)
{
    const struct lane_slice *at = &lane->slices.data[id];
    const struct lane_slice *call = at->call == SLICE_NONE ? at : &lane->slices.data[at->call];
    const struct trace_slice *slice = slice_at(lane, id);
    const struct launch launch = {
        .correlation = slice->link,
        .start_ns = slice->start_ns,
        .step = at->step,
        .path = call->path,
        .stack = stack,
        .args = lane->b->log->slices.data[call->slice].args,
    };

    if (slice->link != NUMBER_NONE)
        vec_push(&lane->b->launches, launch);
}

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame, bool partly)
{
    struct lane *lane = context;
    struct trace_build *b = lane->b;
    const uint32_t id = nested->id;
    struct lane_slice *at = &lane->slices.data[id];
    const struct trace_slice *slice = slice_at(lane, id);
    const enum category_kind kind = kind_of(b, slice);
    uint32_t stack = frame_stack(lane, frame);

    if (nested->layers & LAYER_FRAME) {
        place_frame(lane, id, frame);
        stack = at->stack;
    }
    if (!(nested->layers & LAYER_TIMED))
        return;
    b->recording->n_partial_overlaps += partly;
    at->path = path_of_slice(b, parent == SLICE_NONE ? PATH_ROOT : lane->slices.data[parent].path,
                             slice);
    at->call = kind == KIND_CALL      ? id
               : parent == SLICE_NONE ? SLICE_NONE
                                      : lane->slices.data[parent].call;
    at->step = step_of_slice(b, slice);
    at->part = SLICE_NONE;
    add_segment(b, (struct segment){.start_ns = slice->start_ns,
                                    .step = at->step,
                                    .part = part_at(lane, id, stack),
                                    .n_runs = !names_work(b, slice->name)});
    /* Without calls that launch, work knows the operator alone. */
    if (kind == KIND_RUNTIME || (!b->has_runtime && kind == KIND_CALL) ||
        (b->dialect == DIALECT_XPROF && slice->link != NUMBER_NONE))
        place_launch(lane, id, stack);
}

/* ---- memory */

static struct slice_memory *memory_of(struct lane *lane, uint32_t timed, uint32_t part,
                                      const struct trace_memory *mark)
{
    struct slice_memory fresh = {.part = part, .at_ns = mark->ts_ns};
    uint32_t *index = timed == SLICE_NONE ? NULL : &lane->slices.data[timed].memory;

    if (index && *index)
        return &lane->memories.data[*index - 1];
    fresh.step = timed == SLICE_NONE ? step_at(lane->b, mark->ts_ns)
                                     : lane->slices.data[timed].step;
    vec_push(&lane->memories, fresh);
    if (index)
        *index = (uint32_t)lane->memories.n;
    return &lane->memories.data[lane->memories.n - 1];
}

static void take_mark(struct lane *lane, uint32_t timed, uint32_t part)
{
    const struct trace_memory *mark = lane->mark++;
    struct slice_memory *m = memory_of(lane, timed, part, mark);
    const struct allocation allocation = {mark->ts_ns, mark->bytes};

    m->at_ns = mark->ts_ns;
    if (mark->bytes > 0)
        m->bytes = clamp_add(m->bytes, mark->bytes);
    m->sum = clamp_add(m->sum, mark->bytes);
    if (m->sum > m->peak_bytes)
        m->peak_bytes = m->sum;
    vec_push(&m->allocations, allocation);
}

/* Marks before NS that fall into no slice. */
static void take_lost_marks(struct lane *lane, int64_t ns)
{
    while (lane->mark < lane->marks_end && lane->mark->ts_ns < ns)
        take_mark(lane, SLICE_NONE, part_of(lane->b, lane->python_path, 0, 0));
}

static void flush_memory(struct lane *lane)
{
    for (size_t i = 0; i < lane->memories.n; i++) {
        struct slice_memory *m = &lane->memories.data[i];
        const struct exec_memory memory = {
            .memory_ticks = m->at_ns,
            .requested_bytes = m->bytes,
            .peak_bytes = m->peak_bytes,
            .residual_bytes = m->sum,
        };
        const struct exec_record r = {
            .step = ranked_step(lane->b->recording->rank_index, m->step),
            .start_ticks = m->at_ns,
            .latest_end_ticks = m->at_ns,
            .memories = &memory,
            .n_memories = 1,
            .allocations = m->allocations.data,
            .n_allocations = (uint32_t)m->allocations.n,
        };

        builder_add_part_record(lane->b->builder, m->part, &r);
        vec_done(&m->allocations);
    }
    lane->memories.n = 0;
}

/* ---- time */

static void count_cpu(struct trace_build *b, int64_t step, int64_t dur_ns)
{
    b->recording->cpu_ns = clamp_add(b->recording->cpu_ns, dur_ns);
    if (step == STEP_OUTSIDE)
        b->recording->outside_cpu_ns = clamp_add(b->recording->outside_cpu_ns, dur_ns);
}

/* Time of Python alone is cut at the borders of steps. */
static void add_python(struct lane *lane, uint32_t part, int64_t from, int64_t to)
{
    while (from < to) {
        const int64_t border = next_step_border(lane->b, from);
        const int64_t end = border < to ? border : to;
        const int64_t step = step_at(lane->b, from);

        add_segment(lane->b, (struct segment){.start_ns = from,
                                              .dur_ns = end - from,
                                              .step = step,
                                              .part = part});
        count_cpu(lane->b, step, end - from);
        from = end;
    }
}

static void add_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    struct lane *lane = context;
    const uint32_t stack = frame_stack(lane, frame);
    const uint32_t part = timed == SLICE_NONE ? part_of(lane->b, lane->python_path, stack, 0)
                                              : part_at(lane, timed, stack);

    take_lost_marks(lane, from);
    while (lane->mark < lane->marks_end && lane->mark->ts_ns < to)
        take_mark(lane, timed, part);
    if (timed == SLICE_NONE) {
        add_python(lane, part, from, to);
        return;
    }
    add_segment(lane->b, (struct segment){.start_ns = from,
                                          .dur_ns = to - from,
                                          .step = lane->slices.data[timed].step,
                                          .part = part});
    count_cpu(lane->b, lane->slices.data[timed].step, to - from);
}

/* ---- all lanes */

static unsigned layers_of(const struct trace_build *b, const struct trace_slice *slice)
{
    static const char module[] = "nn.Module: ";
    const enum category_kind kind = kind_of(b, slice);

    if (kind >= KIND_KERNEL)
        return 0;
    if (kind != KIND_FRAME)
        return LAYER_TIMED;
    return b->dialect == DIALECT_KINETO &&
                   strncmp(profile_text(builder_profile(b->builder), slice->name), module,
                           sizeof module - 1) == 0
               ? LAYER_TIMED | LAYER_FRAME
               : LAYER_FRAME;
}

static int by_lane_and_time(const void *x, const void *y)
{
    const struct trace_memory *a = x, *b = y;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return (a->ts_ns > b->ts_ns) - (a->ts_ns < b->ts_ns);
}

/* Fills the lists of LANE with N slices, sorted. */
static void fill_lane(struct lane *lane, const uint32_t *slices, uint32_t n)
{
    struct trace_build *b = lane->b;

    lane->nested.n = lane->slices.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[slices[i]];
        const struct nested_slice nested = {.start = slice->start_ns,
                                            .end = slice->start_ns + slice->dur_ns,
                                            .id = i,
                                            .layers = (uint8_t)layers_of(b, slice)};
        const struct lane_slice local = {.slice = slices[i], .part = SLICE_NONE};

        vec_push(&lane->nested, nested);
        vec_push(&lane->slices, local);
    }
    nesting_sort(lane->nested.data, n);
}

/* Sweeps lane NUMBER; its marks of memory are the next of MARKS, which end at MARKS_END. */
static void sweep_lane(struct lane *lane, uint32_t number, const struct trace_memory **marks,
                       const struct trace_memory *marks_end)
{
    static const struct nesting_calls calls = {begin_slice, add_span};

    while (*marks < marks_end && (*marks)->lane < number)
        (*marks)++;
    lane->mark = *marks;
    while (*marks < marks_end && (*marks)->lane == number)
        (*marks)++;
    lane->marks_end = *marks;
    nesting_sweep(lane->nested.data, lane->nested.n, &calls, lane);
    take_lost_marks(lane, INT64_MAX);
    flush_memory(lane);
    lane->b->recording->n_threads++;
}

/* The slices of each lane that are swept, in the order of the file: CSR, heap. */
static uint32_t *slices_by_lane(const struct trace_build *b, uint32_t *begin)
{
    const struct trace_log *log = b->log;
    const size_t n_lanes = log->lanes.n;
    uint32_t *slices;

    for (size_t i = 0; i < log->slices.n; i++)
        if (layers_of(b, &log->slices.data[i]))
            begin[log->slices.data[i].lane + 1]++;
    if (!offsets_sum(begin, n_lanes))
        xalloc_fail();
    slices = xreallocarray(NULL, begin[n_lanes], sizeof *slices);
    for (size_t i = 0; i < log->slices.n; i++)
        if (layers_of(b, &log->slices.data[i]))
            slices[begin[log->slices.data[i].lane]++] = (uint32_t)i;
    offsets_rewind(begin, n_lanes);
    return slices;
}

void trace_lanes(struct trace_build *b)
{
    struct trace_log *log = b->log;
    uint32_t *begin = xcalloc(log->lanes.n + 1, sizeof *begin);
    uint32_t *slices = slices_by_lane(b, begin);
    struct lane lane = {.b = b};
    const struct trace_memory *marks;

    vec_sort(&log->memories, by_lane_and_time);
    marks = log->memories.data;
    lane.python_path = path_named(b, PATH_ROOT, builder_str(b->builder, "(python)", 8), 0);
    for (uint32_t i = 0; i < log->lanes.n; i++)
        if (begin[i] < begin[i + 1]) {
            fill_lane(&lane, slices + begin[i], begin[i + 1] - begin[i]);
            sweep_lane(&lane, i, &marks, vec_from(&log->memories, log->memories.n));
        }
    vec_done(&lane.nested);
    vec_done(&lane.slices);
    vec_done(&lane.memories);
    free(slices);
    free(begin);
}
