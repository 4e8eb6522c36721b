/* memory_failures.c: computes free ranges at out-of-memory events by undoing reservations and
 * releases, starting from the segments at the end. */
#include "activity/memory_failures.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"

/* Limit of work for all failures of an allocator; a step takes a few nanoseconds. */
#define STEPS_MAX (UINT64_C(1) << 29)

/* BATCH: failures whose live allocations are found in one pass. */
enum { BLOCK_ALIGN = 512, BATCH = 32 };

static const struct {
    const char *name, *text;
} reasons[] = {
    [FAILED_BY_POOL] = {"pool", "a large enough free block exists on this stream, in another pool (small "
                                "and large blocks, or a private pool of a CUDA graph)"},
    [FAILED_BY_STREAM] = {"stream", "a large enough free block belongs to another stream"},
    [FAILED_BY_LIMIT] = {"limit", "the device has enough free memory: the limit is set_per_process_memory_fraction, "
                                  "or the segment was larger than the request"},
    [FAILED_BY_FRAGMENTATION] = {"fragmentation", "enough is free, but not contiguous: set "
                                                  "expandable_segments:True or max_split_size_mb"},
    [FAILED_BY_CAPACITY] = {"capacity", "reduce the live memory"},
    [FAILED_UNKNOWN] = {"unknown", "the segments are not recorded"},
};

const char *failure_reason_name(enum failure_reason reason)
{
    return reasons[reason].name;
}

const char *failure_reason_text(enum failure_reason reason)
{
    return reasons[reason].text;
}

/* A segment, or a part of an expandable one. */
struct range {
    uint64_t begin, bytes;
    int64_t stream;
    bool is_expandable;
};

/* A live allocation. */
struct live {
    uint64_t address, bytes;
    bool is_exact;
};

struct failures {
    const struct memory_allocator *a;
    VEC(struct range) ranges;
    VEC(struct live) live;
    VEC(uint32_t) live_at[BATCH]; /* live allocations at each failure from `batch` on */
    size_t batch;
    uint64_t steps_left;
};

/* ---- segments */

static void add_range(struct failures *f, struct range range)
{
    size_t kept = 0;

    f->steps_left -= f->ranges.n < f->steps_left ? f->ranges.n : f->steps_left;
    for (size_t i = 0; i < f->ranges.n && range.is_expandable; i++) {
        const struct range *r = &f->ranges.data[i];

        if (r->is_expandable && r->stream == range.stream &&
            (r->begin + r->bytes == range.begin || range.begin + range.bytes == r->begin)) {
            range.begin = r->begin < range.begin ? r->begin : range.begin;
            range.bytes += r->bytes;
        } else {
            f->ranges.data[kept++] = *r;
        }
    }
    if (range.is_expandable)
        f->ranges.n = kept;
    vec_push(&f->ranges, range);
}

static void remove_segment(struct failures *f, uint64_t begin)
{
    size_t at = 0;

    while (at < f->ranges.n && (f->ranges.data[at].is_expandable || f->ranges.data[at].begin != begin))
        at++;
    f->steps_left -= at < f->steps_left ? at : f->steps_left;
    if (at == f->ranges.n)
        return;
    memmove(&f->ranges.data[at], &f->ranges.data[at + 1], (f->ranges.n - at - 1) * sizeof *f->ranges.data);
    f->ranges.n--;
}

/* Removes [BEGIN, BEGIN + BYTES) from the expandable range that contains it. */
static void cut_range(struct failures *f, uint64_t begin, uint64_t bytes)
{
    for (size_t i = 0; i < f->ranges.n; i++) {
        struct range *r = &f->ranges.data[i];
        struct range rest = *r;

        f->steps_left -= f->steps_left > 0;
        if (!r->is_expandable || begin < r->begin || begin - r->begin > r->bytes ||
            bytes > r->bytes - (begin - r->begin))
            continue;
        rest.bytes = r->bytes - (begin - r->begin) - bytes;
        rest.begin = begin + bytes;
        r->bytes = begin - r->begin;
        if (!r->bytes)
            *r = rest;
        else if (rest.bytes)
            vec_push(&f->ranges, rest);
        if (!f->ranges.data[i].bytes) {
            f->ranges.n--;
            memmove(&f->ranges.data[i], &f->ranges.data[i + 1], (f->ranges.n - i) * sizeof *r);
        }
        return;
    }
}

static void undo(struct failures *f, const struct memory_reservation *e)
{
    const struct range range = {e->address, (uint64_t)e->bytes, e->stream,
                                e->action == MEMORY_SEGMENT_UNMAP};

    if (e->action == MEMORY_SEGMENT_FREE || e->action == MEMORY_SEGMENT_UNMAP)
        add_range(f, range);
    else if (e->action == MEMORY_SEGMENT_ALLOC)
        remove_segment(f, e->address);
    else
        cut_range(f, e->address, (uint64_t)e->bytes);
}

/* ---- free ranges */

COMPARE_BY(by_address, struct live, address)

