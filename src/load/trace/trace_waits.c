/* trace_waits.c: when and why threads wait (formats-trace.md section 4.8). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/slices/work_names.h"
#include "load/trace/trace_build.h"

/* Cached facts about a name, as bits. */
enum name_fact {
    CALL_LOOKED_AT = 1,
    CALL_BLOCKS = 2,
    CALL_IS_ASYNC_COPY = 4,
    FRAME_LOOKED_AT = 8,
    FRAME_SLEEPS = 16,
};

static unsigned call_facts(struct text t)
{
    return CALL_LOOKED_AT | (call_name_blocks(t.bytes, t.len) ? CALL_BLOCKS : 0) |
           (call_name_is_async_copy(t.bytes, t.len) ? CALL_IS_ASYNC_COPY : 0);
}

static unsigned frame_facts(struct text t)
{
    return FRAME_LOOKED_AT | (frame_name_sleeps(t.bytes, t.len) ? FRAME_SLEEPS : 0);
}

/* The facts about NAME, computed once by LOOK, which also sets LOOKED_AT. */
static unsigned facts_of(struct trace_build *b, strid name, enum name_fact looked_at,
                         unsigned (*look)(struct text t))
{
    uint8_t *facts;

    if (name >= b->wait_names.n)
        vec_resize_zero(&b->wait_names, (size_t)name + 1);
    facts = &b->wait_names.data[name];
    if (!(*facts & looked_at))
        *facts |= (uint8_t)look(trace_text(b, name));
    return *facts;
}

/* ---- device work by correlation */

COMPARE_BY_TWO(by_correlation, struct work_end, correlation, end_ns)

static bool is_async_copy(struct trace_build *b, const struct trace_slice *slice)
{
    return kind_of(b, slice) == KIND_RUNTIME &&
           facts_of(b, slice->name, CALL_LOOKED_AT, call_facts) & CALL_IS_ASYNC_COPY;
}

/* Collects the ends of work that asynchronous copy calls started. */
static void collect_work_ends(struct trace_build *b)
{
    struct idmap copies = {.n = 0};

    vec_each(const struct trace_slice, slice, &b->log->slices) {
        if (slice->link != NUMBER_NONE && is_async_copy(b, slice))
            idmap_put(&copies, slice->link, 1, 0);
    }
    for (size_t i = 0; i < b->log->slices.n && copies.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];

        if (slice->link != NUMBER_NONE && is_device_work(b, slice) &&
            idmap_get(&copies, slice->link) != IDMAP_NONE)
            vec_push(&b->work_ends, ((struct work_end){slice->link, slice->start_ns + slice->dur_ns}));
    }
    idmap_done(&copies);
    vec_sort(&b->work_ends, by_correlation);
}

/* True if the copy call SLICE ends no earlier than the copy that it started. */
static bool outlasts_its_work(const struct trace_build *b, const struct trace_slice *slice)
{
    size_t after = 0;

    if (slice->link == NUMBER_NONE)
        return false;
    LOWER_BOUND(after, b->work_ends.n, i, b->work_ends.data[i].correlation <= slice->link);
    return after && b->work_ends.data[after - 1].correlation == slice->link &&
           b->work_ends.data[after - 1].end_ns <= slice->start_ns + slice->dur_ns;
}

/* ---- autograd slices */

static const char autograd_prefix[] = "autograd::engine::evaluate_function: ";

static bool is_autograd(const struct trace_build *b, const struct trace_slice *slice)
{
    const struct text t = trace_text(b, slice->name);

    return kind_of(b, slice) == KIND_CALL && t.len >= sizeof autograd_prefix - 1 &&
           memcmp(t.bytes, autograd_prefix, sizeof autograd_prefix - 1) == 0;
}

/* Begin or end of an autograd slice. */
struct autograd_edge {
    int64_t ns;
    uint32_t track;
    int32_t step; /* 1: begin; -1: end */
};

COMPARE_BY(by_time, struct autograd_edge, ns)

