/* trace_tracks.c: sweeps CPU tracks and attributes time to operators and Python frames
 * (formats-trace.md section 4.1). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"
#include "model/iteration.h"

/* ---- tracks */

/* An open slice of the current track. */
struct open_slice {
    uint32_t slice; /* index in the log */
    uint32_t path, stack;
    uint32_t call;             /* path of the innermost operator, or PATH_ROOT */
    uint32_t call_args;        /* of that operator */
    uint32_t call_slice;       /* of that operator */
    uint32_t part, part_stack; /* cache: the last part, for this stack */
    uint32_t first_mark, last_mark; /* memory marks; SLICE_NONE: none */
    uint32_t memory_part;
    uint32_t event;            /* its number in track.events */
    int64_t step;
    int64_t self_ns; /* exclusive time so far */
    uint32_t n_layers; /* layers in which it is open */
    bool is_timed;     /* false for the root of an outline */
    uint8_t phase;     /* iteration phase around it, + 1; 0: none */
    struct replay_base base; /* paths for graph launches in it, if replays are joined */
};

struct track {
    struct trace_build *b;
    uint32_t first_slice; /* first slice of the track in the log */
    struct slice_order order; /* of the slices of the track */
    VEC(struct open_slice) open; /* by id of the sweep */
    VEC(uint32_t) free; /* unused entries of `open` */
    struct spent ended, ended_backward; /* slices of the track, and results of the first sweep for them */
    struct trace_memory *mark, *marks_end; /* marks of the track not taken yet, by time */
    /* Next flow to bind to an enclosing slice, and next to bind to a following slice. */
    struct trace_flow *around, *ahead, *flows_end;
    uint32_t python_path;
    int64_t cpu_ns, wait_ns; /* totals so far */
    size_t next_autograd;    /* scratch of trace_wait_at() */
    struct thread_events events;
};

static struct open_slice *open_at(const struct track *track, uint32_t id)
{
    return &track->open.data[id];
}

static const struct trace_slice *slice_at(const struct track *track, uint32_t id)
{
    return &track->b->log->slices.data[open_at(track, id)->slice];
}

static uint32_t frame_stack(const struct track *track, uint32_t frame)
{
    return frame == SLICE_NONE ? 0 : open_at(track, frame)->stack;
}

/* The part of slice ID with STACK; SLICE_NONE is time in Python only. */
static uint32_t part_at(struct track *track, uint32_t id, uint32_t stack)
{
    struct open_slice *at;

    if (id == SLICE_NONE)
        return part_of(track->b, track->python_path, stack, 0);
    at = open_at(track, id);
    stack = moved_stack(track->b, at->slice, stack);
    if (at->part == SLICE_NONE || at->part_stack != stack) {
        at->part = part_of(track->b, at->path, stack, replay_args(track->b, slice_at(track, id)));
        at->part_stack = stack;
    }
    return at->part;
}

static void place_launch(struct track *track, uint32_t id, uint32_t stack)
{
    const struct open_slice *at = open_at(track, id);
    const struct trace_slice *slice = slice_at(track, id);
    const uint32_t owner = at->call == PATH_ROOT ? at->slice : at->call_slice;
    strid autograd;
    const enum backward_pass pass = pass_of_slice(track->b, owner, &autograd);
    const struct launch_place place = {
        .path = at->call == PATH_ROOT ? at->path : at->call,
        .own_path = at->path,
        .stack = moved_stack(track->b, owner, stack),
        .autograd = autograd,
        .pass = (uint32_t)pass,
        .args = at->call == PATH_ROOT ? slice->args : at->call_args,
        .own_args = slice->args,
        .track = track->events.track,
    };

    if (slice->link != NUMBER_NONE) {
        const struct launch launch = {
            .correlation = slice->link,
            .start_ns = slice->start_ns,
            .step = at->step,
            .place = intern_put(&track->b->launch_places, &place, sizeof place),
            .position = POSITION_NONE,
        };

        vec_push(&track->b->launches, launch);
        thread_set_launch(&track->events, at->event);
    }
    if (track->b->replays)
        replay_launched(track->b, slice, at->base, at->path, at->step);
}

