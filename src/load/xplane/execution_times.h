/* execution_times.h: statistics of execution times per node and device (formats-xplane.md section
 * 12). */
#ifndef TFPROF_LOAD_XPLANE_EXECUTION_TIMES_H
#define TFPROF_LOAD_XPLANE_EXECUTION_TIMES_H

#include "load/xplane/run.h"

/* Executions of the current node. */
struct execution_times {
    VEC(struct execution) executions;
    VEC(int64_t) sorted_ps; /* by device */
    VEC(uint32_t) devices;  /* devices that it ran on, in order of appearance */
    size_t *begin;          /* [n_devices + 1] offsets in sorted_ps; counts until sorted */
};

void execution_times_init(struct execution_times *t, const struct run *r);
void execution_times_done(struct execution_times *t);

/* Adds N events of one step and device, ordered by time. */
void execution_times_add(struct execution_times *t, const struct run *r,
                         const void *const *events, size_t n);
/* Finishes NODE: adds its times per device to r->executions and to the devices, and empties T. */
void execution_times_end(struct execution_times *t, struct run *r, node_id node);

#endif
