/* stable_sort.h: stable merge sort of pointers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True if *A sorts before *B. */
typedef bool stable_before(const void *a, const void *b);

/* Sorts N ITEMS in O(n log k), where k is the number of sorted runs in the input. */
void stable_sort(const void **items, size_t n, stable_before *before);