/* ---- flows */

/* Binds flows in [FROM, TO) to TIMED, which is on top then. */
static void bind_around(struct track *track, uint32_t timed, int64_t from, int64_t to)
{
    for (; track->around < track->flows_end && track->around->ts_ns < to; track->around++)
        if (track->around->binds_around && track->around->ts_ns >= from)
            track->around->path = open_at(track, timed)->path;
}

/* Binds flows up to START_NS to the slice that starts there. */
static void bind_ahead(struct track *track, int64_t start_ns, uint32_t path)
{
    for (; track->ahead < track->flows_end && track->ahead->ts_ns <= start_ns; track->ahead++)
        if (!track->ahead->binds_around)
            track->ahead->path = path;
}

/* ---- slices */

/* Allocates the entry of SLICE, which begins. */
static struct nested_slice open_slice(struct track *track, uint32_t slice)
{
    const uint32_t id =
        track->free.n ? track->free.data[--track->free.n] : (uint32_t)track->open.n;
    const struct nested_slice nested = nested_slice_of(track->b, slice, id);
    struct open_slice fresh = {.slice = slice, .part = SLICE_NONE, .first_mark = SLICE_NONE};

    fresh.event = thread_open_slice(&track->events, &track->b->log->slices.data[slice]);
    if (nested.end > nested.start)
        fresh.n_layers = (uint32_t)__builtin_popcount(nested.layers);
    if (id == track->open.n)
        vec_push(&track->open, fresh);
    track->open.data[id] = fresh;
    return nested;
}

/* Closes one layer of a slice; after the last one the slice ends. */
static void leave_slice(void *context, uint32_t id)
{
    struct track *track = context;
    struct open_slice *at = open_at(track, id);
    const struct trace_slice *slice = &track->b->log->slices.data[at->slice];

    if (at->n_layers > 1) {
        at->n_layers--;
        return;
    }
    if (at->first_mark != SLICE_NONE)
        add_memory(track->b, at->first_mark, at->memory_part, at->step);
    track->b->paths.data[at->path].self_ns =
        clamp_add(track->b->paths.data[at->path].self_ns, at->self_ns);
    if (at->is_timed)
        thread_keep_slice(&track->events, at->event, slice, at->path, at->step, at->self_ns);
    else
        thread_skip_slice(&track->events, at->event, slice, at->path == PATH_ROOT);
    spent_item(&track->ended, at->slice - track->first_slice);
    spent_item(&track->ended_backward, at->slice - track->first_slice);
    vec_push(&track->free, id);
}

/* The recorded path of SLICE below ABOVE (NULL: the root).  Sets at->phase. */
static uint32_t recorded_path(struct track *track, const struct trace_slice *slice,
                              const struct open_slice *above, struct open_slice *at)
{
    const uint32_t parent = above ? above->path : PATH_ROOT;
    unsigned phase = 0;

    at->phase = above ? above->phase : 0;
    if (track->b->has_iterations && (phase = replay_phase_of(track->b, slice)) != 0) {
        const bool is_nested = at->phase != 0;

        at->phase = is_nested ? at->phase : (uint8_t)phase;
        return path_of_phase(track->b, parent,
                             iteration_phase_name((enum iteration_phase)(at->phase - 1)),
                             slice->category, is_nested);
    }
    return path_of_slice(track->b, parent, slice);
}

/* The base paths for graph launches inside SLICE. */
static struct replay_base base_of(struct track *track, const struct trace_slice *slice,
                                  const struct open_slice *above, const struct open_slice *at)
{
    struct trace_build *b = track->b;
    const enum category_kind kind = kind_of(b, slice);
    struct replay_base base = above ? above->base : (struct replay_base){PATH_ROOT, PATH_ROOT};
    struct open_slice ignored = *at;

    if (kind == KIND_ANNOTATION && !is_step_name(trace_text(b, slice->name).bytes, trace_text(b, slice->name).len)) {
        struct open_slice below = above ? *above : (struct open_slice){.phase = 0};

        below.path = base.annotations;
        base.annotations = recorded_path(track, slice, &below, &ignored);
        below.path = base.modules;
        base.modules = recorded_path(track, slice, &below, &ignored);
    } else if (kind == KIND_FRAME) {
        base.modules = path_of_slice(b, base.modules, slice);
    }
    return base;
}

