/* interval_set.h: a union of intervals, and its overlap with a range. */
#pragma once

#include <stdint.h>

#include "base/satmath.h"
#include "base/vec.h"

struct interval {
    int64_t start_ps, end_ps;
    int64_t before_ps; /* sum of the lengths of the intervals before */
};

/* Disjoint intervals by time.  A zeroed one is empty; vec_done() frees it. */
typedef VEC(struct interval) interval_set;

/* Adds an interval; start times must not decrease between calls. */
static inline void interval_set_add(interval_set *set, int64_t start_ps, int64_t end_ps)
{
    struct interval *last = set->n ? &set->data[set->n - 1] : NULL;
    const int64_t before_ps =
        last ? clamp_add(last->before_ps, clamp_sub(last->end_ps, last->start_ps)) : 0;

    if (end_ps <= start_ps)
        return;
    if (last && start_ps <= last->end_ps) {
        last->end_ps = end_ps > last->end_ps ? end_ps : last->end_ps;
        return;
    }
    vec_push(set, ((struct interval){start_ps, end_ps, before_ps}));
}

/* Length of the part of SET in [START_PS, END_PS); O(log n). */
int64_t interval_set_within(const interval_set *set, int64_t start_ps, int64_t end_ps);
