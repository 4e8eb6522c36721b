/* lower_bound.h: binary search as a macro.
 *
 *     size_t at = 0;
 *     LOWER_BOUND(at, n, i, steps[i] < step);
 *     return at < n && steps[at] == step;
 */
#pragma once

#include <stddef.h>

/* Binary search: advances AT, a size_t index, to the first index for which IS_BEFORE is false, or
 * to END. IS_BEFORE is an expression of the index I that is true up to some index and false from
 * there on. */
#define LOWER_BOUND(at, end, i, is_before)                  \
    for (size_t high_ = (end), i; (at) < high_;) {          \
        i = (at) + (high_ - (at)) / 2;                      \
        if (is_before)                                      \
            (at) = i + 1;                                   \
        else                                                \
            high_ = i;                                      \
    }
