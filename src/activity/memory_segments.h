/* memory_segments.h: segments of an allocator at the end, summed up (memory.md section 3). */
#ifndef TFPROF_ACTIVITY_MEMORY_SEGMENTS_H
#define TFPROF_ACTIVITY_MEMORY_SEGMENTS_H

#include "model/memory_log.h"

struct segment_sums {
    int64_t reserved_bytes, allocated_bytes, pending_bytes, inactive_bytes, rounding_bytes;
    int64_t cached_bytes; /* of segments without an allocation */
    int64_t fragmented_bytes; /* inactive bytes of all other segments */
    int64_t largest_free_bytes, block_bytes;
};
struct segment_sums memory_segment_sums(const struct memory_allocator *a);

#endif
