/* timeline_idle.c: idle times of accelerators, with their causes, and ops that run alone. */
#include <stdlib.h>
#include <string.h>

#include "activity/breakdown.h"
#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/macros.h"
#include "base/min_heap.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/pictures/timeline_priv.h"

/* Idle times of one device. */
struct finding {
    struct timeline *l;
    const struct selection *sel;
    int64_t align_ticks; /* from the common clock of all ranks to the clock of the picture */
};

static strid name_of(const struct finding *f, const struct work *work)
{
    const struct event_kind *kind = &f->sel->s->kinds[work->kind];

    if (kind->name != STRID_EMPTY || kind->id == NODE_NONE)
        return kind->name;
    return f->sel->p->op[profile_node_of_part(f->sel->p, kind->id)];
}

static void add_idle(void *context, const struct idle_gap *gap)
{
    const struct finding *f = context;
    const struct profile_clock *clock = &f->sel->s->clocks.data[0];
    const int64_t start = clamp_add(clock_ticks_of(clock, gap->start_ps), f->align_ticks);
    const int64_t end =
        clamp_add(clock_ticks_of(clock, gap->start_ps + gap->dur_ps), f->align_ticks);

    if (end > start)
        vec_push(&f->l->idle,
                 ((struct timeline_idle){start, end, name_of(f, &gap->before),
                                         name_of(f, &gap->after), (uint8_t)gap->cause}));
}

/* A range in timeline.idle. */
struct idle_range {
    uint32_t first, n;
};

/* Finds idle times of devices in the current store, and assigns them to the tracks. */
static void find_in_store(struct timeline *l, const struct selection *sel)
{
    const size_t n_devices = sel->s->devices.n;
    struct idle_range *ranges = xcalloc(n_devices + 1, sizeof *ranges);

    for (uint32_t d = 0; d < n_devices; d++) {
        const struct profile_device *device = &sel->s->devices.data[d];
        struct finding f = {l, sel, origins_align(l->origins, device->name)};

        if (!sel->devices[d] || !device->is_accelerator)
            continue;
        ranges[d].first = (uint32_t)l->idle.n;
        breakdown_gaps(sel, d, IDLE_GAP_PS, add_idle, &f);
        ranges[d].n = (uint32_t)l->idle.n - ranges[d].first;
    }
    vec_each(struct timeline_track, track, &l->tracks) {
        if (!track->is_base && track->device_id < n_devices) {
            track->first_idle = ranges[track->device_id].first;
            track->n_idle = ranges[track->device_id].n;
        }
    }
    free(ranges);
}

void timeline_find_idle(struct timeline *l)
{
    const struct selection_request wanted = {
        .step = l->step, .rank = l->rank, .device_regexes = l->devices, .made = l->made};
    struct selection sel;
    struct err err = {0};

    if (!selection_open(&sel, l->source, &wanted, l->cancel, &err)) {
        err_done(&err);
        return;
    }
    while (selection_next(&sel))
        find_in_store(l, &sel);
    selection_done(&sel);
}

const struct timeline_idle *timeline_idle_at(const struct timeline *l, size_t at, int64_t at_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_idle *idle = vec_from(&l->idle, track->first_idle);
    size_t i = 0;

    LOWER_BOUND(i, track->n_idle, k, idle[k].end_ticks <= at_ticks);
    return i < track->n_idle && idle[i].start_ticks <= at_ticks ? &idle[i] : NULL;
}

const struct timeline_idle *timeline_idle_next(const struct timeline *l, size_t at,
                                               int64_t from_ticks, int direction,
                                               int64_t min_ticks)
{
    const struct timeline_track *track = &l->tracks.data[at];
    const struct timeline_idle *idle = vec_from(&l->idle, track->first_idle);
    size_t i = 0;

    LOWER_BOUND(i, track->n_idle, k,
                direction > 0 ? idle[k].start_ticks <= from_ticks
                              : idle[k].start_ticks < from_ticks);
    for (; direction > 0 ? i < track->n_idle : i > 0; i += direction > 0 ? 1 : SIZE_MAX) {
        const struct timeline_idle *found = &idle[direction > 0 ? i : i - 1];

        if (found->end_ticks - found->start_ticks >= min_ticks)
            return found;
    }
    return NULL;
}

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
        if (text_begins(text, list[i]))
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

/* Advances to TO_TICKS; no span starts before. */
static void add_alone_time(struct sweep *s, int64_t to_ticks, int64_t now)
{
    const struct profile *p = s->l->profile;
    struct timeline_alone *alone = &s->l->alone;
    const int64_t from = larger_of(now, s->other_end);
    const int64_t until = to_ticks < s->last->end_ticks ? to_ticks : s->last->end_ticks;
    const strid type = p->op[s->last->node];

    if (to_ticks > s->last->end_ticks)
        alone->idle_ticks += to_ticks - larger_of(now, s->last->end_ticks);
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
            s->other_end = larger_of(s->other_end, s->last->end_ticks);
        s->last = span;
    } else {
        s->other_end = larger_of(s->other_end, span->end_ticks);
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
