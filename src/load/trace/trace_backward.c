/* trace_backward.c: attributes slices of the backward pass to the modules and operators of the forward
 * pass (formats-trace.md section 4.7). */
#include "load/trace/trace_backward.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"

#define ENGINE_PREFIX "autograd::engine::evaluate_function: "
#define BACKWARD_ROW "(backward)"
#define RECOMPUTE_ROW "(recompute)"

/* Maximum ops on a path; beyond that a backward op is only attributed, not moved. */
enum { BACKWARD_OPS_MAX = 32 };

/* ---- names */

static bool begins_with_engine(struct text text)
{
    const uint32_t n = sizeof ENGINE_PREFIX - 1;

    return text.len > n && memcmp(text.bytes, ENGINE_PREFIX, n) == 0;
}

struct text without_engine(struct text text)
{
    const uint32_t n = sizeof ENGINE_PREFIX - 1;

    return begins_with_engine(text) ? (struct text){text.bytes + n, text.len - n} : text;
}

bool is_engine_slice(const struct trace_build *b, const struct trace_slice *slice)
{
    return kind_of(b, slice) == KIND_CALL && begins_with_engine(trace_text(b, slice->name));
}

/* True if OUTER is the autograd slice that evaluates SLICE; compares their names. */
static bool evaluates(const struct trace_build *b, const struct trace_slice *outer,
                      const struct trace_slice *slice)
{
    const struct text name = trace_text(b, slice->name);
    const struct text evaluated = without_engine(trace_text(b, outer->name));

    return is_engine_slice(b, outer) && evaluated.len == name.len &&
           memcmp(evaluated.bytes, name.bytes, name.len) == 0;
}

static strid intern_name(struct trace_build *b, const char *name)
{
    return builder_str(b->builder, name, strlen(name));
}

/* ---- first sweep */

/* State of the sweep of one track. */
struct backward_track {
    struct backward *w;
    uint32_t number, first; /* index of the track, and its first slice in the log */
    struct backward_link *link, *links_end; /* links of the track not yet passed */
};

static struct swept_slice *swept_at(const struct backward *w, uint32_t slice)
{
    return &w->swept.data[slice - w->first_slice];
}

static const struct trace_slice *slice_at(const struct backward *w, uint32_t slice)
{
    return &w->b->log->slices.data[slice];
}

/* Index in log->sequences of the entry of SLICE, or SLICE_NONE. */
static uint32_t sequence_at(const struct trace_log *log, uint32_t slice)
{
    size_t at = 0;

    LOWER_BOUND(at, log->sequences.n, i, log->sequences.data[i].slice < slice);
    return at < log->sequences.n && log->sequences.data[at].slice == slice ? (uint32_t)at
                                                                           : SLICE_NONE;
}

static struct backward_op *op_at(struct backward *w, uint32_t op)
{
    return op == BACKWARD_NONE ? NULL : &w->ops.data[op];
}

static uint32_t add_turn(struct backward_track *t, uint32_t slice, enum backward_op_kind kind,
                         uint32_t outer, uint32_t sequence)
{
    struct backward *w = t->w;
    const struct text name = without_engine(trace_text(w->b, slice_at(w, slice)->name));
    const uint32_t id = (uint32_t)w->ops.n;
    const struct backward_op op = {
        .start_ns = slice_at(w, slice)->start_ns,
        .slice = slice,
        .track = t->number,
        .around = swept_at(w, slice)->op,
        .outer = outer,
        .inner = BACKWARD_NONE,
        .sequence = sequence,
        .forward = SLICE_NONE,
        .name = kind == BACKWARD_MODULE ? STRID_EMPTY : builder_str(w->b->builder, name.bytes, name.len),
        .kind = (uint8_t)kind,
    };

    vec_push(&w->ops, op);
    if (outer != BACKWARD_NONE && w->ops.data[outer].inner == BACKWARD_NONE)
        w->ops.data[outer].inner = id;
    swept_at(w, slice)->op = id;
    return id;
}

