/* calls.c: Python calls and runtime calls on host threads (formats-xplane.md section 7). */
#include "load/xplane/run.h"

#include <stdlib.h>

#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"

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

static bool event_before(const void *x, const void *y)
{
    const struct run_event *a = x, *b = y;

    return a->start_ps != b->start_ps ? a->start_ps < b->start_ps : a->dur_ps > b->dur_ps;
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

static int64_t end_ps(const struct run_event *e)
{
    return clamp_add(e->start_ps, e->dur_ps);
}

/* Nests the events of a line with a stack of open events.  Runtime calls are excluded: they neither
 * contain nor reduce other events. */
static void find_paths(struct run *r, event_list *events)
{
    VEC(struct run_event *) open = {0};

    stable_sort(events->data, events->n, event_before);
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
