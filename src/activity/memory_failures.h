/* memory_failures.h: causes of out-of-memory events: memory in use and free memory within the
 * segments (memory.md section 4). */
#pragma once

#include "base/cancel.h"
#include "base/strbuf.h"
#include "model/memory_log.h"

enum failure_reason { FAILED_BY_POOL, FAILED_BY_STREAM, FAILED_BY_LIMIT, FAILED_BY_FRAGMENTATION,
                      FAILED_BY_CAPACITY, FAILED_UNKNOWN };

/* "fragmentation"; "enough is free, but not contiguous": static text. */
const char *failure_reason_name(enum failure_reason reason);
const char *failure_reason_text(enum failure_reason reason);

/* Bytes; MEMORY_UNKNOWN if the segments at that time are unknown. */
struct failure_facts {
    const struct memory_failure *failure;
    int64_t in_use_bytes, reserved_bytes;
    int64_t free_bytes;         /* free memory within segments */
    int64_t largest_free_bytes; /* largest free range; that of the requesting stream's segments */
    int64_t largest_free_same_stream_bytes;
    int64_t short_bytes; /* bytes that are missing even if all free memory were contiguous */
    bool is_exact;       /* all block sizes are known; otherwise free_bytes is an upper bound */
    enum failure_reason reason;
};

/* Returns the facts of A's failures in order (heap, the caller frees it). Work is bounded: if there
 * are very many failures, only the last ones have free_bytes. */
struct failure_facts *failure_facts_of(const struct memory_allocator *a, struct cancel_mark cancel);

/* Appends "out of memory, requested 67.11MB: enough is free, but not contiguous". */
void failure_line(struct strbuf *sb, const struct failure_facts *facts);

/* Sums over an allocator's segments at the end (memory.md section 3). */
struct segment_sums {
    int64_t reserved_bytes, allocated_bytes, pending_bytes, inactive_bytes, rounding_bytes;
    int64_t cached_bytes; /* of segments without an allocation */
    int64_t fragmented_bytes; /* inactive bytes of other segments */
    int64_t largest_free_bytes, block_bytes;
};
struct segment_sums memory_segment_sums(const struct memory_allocator *a);

/* Figures of an allocator: columns of the table `memory`. */
enum memory_figure {
    MEMORY_NO_FIGURE,
    MEMORY_START,
    MEMORY_PEAK,
    MEMORY_END,
    MEMORY_RESERVED, /* peak of reserved memory */
    MEMORY_CACHED,
    MEMORY_FRAGMENTED,
    MEMORY_FIGURES
};
/* Bytes of FIGURE; INT64_MIN if A does not have it. */
int64_t memory_figure(const struct memory_allocator *a, enum memory_figure figure);