/* Adds a backward op if ID is an autograd slice, or the operator evaluated by one; else false. */
static bool turn_of_call(struct backward_track *t, uint32_t id)
{
    struct backward *w = t->w;
    const struct trace_slice *slice = slice_at(w, id);
    const struct swept_slice *swept = swept_at(w, id);
    const uint32_t sequence = sequence_at(w->b->log, id);
    const struct trace_sequence *s =
        sequence == SLICE_NONE ? NULL : &w->b->log->sequences.data[sequence];
    const bool is_inner = swept->op != BACKWARD_NONE && swept->parent != SLICE_NONE &&
                          w->ops.data[swept->op].slice == swept->parent &&
                          evaluates(w->b, slice_at(w, swept->parent), slice);
    const uint32_t outer = is_inner ? swept->op : BACKWARD_NONE;

    if (is_engine_slice(w->b, slice) || (s && s->forward_thread > 0))
        add_turn(t, id, BACKWARD_AUTOGRAD, outer, sequence);
    else if (is_inner)
        add_turn(t, id, BACKWARD_INNER, outer, SLICE_NONE);
    else
        return false;
    return true;
}

static void turn_of_module(struct backward_track *t, uint32_t id)
{
    struct backward *w = t->w;
    const struct trace_slice *slice = slice_at(w, id);
    const struct backward_op *around = op_at(w, swept_at(w, id)->op);
    uint32_t first;

    if (around && around->kind != BACKWARD_MODULE)
        add_turn(t, id, BACKWARD_MODULE, BACKWARD_NONE, SLICE_NONE);
    if (around)
        return;
    first = idmap_get(&w->modules, slice->name);
    if (first == IDMAP_NONE || slice->start_ns < slice_at(w, first)->start_ns)
        idmap_put(&w->modules, slice->name, id, 0);
}

/* Binds links to the innermost operator that starts at their time.  Of several links at one time
 * only the first is bound here. */
static void bind_link(struct backward_track *t, uint32_t id)
{
    const int64_t start_ns = slice_at(t->w, id)->start_ns;

    while (t->link < t->links_end && t->link->ts_ns < start_ns)
        t->link++;
    if (t->link < t->links_end && t->link->ts_ns == start_ns)
        t->link->slice = id;
}

static void begin_timed(struct backward_track *t, uint32_t id)
{
    struct backward *w = t->w;
    struct swept_slice *swept = swept_at(w, id);
    const struct swept_slice *above =
        swept->parent == SLICE_NONE ? NULL : swept_at(w, swept->parent);
    const enum category_kind kind = kind_of(w->b, slice_at(w, id));
    bool is_turn = false;

    swept->op = above ? above->op : BACKWARD_NONE;
    swept->attachment = above ? above->attachment : SLICE_NONE;
    if (kind == KIND_FRAME) { /* a module of PyTorch */
        turn_of_module(t, id);
        swept->attachment = id;
    } else if (kind == KIND_CALL) {
        bind_link(t, id);
        is_turn = turn_of_call(t, id);
        if (is_turn)
            swept->attachment = SLICE_NONE;
        else if (swept->attachment == SLICE_NONE)
            swept->attachment = id;
    }
}

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame, bool partly UNUSED)
{
    struct backward_track *t = context;
    const uint32_t id = t->first + nested->id;
    struct swept_slice *swept = swept_at(t->w, id);

    *swept = (struct swept_slice){.parent = parent == SLICE_NONE ? SLICE_NONE : t->first + parent,
                                  .op = BACKWARD_NONE,
                                  .attachment = SLICE_NONE};
    if (frame != SLICE_NONE)
        swept->stack = swept_at(t->w, t->first + frame)->stack;
    if (nested->layers & LAYER_FRAME)
        swept->stack = stack_of_call(t->w->b, slice_at(t->w, id), swept->stack);
    if (nested->layers & LAYER_TIMED)
        begin_timed(t, id);
}

static void no_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    (void)context, (void)timed, (void)frame, (void)from, (void)to;
}

static void sweep_ordered(struct backward_track *t, const struct slice_order *order)
{
    static const struct nesting_calls calls = {begin_slice, no_span, NULL};
    struct nesting s = {.calls = &calls, .context = t};

    for (uint32_t i = 0; i < order->n; i++) {
        const uint32_t id = slice_in_order(order, i);
        const struct nested_slice nested = nested_slice_of(t->w->b, t->first + id, id);

        nesting_add(&s, &nested);
    }
    nesting_end(&s);
}