/* Adds the domain of the node of SLICE, and the message size of its PART. */
static void add_facts(struct trace_build *b, const struct trace_slice *slice, const struct open_slice *at,
                      uint32_t part)
{
    const struct trace_args args = trace_args_of(b->log, slice->args);

    if (args.domain)
        path_set_domain(b, at->path, args.domain);
    if (args.bytes)
        add_message(b, part, at->step, slice->start_ns, &args);
}

static void begin_timed(struct track *track, uint32_t id, uint32_t parent, uint32_t stack)
{
    struct trace_build *b = track->b;
    const struct trace_slice *slice = slice_at(track, id);
    const enum category_kind kind = kind_of(b, slice);
    const struct open_slice *above = parent == SLICE_NONE ? NULL : open_at(track, parent);
    struct open_slice *at = open_at(track, id);

    at->path = moved_path(b, at->slice);
    if (at->path == PATH_ROOT)
        at->path = recorded_path(track, slice, above, at);
    if (b->placing)
        at->base = base_of(track, slice, above, at);
    bind_ahead(track, slice->start_ns, at->path);
    if (kind == KIND_CALL)
        trace_sequence_bind(b, at->slice, at->path);
    at->call = kind == KIND_CALL ? at->path : above ? above->call : PATH_ROOT;
    at->call_args = kind == KIND_CALL ? slice->args : above ? above->call_args : 0;
    at->call_slice = kind == KIND_CALL ? at->slice : above ? above->call_slice : SLICE_NONE;
    at->step = step_of_slice(b, slice);
    at->is_timed = !is_outline_root(b, slice);
    if (at->is_timed) {
        const uint32_t part = part_at(track, id, stack);

        add_segment(b, (struct segment){.start_ns = slice->start_ns,
                                        .step = at->step,
                                        .part = part,
                                        .n_runs = !has_work_rows(b, slice->name),
                                        .is_of_part = b->paths.data[at->path].is_uncounted});
        if (slice->args && (b->dialect == DIALECT_NSYS || b->dialect == DIALECT_ONNXRUNTIME))
            add_facts(b, slice, at, part);
    }
    /* without runtime calls, device work refers to the operator itself */
    if (kind == KIND_RUNTIME || (!b->has_runtime && kind == KIND_CALL) ||
        ((b->dialect == DIALECT_XPROF || b->dialect == DIALECT_ONNXRUNTIME) && slice->link != NUMBER_NONE))
        place_launch(track, id, stack);
}

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame, bool partly)
{
    struct track *track = context;
    struct open_slice *at = open_at(track, nested->id);
    uint32_t stack = frame_stack(track, frame);

    if (nested->layers & LAYER_FRAME) {
        if (!swept_stack(track->b, at->slice, &stack))
            stack = stack_of_call(track->b, slice_at(track, nested->id), stack);
        at->stack = stack;
    }
    if (nested->layers & LAYER_TIMED) {
        track->b->recording->n_partial_overlaps += partly;
        begin_timed(track, nested->id, parent, stack);
    }
    if (!at->n_layers)
        leave_slice(track, nested->id);
}

/* ---- memory */

/* Assigns the next memory mark to TIMED, or to Python with STACK. */
static void assign_mark(struct track *track, uint32_t timed, uint32_t stack)
{
    struct trace_memory *mark = track->mark++;
    const uint32_t index = (uint32_t)(mark - track->b->log->memories.data);
    struct open_slice *at = timed == SLICE_NONE ? NULL : open_at(track, timed);

    mark->next = SLICE_NONE;
    if (!at) {
        mark->part = part_at(track, timed, stack);
        add_memory(track->b, index, mark->part, step_at(track->b, mark->ts_ns));
    } else if (at->first_mark == SLICE_NONE) {
        at->first_mark = at->last_mark = index;
        at->memory_part = part_at(track, timed, stack);
    } else {
        track->b->log->memories.data[at->last_mark].next = index;
        at->last_mark = index;
    }
    if (at)
        mark->part = at->memory_part;
    if (mark->is_failure)
        mark->part = at ? moved_stack(track->b, at->slice, stack) : stack;
}

