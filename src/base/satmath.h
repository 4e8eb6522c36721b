/* satmath.h: 64-bit arithmetic that stops at the limits (semantics.md section 2). */
#ifndef TFPROF_BASE_SATMATH_H
#define TFPROF_BASE_SATMATH_H

#include <stdbool.h>
#include <stdint.h>

/* Each returns the exact result, or the nearest 64-bit limit and sets
 * *SATURATED (left alone otherwise; may not be NULL). */
static inline int64_t sat_add(int64_t a, int64_t b, bool *saturated)
{
    int64_t sum;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    *saturated = true;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t sat_mul(int64_t a, int64_t b, bool *saturated)
{
    int64_t product;

    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    *saturated = true;
    return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

#endif
