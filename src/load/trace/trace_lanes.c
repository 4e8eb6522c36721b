/* trace_lanes.c: whose each instant of a thread is (formats-trace.md section 4.1). */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/trace/trace_build.h"

/* ---- lanes */

/* A slice that is open in the lane in work. */
struct open_slice {
    uint32_t slice; /* in the log */
    uint32_t path, stack;
    uint32_t call;             /* the path of the innermost operator, PATH_ROOT: none */
    uint32_t call_args;        /* of that operator */
    uint32_t part, part_stack; /* the part it was booked to last, with that stack */
    uint32_t first_mark, last_mark; /* of memory, SLICE_NONE: none */
    uint32_t memory_part;
    int64_t step;
    int64_t self_ns; /* so far */
    uint32_t n_layers; /* in which it is open */
    bool is_timed;     /* and not the root of an outline */
};

struct lane {
    struct trace_build *b;
    VEC(struct nested_slice) nested;
    uint32_t first_slice; /* of the lane, in the log */
    VEC(uint32_t) places; /* by slice of the lane: in open, once it has begun */
    VEC(struct open_slice) open;
    VEC(uint32_t) free; /* places in open that are free */
    struct trace_memory *mark, *marks_end; /* of the lane, by time */
    /* The next flow that binds to the slice around it, and the next that binds to one behind. */
    struct trace_flow *around, *ahead, *flows_end;
    uint32_t python_path;
    struct kept_lane kept;
};

static struct open_slice *open_at(const struct lane *lane, uint32_t id)
{
    return &lane->open.data[lane->places.data[id]];
}

static const struct trace_slice *slice_at(const struct lane *lane, uint32_t id)
{
    return &lane->b->log->slices.data[lane->first_slice + id];
}

static uint32_t frame_stack(const struct lane *lane, uint32_t frame)
{
    return frame == SLICE_NONE ? 0 : open_at(lane, frame)->stack;
}

/* ---- frames */

/* A Python slice's stack: below its parent by number, else below the frame that it was called
 * from. */
static uint32_t place_frame(struct lane *lane, const struct trace_slice *slice, uint32_t frame)
{
    struct trace_build *b = lane->b;
    uint32_t parent = 0, stack;

    if (slice->link == NUMBER_NONE)
        parent = frame_stack(lane, frame);
    else if ((uint32_t)slice->link != FRAME_NONE)
        parent = numbered_stack(b, (uint32_t)slice->link);
    stack = stack_of(b, parent, slice->name);
    if (slice->link != NUMBER_NONE)
        number_stack(b, (uint32_t)((uint64_t)slice->link >> 32), stack);
    return stack;
}

/* The part of a timed slice, or of Python alone, at an instant with that stack. */
static uint32_t part_at(struct lane *lane, uint32_t id, uint32_t stack)
{
    struct open_slice *at;

    if (id == SLICE_NONE)
        return part_of(lane->b, lane->python_path, stack, 0);
    at = open_at(lane, id);
    if (at->part == SLICE_NONE || at->part_stack != stack) {
        at->part = part_of(lane->b, at->path, stack, slice_at(lane, id)->args);
        at->part_stack = stack;
    }
    return at->part;
}

static void place_launch(struct lane *lane, uint32_t id, uint32_t stack)
{
    const struct open_slice *at = open_at(lane, id);
    const struct trace_slice *slice = slice_at(lane, id);
    const struct launch launch = {
        .correlation = slice->link,
        .start_ns = slice->start_ns,
        .step = at->step,
        .path = at->call == PATH_ROOT ? at->path : at->call,
        .own_path = at->path,
        .stack = stack,
        .args = at->call == PATH_ROOT ? slice->args : at->call_args,
        .own_args = slice->args,
        .dur_ns = slice->dur_ns < UINT32_MAX ? (uint32_t)slice->dur_ns : UINT32_MAX,
        .first_work = SLICE_NONE,
    };

    if (slice->link != NUMBER_NONE)
        vec_push(&lane->b->launches, launch);
}

/* ---- flows */

/* Flows before TO bind to TIMED, which is on top from FROM on. */
static void bind_around(struct lane *lane, uint32_t timed, int64_t from, int64_t to)
{
    for (; lane->around < lane->flows_end && lane->around->ts_ns < to; lane->around++)
        if (lane->around->binds_around && lane->around->ts_ns >= from)
            lane->around->path = open_at(lane, timed)->path;
}

/* Flows up to the start of a slice bind to it. */
static void bind_ahead(struct lane *lane, int64_t start_ns, uint32_t path)
{
    for (; lane->ahead < lane->flows_end && lane->ahead->ts_ns <= start_ns; lane->ahead++)
        if (!lane->ahead->binds_around)
            lane->ahead->path = path;
}

