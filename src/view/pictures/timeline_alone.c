/* timeline_alone.c: finds ops that run while all other tracks are idle. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/macros.h"
#include "base/min_heap.h"
#include "base/xalloc.h"
#include "view/pictures/timeline_priv.h"

/* Op types that fetch training data and block on it, and types that start the computation. */
static const char *const input_types[] = {"QueueDequeue", "IteratorGetNext", "DatasetToSingleElement",
                                          "MultiDeviceIteratorGetNext", "ReaderRead",
                                          "enumerate(DataLoader)"};
static const char *const compute_types[] = {"Conv", "DepthwiseConv", "MatMul", "BatchMatMul", "Einsum",
                                            "aten::conv", "aten::mm", "aten::addmm", "aten::bmm",
                                            "convolution", "dot"};

enum type_kind { KIND_UNKNOWN, KIND_OTHER, KIND_INPUT, KIND_COMPUTE };

static bool begins_with_one(struct text text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text.len >= strlen(list[i]) && !memcmp(text.bytes, list[i], strlen(list[i])))
            return true;
    return false;
}

static enum type_kind kind_of(struct text type)
{
    if (begins_with_one(type, input_types, sizeof input_types / sizeof *input_types))
        return KIND_INPUT;
    if (begins_with_one(type, compute_types, sizeof compute_types / sizeof *compute_types))
        return KIND_COMPUTE;
    return KIND_OTHER;
}

/* ---- spans of all tracks by start: a heap of tracks, the one with the earliest next span on top */

struct next_span {
    int64_t start_ticks;
    uint32_t at, end; /* range in timeline.spans: the rest of a track */
};

struct merge {
    const struct timeline_span *spans;
    VEC(struct next_span) heap;
};

static bool is_before(const struct merge *m UNUSED, const struct next_span *a, const struct next_span *b)
{
    return a->start_ticks < b->start_ticks;
}

static const struct timeline_span *merge_next(struct merge *m)
{
    struct next_span *top = m->heap.data;
    const struct timeline_span *span;

    if (!m->heap.n)
        return NULL;
    span = &m->spans[top->at++];
    if (top->at < top->end)
        top->start_ticks = m->spans[top->at].start_ticks;
    else
        *top = m->heap.data[--m->heap.n];
    HEAP_SIFT_DOWN(struct next_span, m->heap.data, m->heap.n, 0, is_before, m)
    return span;
}

COMPARE_BY(by_start, struct next_span, start_ticks)

static void merge_init(struct merge *m, const struct timeline *l)
{
    *m = (struct merge){.spans = l->spans.data};
    vec_each(const struct timeline_track, track, &l->tracks) {
        if (!track->is_base)
            vec_push(&m->heap, ((struct next_span){l->spans.data[track->first].start_ticks,
                                                   track->first, track->first + track->n}));
    }
    vec_sort(&m->heap, by_start); /* a sorted array is a heap */
}

/* ---- the sweep */

/* The two latest ends of all started spans. Until the next start, the span that ends last runs
 * alone from the second latest end on. */
struct sweep {
    struct timeline *l;
    const struct timeline_span *last; /* the span that ends last; NULL: none started yet */
    int64_t other_end;
    int64_t *alone_ticks; /* by op type */
    uint8_t *kinds;       /* by op type: enum type_kind */
};

static enum type_kind kind_of_type(const struct sweep *s, strid type)
{
    const struct intern *strings = &s->l->profile->strings;

    if (!s->kinds[type])
        s->kinds[type] = (uint8_t)kind_of(intern_string(strings, type));
    return (enum type_kind)s->kinds[type];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Advances to TO_TICKS; no span starts before. */
static void add_alone_time(struct sweep *s, int64_t to_ticks, int64_t now)
{
    const struct profile *p = s->l->profile;
    struct timeline_alone *alone = &s->l->alone;
    const int64_t from = larger(now, s->other_end);
    const int64_t until = to_ticks < s->last->end_ticks ? to_ticks : s->last->end_ticks;
    const strid type = p->op[s->last->node];

    if (to_ticks > s->last->end_ticks)
        alone->idle_ticks += to_ticks - larger(now, s->last->end_ticks);
    if (until <= from)
        return;
    s->alone_ticks[type] += until - from;
    if (!alone->compute_type && kind_of_type(s, type) == KIND_INPUT)
        alone->before_ticks += until - from;
}

static void span_starts(struct sweep *s, const struct timeline_span *span)
{
    struct timeline_alone *alone = &s->l->alone;
    const strid type = s->l->profile->op[span->node];

    if (!alone->compute_type && kind_of_type(s, type) == KIND_COMPUTE)
        alone->compute_type = type;
    if (!s->last || span->end_ticks > s->last->end_ticks) {
        if (s->last)
            s->other_end = larger(s->other_end, s->last->end_ticks);
        s->last = span;
    } else {
        s->other_end = larger(s->other_end, span->end_ticks);
    }
}

static void keep_longest(struct sweep *s)
{
    struct timeline_alone *alone = &s->l->alone;

    for (strid type = 0; type < s->l->profile->strings.n; type++) {
        const int64_t ticks = s->alone_ticks[type];

        if (ticks > alone->alone_ticks) {
            alone->alone_ticks = ticks;
            alone->type = type;
        }
        if (ticks > alone->input_ticks && kind_of_type(s, type) == KIND_INPUT) {
            alone->input_ticks = ticks;
            alone->input_type = type;
        }
    }
}

void timeline_find_alone(struct timeline *l)
{
    const struct profile *p = l->profile;
    struct sweep s = {.l = l, .other_end = INT64_MIN};
    const struct timeline_span *span;
    struct merge m;
    int64_t now = l->begin_ticks;

    s.alone_ticks = xcalloc(p->strings.n, sizeof *s.alone_ticks);
    s.kinds = xcalloc(p->strings.n, 1);
    merge_init(&m, l);
    while (!cancel_asked(l->cancel) && (span = merge_next(&m))) {
        if (s.last)
            add_alone_time(&s, span->start_ticks, now);
        now = span->start_ticks;
        span_starts(&s, span);
    }
    if (s.last)
        add_alone_time(&s, s.last->end_ticks, now);
    keep_longest(&s);
    vec_done(&m.heap);
    EACH(free, s.alone_ticks, s.kinds);
}
