/* lower_bound.h: binary search, written once.
 *
 *     size_t at = 0;
 *     LOWER_BOUND(at, n, i, steps[i] < step);
 *     return at < n && steps[at] == step;
 */
#ifndef TFPROF_BASE_LOWER_BOUND_H
#define TFPROF_BASE_LOWER_BOUND_H

#include <stddef.h>

/* Moves AT, a size_t that is an index, on to the first one for which IS_BEFORE does
 * not hold, or to END when there is none.  IS_BEFORE is an expression of the index
 * I, true up to some index and false from there on. */
#define LOWER_BOUND(at, end, i, is_before)                  \
    for (size_t high_ = (end), i; (at) < high_;) {          \
        i = (at) + (high_ - (at)) / 2;                      \
        if (is_before)                                      \
            (at) = i + 1;                                   \
        else                                                \
            high_ = i;                                      \
    }

#endif
