/* execution_times.h: how long the executions of a node took on each device (formats-xplane.md
 * section 12). */
#ifndef TFPROF_LOAD_XPLANE_EXECUTION_TIMES_H
#define TFPROF_LOAD_XPLANE_EXECUTION_TIMES_H

#include "load/xplane/run.h"

/* The executions of the node in work. */
struct execution_times {
    VEC(struct execution) executions;
    VEC(int64_t) sorted_ps; /* by device */
    VEC(uint32_t) devices;  /* that it ran on, as met */
    size_t *begin;          /* [n_devices + 1] in sorted_ps; counts, before */
};

void execution_times_init(struct execution_times *t, const struct run *r);
void execution_times_done(struct execution_times *t);

/* Adds N events, of one step and device, in the order of time. */
void execution_times_add(struct execution_times *t, const struct run *r,
                         const void *const *events, size_t n);
/* Ends NODE: what it took on each device goes to r->executions and the devices; T is empty again. */
void execution_times_end(struct execution_times *t, struct run *r, node_id node);

#endif
