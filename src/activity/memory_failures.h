/* memory_failures.h: why allocations failed: memory in use, and what was free within the segments, at
 * each out-of-memory event (memory.md section 4). */
#pragma once

#include "base/cancel.h"
#include "model/memory_log.h"

enum failure_reason { FAILED_BY_POOL, FAILED_BY_STREAM, FAILED_BY_LIMIT, FAILED_BY_FRAGMENTATION,
                      FAILED_BY_CAPACITY, FAILED_UNKNOWN };

/* "fragmentation"; "enough is free, but not contiguous": static text. */
const char *failure_reason_name(enum failure_reason reason);
const char *failure_reason_text(enum failure_reason reason);

/* Bytes; MEMORY_UNKNOWN: the segments at that time are not known. */
struct failure_facts {
    const struct memory_failure *failure;
    int64_t in_use_bytes, reserved_bytes;
    int64_t free_bytes;         /* within segments */
    int64_t largest_free_bytes; /* of one free range; of a segment of the stream that asked */
    int64_t largest_free_same_stream_bytes;
    int64_t short_bytes; /* missing even when all that is free were contiguous */
    bool is_exact;       /* all sizes of blocks are known; else free memory is at most that */
    enum failure_reason reason;
};

/* Facts of each of A's failures, in their order: heap, of the caller.  Work is bounded: with very many
 * failures, free memory is known of the last ones alone. */
struct failure_facts *failure_facts_of(const struct memory_allocator *a, struct cancel_mark cancel);

/* Segments of an allocator at the end, summed up (memory.md section 3). */
struct segment_sums {
    int64_t reserved_bytes, allocated_bytes, pending_bytes, inactive_bytes, rounding_bytes;
    int64_t cached_bytes; /* of segments without an allocation */
    int64_t fragmented_bytes; /* inactive bytes of all other segments */
    int64_t largest_free_bytes, block_bytes;
};
struct segment_sums memory_segment_sums(const struct memory_allocator *a);