static void sweep(struct backward *w, const uint32_t *n_of)
{
    const struct trace_log *log = w->b->log;
    const struct backward_link *end = vec_from(&w->links, w->links.n);
    struct backward_track t = {.w = w, .links_end = w->links.data};
    uint32_t first = (uint32_t)log->slices.n;
    struct slice_order order = {.n = 0};

    for (uint32_t i = 0; i < log->tracks.n; i++) {
        t.number = i;
        t.first = first -= n_of[i];
        t.link = t.links_end;
        while (t.links_end < end && t.links_end->track == i)
            t.links_end++;
        order_track(w->b, first, n_of[i], &order);
        vec_push(&w->first_ns, order.n ? slice_at(w, first + slice_in_order(&order, 0))->start_ns : INT64_MAX);
        sweep_ordered(&t, &order);
    }
    vec_done(&order.moved);
}

/* ---- paths */

/* The path of SLICE; PATH_ROOT if it is in a backward op that is not resolved yet. */
static uint32_t path_of_swept(struct backward *w, uint32_t slice)
{
    uint32_t path = PATH_ROOT, at = slice;

    w->climb.n = 0;
    for (; at != SLICE_NONE; at = swept_at(w, at)->parent) {
        const struct swept_slice *swept = swept_at(w, at);
        const struct backward_op *op = op_at(w, swept->op);

        path = swept->path;
        if (path != PATH_ROOT)
            break;
        if (op && op->slice == at && !op->is_resolved)
            return PATH_ROOT;
        vec_push(&w->climb, at);
    }
    while (w->climb.n) {
        at = w->climb.data[--w->climb.n];
        path = path_of_slice(w->b, path, slice_at(w, at));
        swept_at(w, at)->path = path;
    }
    return path;
}

/* Moves TURN to a row NAME below BASE. */
static void place_below(struct backward *w, struct backward_op *op, uint32_t base, const char *name)
{
    uint32_t row;

    if (!w->b->moves_backward)
        return;
    row = path_named(w->b, base, intern_name(w->b, name), 0);
    op->path = path_of_moved(w->b, row, base, slice_at(w, op->slice),
                               op->kind != BACKWARD_MODULE, op->inner == BACKWARD_NONE);
}

/* Attributes TURN to its forward operator and moves it below that operator's module, or else the
 * outermost operator around it.  False if the forward operator is not known. */
static bool place_forward(struct backward *w, struct backward_op *op)
{
    const uint32_t attachment =
        op->forward == SLICE_NONE ? SLICE_NONE : swept_at(w, op->forward)->attachment;
    const struct backward_op *around;
    uint32_t base;

    if (attachment == SLICE_NONE)
        return false;
    base = path_of_swept(w, attachment);
    if (base == PATH_ROOT)
        return false;
    around = op_at(w, swept_at(w, attachment)->op);
    op->depth = around ? around->depth : 0;
    op->pass = PASS_PLACED;
    if (swept_at(w, op->forward)->stack && w->b->moves_backward)
        op->stack =
            stack_child(w->b, swept_at(w, op->forward)->stack, intern_name(w->b, BACKWARD_ROW));
    if (op->depth < BACKWARD_OPS_MAX) {
        op->depth++;
        place_below(w, op, base, BACKWARD_ROW);
    }
    return true;
}

static void place_unknown(struct backward *w, struct backward_op *op)
{
    op->pass = PASS_UNPLACED;
    op->depth = 1;
    if (w->b->moves_backward)
        op->bare_stack = stack_child(w->b, 0, intern_name(w->b, BACKWARD_ROW));
    place_below(w, op, PATH_ROOT, BACKWARD_ROW);
}

/* Moves TURN to the same row as the autograd slice that evaluates it. */
static void place_inner(struct backward *w, struct backward_op *op)
{
    const struct backward_op *outer = &w->ops.data[op->outer];
    const uint32_t row = w->b->paths.data[outer->path].parent;

    op->pass = outer->pass;
    op->depth = outer->depth;
    op->stack = outer->stack;
    op->bare_stack = outer->bare_stack;
    if (outer->path != PATH_ROOT)
        op->path = path_of_moved(w->b, row, w->b->paths.data[outer->path].source,
                                   slice_at(w, op->slice), true, true);
}

/* Moves a module that runs again below the same module of the forward pass.  A module that only
 * runs in the backward pass stays in the backward op around it. */
