/* allocations.h: allocations and frees during a step (formats-runmeta.md section 3), for the memory
 * in use over time. */
#pragma once

#include "model/exec.h"

/* The events of one execution of a node with one allocator: a range of allocations.events. */
struct allocation_list {
    int64_t step;
    uint32_t node; /* node_id */
    strid device, allocator;
    uint32_t n;
    size_t first;
};

/* In recorded order.  Empty when zeroed. */
struct allocations {
    VEC(struct allocation_list) lists;
    VEC(struct allocation) events;
};

/* Appends LIST; LIST.n is the number of EVENTS, and LIST.first is set here. */
static inline void allocations_add(struct allocations *all, struct allocation_list list,
                                   const struct allocation *events)
{
    list.first = all->events.n;
    vec_push(&all->lists, list);
    vec_reserve(&all->events, all->events.n + list.n);
    for (uint32_t i = 0; i < list.n; i++)
        all->events.data[all->events.n++] = events[i];
}
