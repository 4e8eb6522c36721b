/* nth_value.h: selection of the value of a given rank without sorting. */
#ifndef TFPROF_BASE_NTH_VALUE_H
#define TFPROF_BASE_NTH_VALUE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the value that would be at index PLACE < N if VALUES[0 .. N - 1] were sorted. No value is
 * negative. Overwrites VALUES. O(N) in the worst case. */
int64_t nth_value(int64_t *values, size_t n, size_t place);

#endif
