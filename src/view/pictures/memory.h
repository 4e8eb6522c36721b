/* memory.h: memory in use over time, for each allocator and step, and live memory at a given time;
 * computed from recorded allocations and frees (formats-runmeta.md section 8). */
#pragma once

#include "base/vec.h"
#include "model/profile.h"

/* An allocation or a free. */
struct memory_event {
    int64_t at_ticks, bytes; /* bytes: negative for a free */
    int64_t in_use_bytes;    /* of the allocator, after the event */
    node_id node;
};

/* Memory use of one allocator of a device in one step. */
struct memory_curve {
    int64_t step;
    strid device, allocator;
    /* range in memory.events, by time; events at the same time in recorded order */
    size_t first, n;
    /* index of the first event, from `first`, after which memory in use is highest */
    size_t peak;
    int64_t peak_bytes; /* at least 0 */
};

struct memory {
    VEC(struct memory_event) events;
    VEC(struct memory_curve) curves; /* by step, device, allocator, each in recorded order */
    /* [events.n] events of each curve sorted by node, then by time */
    const struct memory_event **by_node;
};

/* Fills M with the curves of STEP, or of all steps of P if STEP is negative; empty if the files
 * have no allocation records. O(n log n) in the records. P must outlive M. */
void memory_make(struct memory *m, const struct profile *p, int64_t step);
/* Adds a curve for each allocator of the log of P, each of all steps. Nodes of its events may be parts
 * (profile_whole()). */
void memory_add_log(struct memory *m, const struct profile *p);
void memory_done(struct memory *m);
/* The curve with the highest peak, or NULL. */
const struct memory_curve *memory_highest(const struct memory *m);
const struct memory_event *memory_events(const struct memory *m, const struct memory_curve *c);

/* Memory that a node holds of an allocator at a given time. */
struct memory_live {
    node_id node;
    int64_t bytes;
    int64_t from_ticks; /* time since which it holds memory */
    int64_t to_ticks;   /* end of the time; INT64_MAX: the end of the records */
};
typedef VEC(struct memory_live) memory_live_list;

/* Appends to LIVE the memory that each node holds right after event AT of C, largest first, then by
 * node. The bytes add up to in_use_bytes of the event unless sums saturate. A free without a
 * recorded allocation counts as negative bytes. O(n) in the events of C plus O(n log n) in the live
 * nodes. */
void memory_live_at(const struct memory *m, const struct memory_curve *c, size_t at,
                    memory_live_list *live);

/* Sum of the peaks of the executions of STEP: the original's figure, which counts reused memory
 * several times. */
int64_t memory_sum_of_peaks(const struct profile *p, int64_t step);
