/* satmath.h: saturating 64-bit arithmetic (semantics.md section 2). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* These return the exact result, or on overflow the nearest 64-bit limit with *SATURATED set.
 * *SATURATED is unchanged otherwise and may not be NULL. */
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

/* Saturating addition without a flag, for sizes and offsets from files: an out-of-range value stays
 * out of range. */
static inline int64_t clamp_add(int64_t a, int64_t b)
{
    bool saturated;

    return sat_add(a, b, &saturated);
}

static inline int64_t clamp_neg(int64_t a)
{
    int64_t negative;

    return __builtin_sub_overflow(0, a, &negative) ? INT64_MAX : negative;
}

static inline int64_t clamp_sub(int64_t a, int64_t b)
{
    int64_t difference;

    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return b < 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t clamp_mul(int64_t a, int64_t b)
{
    bool saturated;

    return sat_mul(a, b, &saturated);
}

static inline int64_t larger_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A / B rounded towards zero, A / B rounded up, and A % B with the sign of A. All return 0 if B is
 * 0. */
int64_t quotient(int64_t a, int64_t b);
int64_t quotient_up(int64_t a, int64_t b);
int64_t sat_remainder(int64_t a, int64_t b);

/* Number of values FROM, FROM + STEP, ... before TO.  0 if TO precedes FROM or STEP is 0; at most
 * INT64_MAX. */
int64_t steps_between(int64_t from, int64_t to, int64_t step);

/* Appends the decimal digit C to *VALUE. Returns false on overflow. */
static inline bool append_digit(int64_t *value, char c)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, (unsigned char)c - (unsigned)'0', value);
}

/* Returns 1 << I, or 0 if I is above 63. */
uint64_t bit_of(uint32_t i);
static inline bool bit_at(uint64_t bits, uint32_t i)
{
    return (bits & bit_of(i)) != 0;
}
