/* lane.h: threads and streams as a file has them: each slice whole, with what began and ended when.
 *
 * A file has as many slices as events, so they are packed: numbers are mostly told by how they differ
 * from those of the slice before.  Executions (exec.h) are what figures are made of; lanes are what
 * timelines show. */
#ifndef TFPROF_MODEL_LANE_H
#define TFPROF_MODEL_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/satmath.h"
#include "base/strbuf.h"

struct lane_slice {
    int64_t start_ticks, dur_ticks; /* of the profile's clock */
    int64_t self_ticks;             /* of dur_ticks, or of more where slices overlap: of the node */
    int64_t step;                   /* of a trace with its rank, as executions have it */
    uint32_t node;                  /* node_id */
    strid name;                     /* as the file has it; STRID_EMPTY: the last part of the node's */
};

static inline int64_t lane_slice_end(const struct lane_slice *s)
{
    return clamp_add(s->start_ticks, s->dur_ticks);
}

/* A thread of a host or a stream of a device.  A zeroed one is empty and ready. */
struct profile_lane {
    strid device; /* "/cpu:0" */
    strid name;   /* "Stream #7"; STRID_EMPTY: the file says none */
    bool is_accelerator;
    uint32_t recording;  /* of traces: in profile.recordings */
    uint64_t n_slices;
    struct strbuf packed;
    struct lane_slice last; /* the slice added last */
};

/* Appends SLICE; in which order slices come is all the same, but in that of their starts they take
 * the least room. */
void lane_add(struct profile_lane *lane, const struct lane_slice *slice);
void lane_done(struct profile_lane *lane);

/* The slices of a lane, as they were added:
 *
 *     struct lane_walk walk = lane_slices(lane);
 *     while (lane_next(&walk)) ... walk.slice ... */
struct lane_walk {
    const uint8_t *at, *end;
    struct lane_slice slice;
};

struct lane_walk lane_slices(const struct profile_lane *lane);
bool lane_next(struct lane_walk *walk);

#endif
