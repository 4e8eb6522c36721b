/* satmath.c: 64-bit division without traps. */
#include "base/satmath.h"

int64_t quotient(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    return b == -1 ? clamp_neg(a) : a / b;
}

int64_t sat_remainder(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

int64_t quotient_up(int64_t a, int64_t b)
{
    const int64_t down = quotient(a, b), rest = sat_remainder(a, b);

    return rest != 0 && (rest < 0) == (b < 0) ? clamp_add(down, 1) : down;
}

uint64_t bit_of(uint32_t i)
{
    return i < 64 ? UINT64_C(1) << i : 0;
}

int64_t steps_between(int64_t from, int64_t to, int64_t step)
{
    uint64_t span, stride, n;

    if (step == 0 || from == to || (from < to) != (step > 0))
        return 0;
    span = from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    stride = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    n = (span - 1) / stride + 1;
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}