/* ---- slices */

/* A place for a slice that begins. */
static struct open_slice *open_slice(struct lane *lane, const struct nested_slice *nested)
{
    struct open_slice fresh = {.slice = lane->first_slice + nested->id,
                               .part = SLICE_NONE,
                               .first_mark = SLICE_NONE};
    uint32_t place;

    if (nested->end > nested->start)
        fresh.n_layers = (uint32_t)__builtin_popcount(nested->layers);
    if (lane->free.n) {
        place = lane->free.data[--lane->free.n];
        lane->open.data[place] = fresh;
    } else {
        place = (uint32_t)lane->open.n;
        vec_push(&lane->open, fresh);
    }
    lane->places.data[nested->id] = place;
    return &lane->open.data[place];
}

/* One layer less that a slice is open in. */
static void leave_slice(void *context, uint32_t id)
{
    struct lane *lane = context;
    struct open_slice *at = open_at(lane, id);

    if (at->n_layers > 1) {
        at->n_layers--;
        return;
    }
    if (at->first_mark != SLICE_NONE)
        add_memory(lane->b, at->first_mark, at->memory_part);
    if (at->is_timed)
        keep_slice(&lane->kept, &lane->b->log->slices.data[at->slice], at->path, at->step,
                   at->self_ns);
    vec_push(&lane->free, lane->places.data[id]);
}

static void begin_timed(struct lane *lane, uint32_t id, uint32_t parent, uint32_t stack)
{
    struct trace_build *b = lane->b;
    const struct trace_slice *slice = slice_at(lane, id);
    const enum category_kind kind = kind_of(b, slice);
    const struct open_slice *above = parent == SLICE_NONE ? NULL : open_at(lane, parent);
    struct open_slice *at = open_at(lane, id);

    at->path = path_of_slice(b, above ? above->path : PATH_ROOT, slice);
    bind_ahead(lane, slice->start_ns, at->path);
    if (kind == KIND_CALL)
        trace_sequence_bind(b, at->slice, at->path);
    at->call = kind == KIND_CALL ? at->path : above ? above->call : PATH_ROOT;
    at->call_args = kind == KIND_CALL ? slice->args : above ? above->call_args : 0;
    at->step = step_of_slice(b, slice);
    at->is_timed = !is_outline_root(b, slice);
    if (at->is_timed)
        add_segment(b, (struct segment){.start_ns = slice->start_ns,
                                        .step = at->step,
                                        .part = part_at(lane, id, stack),
                                        .n_runs = !names_work(b, slice->name)});
    /* Without calls that launch, work knows the operator alone. */
    if (kind == KIND_RUNTIME || (!b->has_runtime && kind == KIND_CALL) ||
        (b->dialect == DIALECT_XPROF && slice->link != NUMBER_NONE))
        place_launch(lane, id, stack);
}

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame, bool partly)
{
    struct lane *lane = context;
    struct open_slice *at = open_slice(lane, nested);
    uint32_t stack = frame_stack(lane, frame);

    if (nested->layers & LAYER_FRAME)
        stack = at->stack = place_frame(lane, slice_at(lane, nested->id), frame);
    if (nested->layers & LAYER_TIMED) {
        lane->b->recording->n_partial_overlaps += partly;
        begin_timed(lane, nested->id, parent, stack);
    }
    if (!at->n_layers)
        leave_slice(lane, nested->id);
}

/* ---- memory */

/* The next mark is of TIMED, or of Python alone, where STACK is on top. */
static void take_mark(struct lane *lane, uint32_t timed, uint32_t stack)
{
    struct trace_memory *mark = lane->mark++;
    const uint32_t index = (uint32_t)(mark - lane->b->log->memories.data);
    struct open_slice *at = timed == SLICE_NONE ? NULL : open_at(lane, timed);

    mark->path = at ? at->path : lane->python_path;
    mark->stack = stack;
    mark->step = at ? at->step : step_at(lane->b, mark->ts_ns);
    mark->next = SLICE_NONE;
    if (!at) {
        add_memory(lane->b, index, part_at(lane, timed, stack));
    } else if (at->first_mark == SLICE_NONE) {
        at->first_mark = at->last_mark = index;
        at->memory_part = part_at(lane, timed, stack);
    } else {
        lane->b->log->memories.data[at->last_mark].next = index;
        at->last_mark = index;
    }
}