/* Assigns marks before NS that are in no slice. */
static void assign_lost_marks(struct track *track, int64_t ns)
{
    while (track->mark < track->marks_end && track->mark->ts_ns < ns)
        assign_mark(track, SLICE_NONE, 0);
}

/* ---- time */

static void count_cpu(struct track *track, int64_t step, enum wait_kind wait, int64_t dur_ns)
{
    struct recorder *r = track->b->recording;

    r->cpu_ns = clamp_add(r->cpu_ns, dur_ns);
    track->cpu_ns = clamp_add(track->cpu_ns, dur_ns);
    if (step == STEP_OUTSIDE)
        r->outside_cpu_ns = clamp_add(r->outside_cpu_ns, dur_ns);
    if (wait == WAIT_NONE)
        return;
    r->wait_ns[wait] = clamp_add(r->wait_ns[wait], dur_ns);
    track->wait_ns = clamp_add(track->wait_ns, dur_ns);
}

/* Adds time in Python only, split at step boundaries. */
static void add_python(struct track *track, uint32_t part, enum wait_kind wait, int64_t from,
                       int64_t to)
{
    while (from < to) {
        const int64_t border = next_step_boundary(track->b, from);
        const int64_t end = border < to ? border : to;
        const int64_t step = step_at(track->b, from);

        add_segment(track->b, (struct segment){.start_ns = from,
                                              .dur_ns = end - from,
                                              .step = step,
                                              .part = part,
                                              .wait = (uint8_t)wait});
        thread_keep_gap(&track->events, from, end, track->python_path, step);
        count_cpu(track, step, wait, end - from);
        from = end;
    }
}

/* Adds time of a timed slice, split where its wait changes. */
static void add_timed(struct track *track, uint32_t timed, uint32_t frame, uint32_t part,
                      int64_t from, int64_t to)
{
    const struct trace_slice *top = frame == SLICE_NONE ? NULL : slice_at(track, frame);
    struct open_slice *at = open_at(track, timed);

    at->self_ns += to - from;
    for (int64_t end = to; from < to; from = end, end = to) {
        const enum wait_kind wait = trace_wait_at(track->b, slice_at(track, timed), top, from, &end,
                                                  &track->next_autograd);

        add_segment(track->b, (struct segment){.start_ns = from,
                                              .dur_ns = end - from,
                                              .step = at->step,
                                              .part = part,
                                              .wait = (uint8_t)wait});
        count_cpu(track, at->step, wait, end - from);
    }
}

static void add_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    struct track *track = context;
    const uint32_t stack = frame_stack(track, frame);
    const uint32_t part = part_at(track, timed, stack);

    assign_lost_marks(track, from);
    while (track->mark < track->marks_end && track->mark->ts_ns < to)
        assign_mark(track, timed, stack);
    if (timed == SLICE_NONE) {
        int64_t end = to;

        add_python(track, part,
                   trace_wait_at(track->b, NULL, slice_at(track, frame), from, &end,
                                 &track->next_autograd),
                   from, to);
        return;
    }
    bind_around(track, timed, from, to);
    add_timed(track, timed, frame, part, from, to);
}

/* ---- all tracks */

COMPARE_BY_TWO(by_track_and_time, struct trace_memory, track, ts_ns)

/* Prepares TRACK for its N slices from FIRST, sorted. */
static void fill_track(struct track *track, uint32_t first, uint32_t n)
{
    track->first_slice = first;
    track->open.n = track->free.n = 0;
    order_track(track->b, first, n, &track->order);
    spent_begin(&track->ended, vec_from(&track->b->log->slices, first), n, sizeof *track->b->log->slices.data);
    backward_spent_begin(track->b, &track->ended_backward, first, n);
}

