/* self_time.c: exclusive time of events (formats-xplane.md section 7). */
#include "load/xplane/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"

/* ---- order */

static bool is_before(const void *x, const void *y)
{
    return track_event_before(x, y);
}

static bool is_sorted(const struct track *t)
{
    for (size_t i = 1; i < t->events.n; i++)
        if (is_before(&t->events.data[i], &t->events.data[i - 1]))
            return false;
    return true;
}

/* Checks the order first, as files are usually sorted. */
void track_sort(struct track *t)
{
    const size_t n = t->events.n;
    const void **items;
    struct run_event *sorted;

    if (is_sorted(t))
        return;
    items = xreallocarray(NULL, n, sizeof *items);
    sorted = xreallocarray(NULL, n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        items[i] = &t->events.data[i];
    stable_sort(items, n, is_before);
    for (size_t i = 0; i < n; i++)
        sorted[i] = *(const struct run_event *)items[i];
    memcpy(t->events.data, sorted, n * sizeof *sorted);
    EACH(free, sorted, items);
}

/* ---- nesting */

static int64_t end_ps(const struct run_event *e)
{
    return clamp_add(e->start_ps, e->dur_ps);
}

/* An event contains each later event, by sort order, that ends no later. */
static void self_by_nesting(struct track *t)
{
    VEC(size_t) open = {0};

    for (size_t i = 0; i < t->events.n; i++) {
        struct run_event *e = &t->events.data[i];

        e->self_ps = e->dur_ps;
        while (open.n && end_ps(&t->events.data[open.data[open.n - 1]]) < end_ps(e))
            open.n--;
        if (open.n) {
            struct run_event *parent = &t->events.data[open.data[open.n - 1]];

            parent->self_ps = clamp_sub(parent->self_ps, e->dur_ps);
        }
        vec_push(&open, i);
    }
    for (size_t i = 0; i < t->events.n; i++)
        KEEP_MAX(t->events.data[i].self_ps, 0);
    vec_done(&open);
}

/* ---- sweep */

struct ending {
    int64_t at_ps;
    uint32_t event;
};

COMPARE_BY_TWO(by_end, struct ending, at_ps, event)

/* Stack of open events.  Events that end below the top are popped when they reach it. */
struct open_events {
    VEC(uint32_t) stack;
    uint8_t *ended; /* by event */
};

static void end_event(struct track *t, struct open_events *open, uint32_t event)
{
    open->ended[event] = 1;
    while (open->stack.n && open->ended[open->stack.data[open->stack.n - 1]])
        open->stack.n--;
    if (open->stack.n) {
        struct run_event *top = &t->events.data[open->stack.data[open->stack.n - 1]];

        top->self_ps = clamp_sub(top->self_ps, t->events.data[event].dur_ps);
    }
}

/* Attributes each interval to the event on top of the stack, the one that began last.  At equal
 * times events are processed in order, each with its beginning before its end. */
static void self_by_sweep(struct track *t)
{
    const size_t n = t->events.n;
    struct ending *ends = xreallocarray(NULL, n + 1, sizeof *ends);
    struct open_events open = {.ended = xcalloc(n + 1, 1)};
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        t->events.data[i].self_ps = t->events.data[i].dur_ps;
        ends[i] = (struct ending){end_ps(&t->events.data[i]), (uint32_t)i};
    }
    if (n)
        qsort(ends, n, sizeof *ends, by_end);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t start = t->events.data[i].start_ps;

        for (; at < n && ends[at].event < i && ends[at].at_ps <= start; at++)
            end_event(t, &open, ends[at].event);
        vec_push(&open.stack, i);
    }
    for (; at < n; at++)
        end_event(t, &open, ends[at].event);
    vec_done(&open.stack);
    EACH(free, open.ended, ends);
}

void track_self_times(struct track *t)
{
    switch (t->use) {
    case TRACK_DEVICE:
    case TRACK_SUMS:
        for (size_t i = 0; i < t->events.n; i++)
            t->events.data[i].self_ps = t->events.data[i].dur_ps;
        break;
    case TRACK_NESTED:
    case TRACK_HLO:
        self_by_nesting(t);
        break;
    case TRACK_OPS:
        self_by_sweep(t);
        break;
    case TRACK_CALLS: /* set by calls_find() */
        break;
    }
}

/* ---- Python calls and runtime calls on host threads */

/* Orders tracks so that those of one line are adjacent. */
static bool line_before(const void *x, const void *y)
{
    const struct track *a = x, *b = y;

    if (a->host != b->host)
        return a->host < b->host;
    if (a->plane != b->plane)
        return a->plane < b->plane;
    return a->id < b->id;
}

typedef VEC(const void *) event_list;

static void add_events(event_list *list, struct track *t)
{
    for (size_t i = 0; i < t->events.n; i++)
        vec_push(list, &t->events.data[i]);
}

/* The op of the Python call E made by CALLER, an op or OP_NONE. */
static uint32_t path_of(struct run *r, const struct run_event *e, uint32_t caller)
{
    struct run_op op = r->ops.data[e->op];

    op.caller = caller;
    return run_op(r, &op);
}

/* Nests the events of a line with a stack of open events.  Runtime calls are excluded: they neither
 * contain nor reduce other events. */
static void find_paths(struct run *r, event_list *events)
{
    VEC(struct run_event *) open = {0};

    stable_sort(events->data, events->n, is_before);
    for (size_t i = 0; i < events->n; i++) {
        struct run_event *e = (struct run_event *)events->data[i];
        const enum run_op_kind kind = r->ops.data[e->op].kind;
        struct run_event *top;

        if (kind == OP_RUNTIME) {
            e->self_ps = e->dur_ps;
            continue;
        }
        while (open.n && end_ps(open.data[open.n - 1]) < end_ps(e))
            open.n--;
        top = open.n ? open.data[open.n - 1] : NULL;
        if (top && r->ops.data[top->op].kind == OP_PYTHON)
            top->self_ps = clamp_sub(top->self_ps, e->dur_ps);
        if (kind == OP_PYTHON) {
            e->self_ps = e->dur_ps;
            e->op = path_of(r, e, top && r->ops.data[top->op].kind == OP_PYTHON ? top->op : OP_NONE);
        }
        vec_push(&open, e);
    }
    vec_done(&open);
}

void calls_find(struct run *r)
{
    const void **tracks = xreallocarray(NULL, r->tracks.n + 1, sizeof *tracks);
    event_list events = {0};

    for (size_t t = 0; t < r->tracks.n; t++)
        tracks[t] = &r->tracks.data[t];
    stable_sort(tracks, r->tracks.n, line_before);
    for (size_t at = 0, end; at < r->tracks.n; at = end) {
        bool has_calls = false;

        events.n = 0;
        for (end = at; end < r->tracks.n && !line_before(tracks[at], tracks[end]); end++) {
            struct track *t = (struct track *)tracks[end];

            has_calls |= t->use == TRACK_CALLS && t->events.n;
            if (t->use == TRACK_CALLS || t->use == TRACK_OPS || t->use == TRACK_HLO)
                add_events(&events, t);
        }
        if (has_calls)
            find_paths(r, &events);
    }
    vec_done(&events);
    free(tracks);
}
