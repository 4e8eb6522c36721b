/* offsets.h: offsets of lists that are stored back to back in one array. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prefix sum. On entry BEGIN[I + 1] is the length of list I and BEGIN[0] is 0; on return list I
 * occupies [BEGIN[I], BEGIN[I + 1]). BEGIN has N_LISTS + 1 elements. False if the lists have more
 * than UINT32_MAX items in total; BEGIN is then undefined. */
bool offsets_sum(uint32_t *begin, size_t n_lists);

/* Restores BEGIN (N_LISTS + 1 offsets) after each list I was filled completely with BEGIN[I]++ as
 * the index of its next item. */
void offsets_rewind(uint32_t *begin, size_t n_lists);