static void place_module(struct backward *w, struct backward_op *op)
{
    const struct backward_op *around = op_at(w, op->around);
    const uint32_t first = idmap_get(&w->modules, slice_at(w, op->slice)->name);

    if (first != IDMAP_NONE) {
        op->pass = PASS_RECOMPUTED;
        op->depth = 1;
        place_below(w, op, path_of_swept(w, first), RECOMPUTE_ROW);
        return;
    }
    op->pass = around->pass;
    op->depth = around->depth;
    op->stack = around->stack;
    op->bare_stack = around->bare_stack;
    op->name = around->name;
}

static void resolve(struct backward *w, struct backward_op *op)
{
    if (op->kind == BACKWARD_MODULE)
        place_module(w, op);
    else if (op->kind == BACKWARD_INNER)
        place_inner(w, op);
    else if (!place_forward(w, op))
        place_unknown(w, op);
    op->is_resolved = true;
    swept_at(w, op->slice)->path = op->path;
}

COMPARE_WITH(by_start, uint32_t, struct backward_op,
             THEN(COMPARE(with[*a].start_ns, with[*b].start_ns)) || THEN(COMPARE(*a, *b)))

/* Resolves ops by start time, so that a backward op follows those that it depends on. */
static void resolve_turns(struct backward *w)
{
    VEC(uint32_t) order = {0};

    vec_reserve(&order, w->ops.n);
    for (uint32_t i = 0; i < w->ops.n; i++)
        vec_push(&order, i);
    vec_sort_arg(&order, by_start, w->ops.data);
    for (size_t i = 0; i < order.n; i++)
        resolve(w, &w->ops.data[order.data[i]]);
    vec_done(&order);
}

/* ---- the backward pass */

static bool has_backward(const struct trace_build *b)
{
    const struct trace_log *log = b->log;

    if (b->dialect != DIALECT_KINETO)
        return false;
    for (size_t i = 0; i < log->sequences.n; i++)
        if (log->sequences.data[i].forward_thread > 0)
            return true;
    for (size_t i = 0; i < log->slices.n; i++)
        if (is_engine_slice(b, &log->slices.data[i]))
            return true;
    return false;
}

void trace_backward(struct trace_build *b, const uint32_t *n_of)
{
    struct backward *w;
    uint32_t n = 0;

    if (!has_backward(b))
        return;
    for (size_t i = 0; i < b->log->tracks.n; i++)
        n += n_of[i];
    w = b->backward = xcalloc(1, sizeof *w);
    w->b = b;
    w->first_slice = (uint32_t)b->log->slices.n - n;
    vec_resize_zero(&w->swept, n);
    backward_links(w);
    sweep(w, n_of);
    forward_operators(w);
    resolve_turns(w);
    b->recording->backward.is_recorded = w->ops.n > 0;
    EACH(vec_done, &w->first_ns, &w->climb);
    idmap_done(&w->modules);
}

void trace_backward_done(struct trace_build *b)
{
    if (!b->backward)
        return;
    EACH(vec_done, &b->backward->swept, &b->backward->ops);
    free(b->backward);
    b->backward = NULL;
}

void backward_spent_begin(const struct trace_build *b, struct spent *s, uint32_t first, uint32_t n)
{
    const struct backward *w = b->backward;

    spent_begin(s, w ? vec_from(&w->swept, first - w->first_slice) : NULL, w ? n : 0, sizeof *w->swept.data);
}

/* The innermost backward op around SLICE, or NULL. */
static const struct backward_op *turn_around(const struct trace_build *b, uint32_t slice)
{
    return b->backward ? op_at(b->backward, swept_at(b->backward, slice)->op) : NULL;
}

uint32_t moved_path(const struct trace_build *b, uint32_t slice)
{
    const struct backward_op *op = turn_around(b, slice);

    return op && op->slice == slice ? op->path : PATH_ROOT;
}

uint32_t moved_stack(const struct trace_build *b, uint32_t slice, uint32_t stack)
{
    const struct backward_op *op = turn_around(b, slice);

    if (op && op->stack)
        return op->stack;
    return stack || !op ? stack : op->bare_stack;
}

enum backward_pass pass_of_slice(const struct trace_build *b, uint32_t slice, strid *autograd)
{
    const struct backward_op *op = turn_around(b, slice);

    *autograd = op ? op->name : STRID_EMPTY;
    return op ? (enum backward_pass)op->pass : PASS_FORWARD;
}

bool swept_stack(const struct trace_build *b, uint32_t slice, uint32_t *stack)
{
    if (b->backward)
        *stack = swept_at(b->backward, slice)->stack;
    return b->backward;
}