/* Advances to the marks and flows of track NUMBER; tracks are visited in ascending order. */
static void seek_track(struct track *track, uint32_t number)
{
    const struct trace_log *log = track->b->log;
    const struct trace_memory *marks_end = vec_from(&log->memories, log->memories.n);
    const struct trace_flow *flows_end = vec_from(&log->flows, log->flows.n);

    track->mark = track->marks_end;
    while (track->marks_end < marks_end && track->marks_end->track == number)
        track->marks_end++;
    track->around = track->ahead = track->flows_end;
    while (track->flows_end < flows_end && track->flows_end->track == number)
        track->flows_end++;
}

static void add_thread(struct track *track, uint32_t number)
{
    const struct trace_track *of = &track->b->log->tracks.data[number];

    vec_push(&track->b->threads, ((struct thread_time){of->pid, of->tid, of->name, track->cpu_ns,
                                                      track->wait_ns}));
}

/* Sweeps track NUMBER, which was prepared. */
static void sweep_track(struct track *track, uint32_t number)
{
    static const struct nesting_calls calls = {begin_slice, add_span, leave_slice};
    struct nesting sweep = {.calls = &calls, .context = track};
    struct spent order = {.n = 0};

    thread_begin(&track->events, number);
    track->cpu_ns = track->wait_ns = 0;
    track->next_autograd = 0;
    spent_begin(&order, track->order.moved.data, track->order.moved.n, sizeof *track->order.moved.data);
    for (size_t i = 0; i < track->order.n; i++) {
        const struct nested_slice nested = open_slice(track, track->first_slice + slice_in_order(&track->order, i));

        spent_item(&order, i);
        nesting_add(&sweep, &nested);
        thread_pack(&track->events, nested.start);
    }
    spent_done(&order);
    nesting_end(&sweep);
    thread_end(&track->events);
    assign_lost_marks(track, INT64_MAX);
    track->b->recording->n_threads += track->order.n > 0;
    if (track->order.n)
        add_thread(track, number);
}

/* Drops the last N slices of the log. */
static void forget_slices(struct trace_log *log, uint32_t n)
{
    enum { MANY = 1 << 16 };

    log->slices.n -= n;
    if (n >= MANY)
        vec_fit(&log->slices);
}

struct ordering {
    struct trace_build *b;
    uint32_t *n_of;
};

/* Orders slices (0) or memory marks (1), on any thread. */
static void order(void *of, size_t from, size_t to)
{
    const struct ordering *o = of;

    for (; from < to; from++) {
        if (from == 0)
            order_slices(o->b, o->n_of);
        else
            vec_sort(&o->b->log->memories, by_track_and_time);
    }
}

static void order_log(struct trace_build *b, uint32_t *n_of)
{
    enum { PARALLEL_FROM_MARKS = 1 << 14, TASKS = 2 };
    struct workers *workers =
        b->log->memories.n < PARALLEL_FROM_MARKS ? NULL : workers_new(0);

    workers_run(workers, TASKS, 1, order, &(struct ordering){b, n_of});
    workers_free(workers);
}

void trace_tracks(struct trace_build *b)
{
    struct trace_log *log = b->log;
    uint32_t *n_of = xcalloc(log->tracks.n + 1, sizeof *n_of);
    struct track track = {.b = b, .events = {.b = b}};

    trace_waits_begin(b);
    b->n_dense_frames = 4 * log->slices.n;
    order_log(b, n_of);
    trace_backward(b, n_of);
    trace_flows_sort(b);
    track.marks_end = log->memories.data;
    track.flows_end = log->flows.data;
    track.python_path = path_named(b, PATH_ROOT, builder_str(b->builder, "(python)", 8), 0);
    for (uint32_t i = 0; i < log->tracks.n; i++) {
        seek_track(&track, i);
        if (n_of[i] || track.mark < track.marks_end) {
            fill_track(&track, (uint32_t)log->slices.n - n_of[i], n_of[i]);
            sweep_track(&track, i);
            forget_slices(log, n_of[i]);
        }
    }
    settle_segments(b);
    EACH(vec_done, &track.order.moved, &track.open, &track.free, &track.events.gaps,
         &track.events.waiting, &track.events.inputs, &b->work_ends, &b->stack_of_frame);
    EACH(spent_done, &track.ended, &track.ended_backward);
    trace_backward_done(b);
    free(n_of);
}