/* Marks before NS that fall into no slice. */
static void take_lost_marks(struct lane *lane, int64_t ns)
{
    while (lane->mark < lane->marks_end && lane->mark->ts_ns < ns)
        take_mark(lane, SLICE_NONE, 0);
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
        keep_gap(&lane->kept, from, end, lane->python_path, step);
        count_cpu(lane->b, step, end - from);
        from = end;
    }
}

static void add_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    struct lane *lane = context;
    const uint32_t stack = frame_stack(lane, frame);
    const uint32_t part = part_at(lane, timed, stack);

    take_lost_marks(lane, from);
    while (lane->mark < lane->marks_end && lane->mark->ts_ns < to)
        take_mark(lane, timed, stack);
    if (timed == SLICE_NONE) {
        add_python(lane, part, from, to);
        return;
    }
    bind_around(lane, timed, from, to);
    open_at(lane, timed)->self_ns += to - from;
    add_segment(lane->b, (struct segment){.start_ns = from,
                                          .dur_ns = to - from,
                                          .step = open_at(lane, timed)->step,
                                          .part = part});
    count_cpu(lane->b, open_at(lane, timed)->step, to - from);
}

/* ---- all lanes */

static int by_lane_and_time(const void *x, const void *y)
{
    const struct trace_memory *a = x, *b = y;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return (a->ts_ns > b->ts_ns) - (a->ts_ns < b->ts_ns);
}

/* Fills the lists of LANE with its N slices from FIRST on, sorted. */
static void fill_lane(struct lane *lane, uint32_t first, uint32_t n)
{
    struct trace_build *b = lane->b;

    lane->first_slice = first;
    lane->nested.n = lane->open.n = lane->free.n = 0;
    vec_resize_zero(&lane->places, n);
    vec_reserve(&lane->nested, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[first + i];
        const struct nested_slice nested = {.start = slice->start_ns,
                                            .end = slice->start_ns + slice->dur_ns,
                                            .id = i,
                                            .layers = (uint8_t)layers_of(b, slice)};

        vec_push(&lane->nested, nested);
    }
    nesting_sort(lane->nested.data, n);
}

/* Goes on to the marks of memory and the flows of lane NUMBER, which stand behind those of the lane
 * before. */
static void turn_to_lane(struct lane *lane, uint32_t number)
{
    const struct trace_log *log = lane->b->log;
    const struct trace_memory *marks_end = vec_from(&log->memories, log->memories.n);
    const struct trace_flow *flows_end = vec_from(&log->flows, log->flows.n);

    lane->mark = lane->marks_end;
    while (lane->marks_end < marks_end && lane->marks_end->lane == number)
        lane->marks_end++;
    lane->around = lane->ahead = lane->flows_end;
    while (lane->flows_end < flows_end && lane->flows_end->lane == number)
        lane->flows_end++;
}

/* Sweeps lane NUMBER, which was turned to. */
static void sweep_lane(struct lane *lane, uint32_t number)
{
    static const struct nesting_calls calls = {begin_slice, add_span, leave_slice};

    lane->kept = keep_lane(lane->b, number);
    nesting_sweep(lane->nested.data, lane->nested.n, &calls, lane);
    keep_end(&lane->kept);
    take_lost_marks(lane, INT64_MAX);
    lane->b->recording->n_threads += lane->nested.n > 0;
}

/* The last N slices are not needed any more. */
static void forget_slices(struct trace_log *log, uint32_t n)
{
    enum { MANY = 1 << 16 };

    log->slices.n -= n;
    if (n >= MANY)
        vec_fit(&log->slices);
}

void trace_lanes(struct trace_build *b)
{
    struct trace_log *log = b->log;
    uint32_t *n_of = xcalloc(log->lanes.n + 1, sizeof *n_of);
    struct lane lane = {.b = b};

    b->n_dense_frames = 4 * log->slices.n;
    order_slices(b, n_of);
    vec_sort(&log->memories, by_lane_and_time);
    trace_flows_sort(b);
    lane.marks_end = log->memories.data;
    lane.flows_end = log->flows.data;
    lane.python_path = path_named(b, PATH_ROOT, builder_str(b->builder, "(python)", 8), 0);
    for (uint32_t i = 0; i < log->lanes.n; i++) {
        turn_to_lane(&lane, i);
        if (n_of[i] || lane.mark < lane.marks_end) {
            fill_lane(&lane, (uint32_t)log->slices.n - n_of[i], n_of[i]);
            sweep_lane(&lane, i);
            forget_slices(log, n_of[i]);
        }
    }
    vec_done(&lane.nested);
    vec_done(&lane.places);
    vec_done(&lane.open);
    vec_done(&lane.free);
    free(n_of);
}
