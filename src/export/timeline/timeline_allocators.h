/* timeline_allocators.h: memory in use of the allocators of a capture, as counters of the graph
 * timeline. */
#ifndef TFPROF_EXPORT_TIMELINE_ALLOCATORS_H
#define TFPROF_EXPORT_TIMELINE_ALLOCATORS_H

#include "export/timeline/timeline.h"
#include "view/origins.h"

struct capture;

/* Names a process for each allocator of C with events, from FIRST_PID on. */
void allocators_announce(const struct profile *p, const struct capture *c, int64_t first_pid,
                         struct trace_events *t);
/* Bytes in use at FROM_TICKS, and what they became until TO_TICKS, on the clock of ORIGINS that all
 * hosts have in common. */
void allocators_write(const struct capture *c, const struct origins *origins, int64_t first_pid,
                      int64_t from_ticks, int64_t to_ticks, struct trace_events *t);

#endif
