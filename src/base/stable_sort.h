/* stable_sort.h: stable merge sort of pointers and of arrays, in O(n log k), where k is the number of
 * sorted runs in the input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True if *A sorts before *B. */
typedef bool stable_before(const void *a, const void *b);
/* Negative, 0 or positive, as for qsort(). */
typedef int stable_compare(const void *a, const void *b);

/* Sorts N ITEMS. */
void stable_sort(const void **items, size_t n, stable_before *before);
/* Sorts the N items of ARRAY, of SIZE_BYTES each; linear if they are sorted. */
void stable_sort_array(void *array, size_t n, size_t size_bytes, stable_compare *compare);
/* The same, but keeps only the last of equal items; returns the number of items left. */
size_t sort_last_wins(void *array, size_t n, size_t size_bytes, stable_compare *compare);
