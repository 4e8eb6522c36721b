/* offsets.c: offsets of lists that are stored back to back in one array. */
#include "base/offsets.h"

#include <string.h>

bool offsets_sum(uint32_t *begin, size_t n_lists)
{
    size_t sum = 0;

    for (size_t i = 1; i <= n_lists; i++) {
        if (__builtin_add_overflow(sum, begin[i], &sum) || sum > UINT32_MAX)
            return false;
        begin[i] = (uint32_t)sum;
    }
    return true;
}

void offsets_rewind(uint32_t *begin, size_t n_lists)
{
    memmove(begin + 1, begin, n_lists * sizeof *begin);
    begin[0] = 0;
}
