/* lane_place.h: which thread lane a slice is drawn in. */
#ifndef TFPROF_VIEW_PICTURES_LANE_PLACE_H
#define TFPROF_VIEW_PICTURES_LANE_PLACE_H

#include <stdint.h>

#include "base/vec.h"
#include "model/lane.h"

/* A minimum tree over the ends of the lanes' last slices, so that the first
 * free lane is found in logarithmic time however many run at once. */
struct lane_ends {
    VEC(int64_t) tree; /* heap order; leaves are lanes, INT64_MIN = never used */
    size_t n_leaves;   /* a power of two, 0 before the first slice */
};

/* Puts a slice (slices come in order of start) into the first lane whose last
 * one has ended at START_US or before; returns the lane. */
uint32_t lane_ends_place(struct lane_ends *l, int64_t start_us, int64_t end_us);
void lane_ends_done(struct lane_ends *l);

/* A slice of a lane of the profile, in its thread. */
struct placed_slice {
    struct lane_slice slice;
    uint32_t order;  /* of slices that are alike */
    uint32_t thread; /* set by slices_place() */
};

/* Sorts the N slices of a lane by start, what encloses before what is within it, and puts each into
 * a thread: the first, 0, has what is within others or beside them.  What overlaps a slice of it in
 * part, which viewers drop, gets a thread of its own.  Returns how many threads there are. */
uint32_t slices_place(struct placed_slice *slices, size_t n);

#endif
