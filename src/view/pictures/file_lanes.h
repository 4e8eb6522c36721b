/* file_lanes.h: the threads of captures and traces and the streams of their devices, those of all
 * ranks on one clock. */
#ifndef TFPROF_VIEW_PICTURES_FILE_LANES_H
#define TFPROF_VIEW_PICTURES_FILE_LANES_H

#include "base/vec.h"
#include "model/profile.h"
#include "opt/options.h"

struct file_lane {
    const struct profile_lane *lane; /* of the profile or of file_lanes.streams */
    int64_t rank;        /* -1: there is one rank, or it is not said */
    int64_t shift_ticks; /* to the common clock of all ranks */
    uint32_t order;      /* threads as loaded, then streams */
    bool is_stream;      /* its name is the stream's number */
};

/* A zeroed struct has none. */
struct file_lanes {
    VEC(struct file_lane) lanes; /* by rank, device in byte order, `order` */
    VEC(struct profile_lane) streams; /* of accelerators, of traces */
};

/* Fills F with the lanes of P, a capture or traces, on devices and of the rank that OPTIONS take.
 * False with ERR (usage) for a bad regex; F is then to be done as well. */
bool file_lanes_make(struct file_lanes *f, const struct profile *p, const struct options *options,
                     struct err *err);
void file_lanes_done(struct file_lanes *f);

/* Order of ranks, then of devices: lanes for which it is 0 are of one process. */
int file_lanes_compare(const struct profile *p, const struct file_lane *a,
                       const struct file_lane *b);

/* True when a slice of STEP, which of traces has its rank, is of step WANTED, or that is STEP_ALL. */
static inline bool file_lane_has_step(const struct profile *p, int64_t step, int64_t wanted)
{
    return wanted == STEP_ALL || (p->n_recordings ? step_of_ranked(step) : step) == wanted;
}

#endif
