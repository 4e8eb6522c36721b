/* align.h: assigns the work of a graph replay to the launches of a captured graph, by order and name
 * (formats-trace.md section 11). */
#pragma once

#include <stddef.h>

#include "load/replay/kernel_token.h"
#include "model/graph_replays.h"

enum { ALIGN_MAX = 1000000 }; /* launches, or records of work */

#define ALIGN_UNMATCHED UINT32_MAX
#define ALIGN_AMBIGUOUS (UINT32_MAX - 1)

/* All borrowed. */
struct align_request {
    const struct kernel_token *launches; /* in the order of launch */
    const struct kernel_token *works;    /* in the order of time */
    size_t n_launches, n_works;
    const uint32_t *row_of;              /* by launch: equal numbers are equal rows */
    const uint32_t *stream_of;           /* by work, below n_streams */
    uint32_t n_streams;
    const int64_t *launch_nodes, *work_nodes; /* ids of nodes of the graph; NULL: not all have one */
    uint64_t *steps_left;                /* limits the work of all alignments together */
    uint64_t *count_steps_left;          /* the same for counts of equal names that messages have */
};

struct alignment {
    enum join_how how;       /* valid when it is not refused */
    enum join_reason reason; /* JOIN_FITS: not refused */
    uint32_t n_equal;        /* equal names */
};

/* Sets PLACED, an array of n_works, to the index of a launch, or to one of the two values above. */
struct alignment align(const struct align_request *r, uint32_t *placed);

/* Parts of align(): one stream with names (4.3), and several (4.4). */
struct alignment align_order(const struct align_request *r, uint32_t *placed);
struct alignment align_streams(const struct align_request *r, uint32_t *placed);

/* Notes that work W may belong to LAUNCH.  Calls for one work come with descending launches. */
static inline void align_note(const struct align_request *r, uint32_t *placed, uint32_t w,
                              uint32_t launch)
{
    if (placed[w] == ALIGN_UNMATCHED || (placed[w] != ALIGN_AMBIGUOUS &&
                                         r->row_of[placed[w]] == r->row_of[launch]))
        placed[w] = launch;
    else
        placed[w] = ALIGN_AMBIGUOUS;
}

/* Takes N steps of what is left; false: there are not as many. */
static inline bool align_take(const struct align_request *r, uint64_t n)
{
    if (n > *r->steps_left)
        return false;
    *r->steps_left -= n;
    return true;
}
