/* timeline_memory.h: memory counters of accelerators in the graph timeline. */
#pragma once

#include "base/vec.h"
#include "export/timeline/timeline.h"

struct memory_device; /* private */

/* For each accelerator: allocator bytes in use over time, and the nodes that hold them
 * (semantics.md section 6, Counters). */
struct memory_counters {
    struct result *r;
    int64_t step;
    int64_t first_pid;
    int64_t from_ticks, to_ticks; /* range of time of the written counters; initially everything */
    VEC(struct memory_device *) devices; /* sorted by name */
};

/* Collects the displayed rows of R; process ids count from FIRST_PID. */
void memory_counters_init(struct memory_counters *m, struct result *r, int64_t first_pid);
void memory_counters_announce(const struct memory_counters *m, struct trace_events *t);
void memory_counters_write(struct memory_counters *m, struct trace_events *t);
void memory_counters_done(struct memory_counters *m);
