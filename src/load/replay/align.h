/* align.h: assigns the work of a graph replay to the launches of a captured graph, by order and
 * name (formats-trace.md section 11). */
#pragma once

#include <stddef.h>

#include "load/replay/kernel_token.h"
#include "model/graph_replays.h"

enum { ALIGN_MAX = 1000000 }; /* limit for launches, and for records of work */

#define ALIGN_UNMATCHED UINT32_MAX
#define ALIGN_AMBIGUOUS (UINT32_MAX - 1)

/* All arrays are borrowed. */
struct align_request {
    const struct kernel_token *launches; /* in launch order */
    const struct kernel_token *works;    /* in time order */
    size_t n_launches, n_works;
    const uint32_t *row_of; /* by launch; launches with equal numbers have the same row */
    const uint32_t *stream_of;           /* by work, less than n_streams */
    uint32_t n_streams;
    const int64_t *launch_nodes, *work_nodes; /* graph node ids; NULL if some lack one */
    uint64_t *steps_left;                /* shared limit for the steps of all alignments */
    uint64_t *count_steps_left; /* a separate limit for counts of equal names in messages */
};

struct alignment {
    enum join_how how;       /* valid if reason is JOIN_FITS */
    enum join_reason reason; /* JOIN_FITS: accepted */
    uint32_t n_equal;        /* number of equal names */
};

/* Sets PLACED [n_works] to indexes of launches, ALIGN_UNMATCHED or ALIGN_AMBIGUOUS. */
struct alignment align(const struct align_request *r, uint32_t *placed);

/* The part of align() for several streams. */
struct alignment align_streams(const struct align_request *r, uint32_t *placed);

/* Records that work W may belong to LAUNCH; candidates with different rows make it ambiguous.
 * Calls for one W have descending launches. */
static inline void align_record(const struct align_request *r, uint32_t *placed, uint32_t w,
                              uint32_t launch)
{
    if (placed[w] == ALIGN_UNMATCHED || (placed[w] != ALIGN_AMBIGUOUS &&
                                         r->row_of[placed[w]] == r->row_of[launch]))
        placed[w] = launch;
    else
        placed[w] = ALIGN_AMBIGUOUS;
}

/* Consumes N steps; false when fewer are left. */
static inline bool align_spend(const struct align_request *r, uint64_t n)
{
    if (n > *r->steps_left)
        return false;
    *r->steps_left -= n;
    return true;
}
