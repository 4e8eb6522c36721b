/* allocations.h: what allocators gave and took back while a step ran (formats-runmeta.md section
 * 3): for the memory in use over time. */
#ifndef TFPROF_MODEL_ALLOCATIONS_H
#define TFPROF_MODEL_ALLOCATIONS_H

#include "model/exec.h"

/* What one execution of a node had of one allocator: a run of allocations.events. */
struct allocation_list {
    int64_t step;
    uint32_t node; /* node_id */
    strid device, allocator;
    uint32_t n;
    size_t first;
};

/* In recorded order.  A zeroed one is empty. */
struct allocations {
    VEC(struct allocation_list) lists;
    VEC(struct allocation) events;
};

/* Appends LIST, of which n counts EVENTS and first is set. */
void allocations_add(struct allocations *all, struct allocation_list list,
                     const struct allocation *events);
void allocations_done(struct allocations *all);

#endif
