/* nth_value.h: the value that would stand at a place, without sorting all. */
#ifndef TFPROF_BASE_NTH_VALUE_H
#define TFPROF_BASE_NTH_VALUE_H

#include <stddef.h>
#include <stdint.h>

/* Which of VALUES[0 .. N - 1], none below 0, would stand at PLACE < N were they sorted; leaves
 * them in another order, and some twice.  O(N), whatever the values are. */
int64_t nth_value(int64_t *values, size_t n, size_t place);

#endif
