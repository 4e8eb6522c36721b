/* min_heap.h: binary min-heap as a macro.
 *
 *     HEAP_SIFT_DOWN(struct item, items, n, 0, is_before, context);
 */
#pragma once

#include <stddef.h>

/* Restores the order of HEAP, N elements of TYPE, after element AT was replaced.
 * IS_BEFORE(CONTEXT, a, b) compares the elements that a and b point to. */
#define HEAP_SIFT_DOWN(type, heap, n, at, is_before, context)                     \
    for (size_t at_ = (at), child_; (child_ = 2 * at_ + 1) < (n); at_ = child_) { \
        type moved_;                                                              \
        if (child_ + 1 < (n) && is_before(context, &(heap)[child_ + 1], &(heap)[child_])) \
            child_++;                                                             \
        if (!is_before(context, &(heap)[child_], &(heap)[at_]))                   \
            break;                                                                \
        moved_ = (heap)[at_];                                                     \
        (heap)[at_] = (heap)[child_];                                             \
        (heap)[child_] = moved_;                                                  \
    }
