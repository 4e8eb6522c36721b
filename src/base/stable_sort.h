/* stable_sort.h: sorting pointers so that equals stay in their order. */
#ifndef TFPROF_BASE_STABLE_SORT_H
#define TFPROF_BASE_STABLE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* True when *A must stand before *B. */
typedef bool stable_before(const void *a, const void *b);

/* Sorts N ITEMS in O(n log k), k being the sorted runs that they are in. */
void stable_sort(const void **items, size_t n, stable_before *before);

#endif
