/* saturate.h: sums that stop at the 64-bit limit: in any order they give the same. */
#ifndef TFPROF_DIGEST_SATURATE_H
#define TFPROF_DIGEST_SATURATE_H

#include <stdint.h>

static inline uint64_t add_up_to_limit(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
