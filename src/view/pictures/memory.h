/* memory.h: the memory in use over time of each allocator in each step, from what executions
 * allocated and gave back, and what is live at any of these times (formats-runmeta.md section 8). */
#ifndef TFPROF_VIEW_PICTURES_MEMORY_H
#define TFPROF_VIEW_PICTURES_MEMORY_H

#include "base/vec.h"
#include "model/profile.h"

/* An allocation or a free. */
struct memory_event {
    int64_t at_ticks, bytes; /* negative: given back */
    int64_t in_use_bytes;    /* of the allocator, after it */
    node_id node;
};

/* An allocator of a device in a step. */
struct memory_curve {
    int64_t step;
    strid device, allocator;
    size_t first, n; /* in memory.events, by time; at the same time as recorded */
    size_t peak;     /* the event, counted from first, after which most is in use: the earliest */
    int64_t peak_bytes; /* never below 0 */
};

struct memory {
    VEC(struct memory_event) events;
    VEC(struct memory_curve) curves; /* by step, device, allocator: as first recorded */
    const struct memory_event **by_node; /* [events.n]: those of each curve by node, then by time */
};

/* Fills M with the curves of STEP, or with STEP below 0 of all steps of P: none when no file has
 * allocation records.  Takes O(n log n) of the records.  P must outlive M. */
void memory_make(struct memory *m, const struct profile *p, int64_t step);
void memory_done(struct memory *m);
/* The curve with the highest peak; NULL: there is none. */
const struct memory_curve *memory_highest(const struct memory *m);
const struct memory_event *memory_events(const struct memory *m, const struct memory_curve *c);

/* What a node has of an allocator at a time. */
struct memory_live {
    node_id node;
    int64_t bytes;
    int64_t from_ticks; /* since when it has any */
    int64_t to_ticks;   /* until when; INT64_MAX: to the end of the records */
};
typedef VEC(struct memory_live) memory_live_list;

/* Appends to LIVE what nodes hold right after event AT of C, most first, then by node: the
 * sum of bytes is that event's in_use_bytes, but where sums meet a 64-bit limit.  What was given
 * back without having been recorded counts below 0.  O(n) of the events of C, and O(n log n) of
 * what is live. */
void memory_live_at(const struct memory *m, const struct memory_curve *c, size_t at,
                    memory_live_list *live);

/* What the executions of STEP have as their own peaks in sum: the figure of the original, which
 * counts memory that is used again each time. */
int64_t memory_sum_of_peaks(const struct profile *p, int64_t step);

#endif
