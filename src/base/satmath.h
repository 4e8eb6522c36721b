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

static inline int64_t sat_sub(int64_t a, int64_t b, bool *saturated)
{
    int64_t difference;

    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    *saturated = true;
    return b < 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t sat_mul(int64_t a, int64_t b, bool *saturated)
{
    int64_t product;

    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    *saturated = true;
    return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/* The same where nobody asks whether a limit was met: for sizes and places that a file
 * states, of which an absurd one only has to stay absurd. */
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

/* A by B, rounded to zero, and rounded up; the rest of the first one has the sign of A.
 * By 0 all are 0: who gets B from a file looks before. */
int64_t quotient(int64_t a, int64_t b);
int64_t quotient_up(int64_t a, int64_t b);
int64_t remainder_of(int64_t a, int64_t b);

/* How many of FROM, FROM + STEP, ... stand before TO: 0 when TO is behind, or STEP is 0;
 * INT64_MAX when they are as many or more. */
int64_t steps_between(int64_t from, int64_t to, int64_t step);

/* Appends the decimal digit C to *VALUE; false when that does not fit. */
static inline bool append_digit(int64_t *value, char c)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, (unsigned char)c - (unsigned)'0', value);
}

/* The number that has bit I alone; 0 for bits beyond 63. */
uint64_t bit_of(uint32_t i);
static inline bool bit_at(uint64_t bits, uint32_t i)
{
    return (bits & bit_of(i)) != 0;
}

#endif
