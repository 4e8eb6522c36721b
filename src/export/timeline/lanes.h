/* lanes.h: which thread lane a slice is drawn in. */
#ifndef TFPROF_EXPORT_LANES_H
#define TFPROF_EXPORT_LANES_H

#include <stdint.h>

#include "base/vec.h"

/* A minimum tree over the ends of the lanes' last slices, so that the first
 * free lane is found in logarithmic time however many run at once. */
struct lanes {
    VEC(int64_t) tree; /* heap order; leaves are lanes, INT64_MIN = never used */
    size_t n_leaves;   /* a power of two, 0 before the first slice */
};

/* Puts a slice (slices come in order of start) into the first lane whose last
 * one has ended at START_US or before; returns the lane. */
uint32_t lanes_place(struct lanes *l, int64_t start_us, int64_t end_us);
void lanes_done(struct lanes *l);

#endif
