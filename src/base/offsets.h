/* offsets.h: where each of many lists begins, that stand back to back in one array. */
#ifndef TFPROF_BASE_OFFSETS_H
#define TFPROF_BASE_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* BEGIN, of N_LISTS + 1 places, holds the length of list I at BEGIN[I + 1] (BEGIN[0] is 0); afterwards
 * list I is [BEGIN[I], BEGIN[I + 1]).  False when all lists together have more than UINT32_MAX
 * items: BEGIN is of no use then. */
bool offsets_sum(uint32_t *begin, size_t n_lists);

/* The lists of N_LISTS + 1 offsets were filled with BEGIN[I]++ as the place of the next item of
 * list I, until each was full: makes BEGIN what it was. */
void offsets_rewind(uint32_t *begin, size_t n_lists);

#endif
