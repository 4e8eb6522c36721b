/* track_ends.h: the first track that is free, for what runs at once. */
#ifndef TFPROF_MODEL_TRACK_ENDS_H
#define TFPROF_MODEL_TRACK_ENDS_H

#include <stdint.h>

#include "base/vec.h"

/* A minimum tree over the ends of the tracks' last slices, so that the first
 * free track is found in logarithmic time however many run at once. */
struct track_ends {
    VEC(int64_t) tree; /* heap order; leaves are tracks, INT64_MIN = never used */
    size_t n_leaves;   /* a power of two, 0 before the first slice */
};

/* Puts a slice (slices come in order of start) into the first track whose last
 * one has ended at START_US or before; returns the track. */
uint32_t track_ends_place(struct track_ends *l, int64_t start_us, int64_t end_us);
void track_ends_done(struct track_ends *l);

#endif
