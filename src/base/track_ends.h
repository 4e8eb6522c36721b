/* track_ends.h: finds the first free track for overlapping slices. */
#pragma once

#include <stdint.h>

#include "base/vec.h"

/* A minimum tree over the ends of the tracks' last slices: finds the first free track in
 * logarithmic time. */
struct track_ends {
    VEC(int64_t) tree; /* heap order; leaves are tracks, INT64_MIN: unused */
    size_t n_leaves;   /* a power of two, 0 before the first slice */
};

/* Assigns a slice (in order of start) to the first track whose last slice ended at START_US or
 * before; returns the track. */
uint32_t track_ends_assign(struct track_ends *l, int64_t start_us, int64_t end_us);
void track_ends_done(struct track_ends *l);
