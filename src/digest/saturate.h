/* saturate.h: sums that saturate at the 64-bit limit, so that their order makes no difference. */
#ifndef TFPROF_DIGEST_SATURATE_H
#define TFPROF_DIGEST_SATURATE_H

#include <stdint.h>

static inline uint64_t add_up_to_limit(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