COMPARE_BY(by_begin, struct range, begin)

/* Fills live_at for the N failures from f->batch on, in one pass over the allocations. */
static void find_live(struct failures *f, size_t n)
{
    const struct memory_allocator *a = f->a;
    const struct memory_failure *failures = &a->failures.data[f->batch];

    for (size_t k = 0; k < n; k++)
        f->live_at[k].n = 0;
    for (size_t i = 0; i < a->allocations.n; i++) {
        const struct memory_allocation *m = &a->allocations.data[i];
        size_t k = 0;

        LOWER_BOUND(k, n, at, failures[at].event + 1 < m->begin);
        for (; k < n && memory_is_live(m, failures[k].event + 1); k++)
            vec_push(&f->live_at[k], (uint32_t)i);
    }
}

/* Fills f->live with the live allocations at a failure, sorted by address. */
static void sort_live(struct failures *f, size_t failure)
{
    const struct memory_allocator *a = f->a;
    const size_t k = failure - f->batch;

    f->live.n = 0;
    for (size_t i = 0; i < f->live_at[k].n; i++) {
        const uint32_t at = f->live_at[k].data[i];
        const struct memory_allocation *m = &a->allocations.data[at];
        struct live live = {.address = m->address};
        size_t extent = 0;

        LOWER_BOUND(extent, a->extents.n, e, a->extents.data[e].allocation < at);
        live.is_exact = extent < a->extents.n && a->extents.data[extent].allocation == at;
        live.bytes = live.is_exact ? (uint64_t)a->extents.data[extent].bytes
                                   : ((uint64_t)m->bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
        if (!live.is_exact && !live.bytes)
            live.bytes = BLOCK_ALIGN;
        vec_push(&f->live, live);
    }
    vec_sort(&f->live, by_address);
}

static void add_free(struct failure_facts *facts, uint64_t bytes, bool same_stream)
{
    const int64_t size = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;

    facts->free_bytes = clamp_add(facts->free_bytes, size);
    KEEP_MAX(facts->largest_free_bytes, size);
    if (same_stream && size > facts->largest_free_same_stream_bytes)
        facts->largest_free_same_stream_bytes = size;
}

/* Adds the free memory of R; *NEXT is the first live allocation that may begin in it. */
static void walk_range(struct failures *f, const struct range *r, size_t *next,
                       struct failure_facts *facts)
{
    const bool same_stream = r->stream == facts->failure->stream;
    uint64_t covered = 0; /* covered bytes of R from its begin */

    while (*next < f->live.n && f->live.data[*next].address < r->begin)
        ++*next;
    for (size_t i = *next; i < f->live.n && f->live.data[i].address - r->begin < r->bytes; i++) {
        const struct live *live = &f->live.data[i];
        const uint64_t at = live->address - r->begin;
        const uint64_t bytes = live->bytes < r->bytes - at ? live->bytes : r->bytes - at;

        if (!f->steps_left) /* overlapping ranges share allocations */
            return;
        f->steps_left--;
        facts->is_exact &= live->is_exact;
        if (at > covered)
            add_free(facts, at - covered, same_stream);
        KEEP_MAX(covered, at + bytes);
    }
    if (r->bytes > covered)
        add_free(facts, r->bytes - covered, same_stream);
}

static void find_free(struct failures *f, struct failure_facts *facts)
{
    size_t next = 0;
    struct range *sorted = xreallocarray(NULL, f->ranges.n + 1, sizeof *sorted);

    sort_live(f, (size_t)(facts->failure - f->a->failures.data));
    if (f->ranges.n)
        memcpy(sorted, f->ranges.data, f->ranges.n * sizeof *sorted);
    qsort(sorted, f->ranges.n, sizeof *sorted, by_begin);
    facts->free_bytes = facts->largest_free_bytes = facts->largest_free_same_stream_bytes = 0;
    facts->is_exact = true;
    for (size_t i = 0; i < f->ranges.n; i++)
        walk_range(f, &sorted[i], &next, facts);
    free(sorted);
}

/* ---- reasons */

static void find_reason(struct failure_facts *facts)
{
    const int64_t requested =
        facts->failure->requested_bytes == MEMORY_UNKNOWN ? 0 : facts->failure->requested_bytes;
    const int64_t device_free =
        facts->failure->device_free_bytes == MEMORY_UNKNOWN ? 0 : facts->failure->device_free_bytes;

    if (facts->free_bytes == MEMORY_UNKNOWN) {
        facts->reason = device_free >= requested ? FAILED_BY_LIMIT : FAILED_UNKNOWN;
        return;
    }
    facts->short_bytes = clamp_sub(requested, clamp_add(device_free, facts->free_bytes));
    facts->short_bytes = facts->short_bytes > 0 ? facts->short_bytes : 0;
    facts->reason = facts->largest_free_same_stream_bytes >= requested ? FAILED_BY_POOL
                    : facts->largest_free_bytes >= requested           ? FAILED_BY_STREAM
                    : device_free >= requested                         ? FAILED_BY_LIMIT
                    : !facts->short_bytes                              ? FAILED_BY_FRAGMENTATION
                                                                       : FAILED_BY_CAPACITY;
}

/* Computes free memory at each failure, from the last to the first. */
static void walk_back(struct failures *f, struct failure_facts *facts, struct cancel_mark cancel)
{
    const struct memory_allocator *a = f->a;
    size_t left = a->reservations.n;

    vec_each(const struct memory_segment, g, &a->segments) {
        const struct range range = {g->address, (uint64_t)g->bytes, g->stream, g->is_expandable};

        vec_push(&f->ranges, range);
    }
    for (size_t i = a->failures.n; i-- > 0;) {
        const bool begins_batch = i < f->batch;
        const uint64_t steps = (begins_batch ? a->allocations.n : 0) + f->ranges.n;

        for (; left && a->reservations.data[left - 1].event > facts[i].failure->event; left--)
            undo(f, &a->reservations.data[left - 1]);
        if (steps >= f->steps_left || cancel_asked(cancel))
            return;
        f->steps_left -= steps;
        if (begins_batch) {
            f->batch = i / BATCH * BATCH;
            find_live(f, i + 1 - f->batch);
        }
        find_free(f, &facts[i]);
    }
}

struct failure_facts *failure_facts_of(const struct memory_allocator *a, struct cancel_mark cancel)
{
    struct failure_facts *facts = xcalloc(a->failures.n + 1, sizeof *facts);
    struct failures f = {.a = a, .batch = a->failures.n, .steps_left = STEPS_MAX};

    for (size_t i = 0; i < a->failures.n; i++) {
        const uint32_t at = a->failures.data[i].event + 1;

        facts[i] = (struct failure_facts){.failure = &a->failures.data[i],
                                          .in_use_bytes = memory_in_use(a, at),
                                          .reserved_bytes = memory_reserved(a, at),
                                          .free_bytes = MEMORY_UNKNOWN,
                                          .largest_free_bytes = MEMORY_UNKNOWN,
                                          .largest_free_same_stream_bytes = MEMORY_UNKNOWN,
                                          .short_bytes = MEMORY_UNKNOWN};
    }
    if (a->is_end_known)
        walk_back(&f, facts, cancel);
    for (size_t i = 0; i < a->failures.n; i++)
        find_reason(&facts[i]);
    EACH(vec_done, &f.ranges, &f.live);
    for (size_t k = 0; k < BATCH; k++)
        vec_done(&f.live_at[k]);
    return facts;
}

void failure_line(struct strbuf *sb, const struct failure_facts *facts)
{
    sb_adds(sb, "out of memory");
    if (facts->failure->requested_bytes != MEMORY_UNKNOWN) {
        sb_adds(sb, ", requested ");
        format_memory(sb, facts->failure->requested_bytes);
    }
    sb_addf(sb, ": %s", failure_reason_text(facts->reason));
}

/* ---- sums over the segments of an allocator */

struct segment_sums memory_segment_sums(const struct memory_allocator *a)
{
    struct segment_sums sums = {0};

    vec_each(const struct memory_segment, g, &a->segments) {
        sums.reserved_bytes = clamp_add(sums.reserved_bytes, g->bytes);
        sums.allocated_bytes = clamp_add(sums.allocated_bytes, g->allocated_bytes);
        sums.pending_bytes = clamp_add(sums.pending_bytes, g->pending_bytes);
        sums.inactive_bytes = clamp_add(sums.inactive_bytes, g->inactive_bytes);
        sums.rounding_bytes = clamp_add(sums.rounding_bytes, g->rounding_bytes);
        sums.block_bytes = clamp_add(sums.block_bytes, g->block_bytes);
        if (g->n_active)
            sums.fragmented_bytes = clamp_add(sums.fragmented_bytes, g->inactive_bytes);
        else
            sums.cached_bytes = clamp_add(sums.cached_bytes, g->bytes);
        KEEP_MAX(sums.largest_free_bytes, g->largest_free_bytes);
    }
    return sums;
}

int64_t memory_figure(const struct memory_allocator *a, enum memory_figure figure)
{
    const bool has_curve = !a->has_live_set_only;

    switch (figure) {
    case MEMORY_START: /* without addresses sums begin with 0 */
        return has_curve && !a->has_no_addresses ? a->start_bytes : INT64_MIN;
    case MEMORY_PEAK:
        return has_curve ? a->peak_bytes : INT64_MIN;
    case MEMORY_END:
        return a->has_no_addresses ? INT64_MIN : a->end_bytes;
    case MEMORY_RESERVED:
        return a->reserved_peak_bytes;
    case MEMORY_CACHED:
        return a->has_segments ? memory_segment_sums(a).cached_bytes : INT64_MIN;
    case MEMORY_FRAGMENTED:
        return a->has_segments ? memory_segment_sums(a).fragmented_bytes : INT64_MIN;
    default:
        return INT64_MIN;
    }
}
