/* allocations.c: the table of allocations of a profile. */
#include "model/allocations.h"

void allocations_add(struct allocations *all, struct allocation_list list,
                     const struct allocation *events)
{
    list.first = all->events.n;
    vec_push(&all->lists, list);
    vec_reserve(&all->events, all->events.n + list.n);
    for (uint32_t i = 0; i < list.n; i++)
        all->events.data[all->events.n++] = events[i];
}

void allocations_done(struct allocations *all)
{
    vec_done(&all->lists);
    vec_done(&all->events);
}