/* Appends [FROM, TO) if autograd slices are open on N_TRACKS > 0 tracks, with index sum SUM. */
static void add_autograd(struct trace_build *b, int64_t from_ns, int64_t to_ns, uint32_t n_tracks,
                         uint64_t sum)
{
    if (n_tracks && from_ns < to_ns)
        vec_push(&b->autograd, ((struct autograd_span){from_ns, to_ns,
                                                       n_tracks > 1 ? TRACK_NONE : (uint32_t)sum}));
}

static void collect_autograd(struct trace_build *b)
{
    VEC(struct autograd_edge) edges = {0};
    uint32_t *n_open = xcalloc(b->log->tracks.n + 1, sizeof *n_open);
    uint32_t n_tracks = 0;
    uint64_t sum = 0; /* sum of the indexes of these tracks */

    for (size_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];

        if (!is_autograd(b, slice))
            continue;
        vec_push(&edges, ((struct autograd_edge){slice->start_ns, slice->track, 1}));
        vec_push(&edges, ((struct autograd_edge){slice->start_ns + slice->dur_ns, slice->track, -1}));
    }
    vec_sort(&edges, by_time);
    for (size_t i = 0; i < edges.n; i++) {
        const struct autograd_edge *e = &edges.data[i];
        uint32_t *n = &n_open[e->track];

        if (i)
            add_autograd(b, edges.data[i - 1].ns, e->ns, n_tracks, sum);
        /* an end may precede its begin if the slice has no length */
        if (e->step > 0 ? (*n)++ == 0 : --*n == 0) {
            n_tracks += (uint32_t)e->step;
            sum += e->step > 0 ? e->track : -(uint64_t)e->track;
        }
    }
    free(n_open);
    vec_done(&edges);
}

/* ---- waits at an instant */

void trace_waits_begin(struct trace_build *b)
{
    if (b->dialect != DIALECT_KINETO)
        return;
    collect_work_ends(b);
    collect_autograd(b);
}

/* The wait at FROM of an annotation without frames.  Lowers *TO to the time where it may change.
 * Calls for a track must be ordered by time; *NEXT is initially 0. */
static enum wait_kind empty_annotation(const struct trace_build *b, uint32_t track, int64_t from,
                                       int64_t *to, size_t *next)
{
    const struct autograd_span *spans = b->autograd.data;
    size_t at;

    while (*next < b->autograd.n && spans[*next].to_ns <= from)
        (*next)++;
    at = *next;
    if (at < b->autograd.n && spans[at].from_ns <= from && spans[at].track != track) {
        KEEP_MIN(*to, spans[at].to_ns);
        return WAIT_AUTOGRAD;
    }
    while (at < b->autograd.n && (spans[at].track == track || spans[at].from_ns <= from))
        at++;
    if (at < b->autograd.n && spans[at].from_ns < *to)
        *to = spans[at].from_ns;
    return WAIT_NOT_RECORDED;
}

static bool is_annotation(const struct trace_build *b, const struct trace_slice *slice,
                          enum category_kind kind)
{
    const struct text t = trace_text(b, slice->name);

    return kind == KIND_ANNOTATION || (kind == KIND_CALL && is_step_name(t.bytes, t.len));
}

enum wait_kind trace_wait_at(struct trace_build *b, const struct trace_slice *timed,
                             const struct trace_slice *frame, int64_t from, int64_t *to,
                             size_t *next)
{
    const enum category_kind kind = timed ? kind_of(b, timed) : KIND_ANNOTATION;
    unsigned facts;

    if (b->dialect != DIALECT_KINETO)
        return WAIT_NONE;
    if (kind == KIND_RUNTIME) {
        facts = facts_of(b, timed->name, CALL_LOOKED_AT, call_facts);
        return facts & CALL_BLOCKS ||
                       (facts & CALL_IS_ASYNC_COPY && outlasts_its_work(b, timed))
                   ? WAIT_BLOCKING_CALL
                   : WAIT_NONE;
    }
    if (timed && kind != KIND_FRAME && !is_annotation(b, timed, kind))
        return WAIT_NONE;
    if (frame)
        return facts_of(b, frame->name, FRAME_LOOKED_AT, frame_facts) & FRAME_SLEEPS
                   ? WAIT_SLEEPING_FRAME
                   : WAIT_NONE;
    return timed && kind != KIND_FRAME ? empty_annotation(b, timed->track, from, to, next) : WAIT_NONE;
}
