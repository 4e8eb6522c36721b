/* loop_frames.h: finds the nodes inside loops of the graph itself (Enter, Merge, Switch,
 * NextIteration, Exit). */
#ifndef TFPROF_FLOPS_LOOP_FRAMES_H
#define TFPROF_FLOPS_LOOP_FRAMES_H

#include "base/cancel.h"
#include "model/profile.h"

/* A flag for each node, freed by the caller; NULL when there is no such loop, or when cancelled. */
uint8_t *loop_frames(const struct profile *p, struct cancel_mark cancel);

#endif
