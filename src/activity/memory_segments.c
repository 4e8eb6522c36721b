/* memory_segments.c: sums over the segments of an allocator. */
#include "activity/memory_segments.h"

#include "base/satmath.h"

struct segment_sums memory_segment_sums(const struct memory_allocator *a)
{
    struct segment_sums sums = {0};

    for (size_t i = 0; i < a->segments.n; i++) {
        const struct memory_segment *g = &a->segments.data[i];

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
        if (g->largest_free_bytes > sums.largest_free_bytes)
            sums.largest_free_bytes = g->largest_free_bytes;
    }
    return sums;
}
