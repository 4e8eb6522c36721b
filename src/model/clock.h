/* clock.h: units of time.  Durations in figures are picoseconds.  An instant is a number of ticks,
 * the unit of its file, since the origin of the file; 64 bits of picoseconds since 1970 would end
 * after 106 days. */
#pragma once

#include "base/satmath.h"

#define PS_PER_NS INT64_C(1000)
#define PS_PER_US INT64_C(1000000)

/* The length of a tick; RunMetadata has microseconds. */
struct clock {
    int64_t tick_ps;
};

/* Converts ticks to picoseconds. */
static inline int64_t clock_ps(struct clock clock, int64_t ticks, bool *saturated)
{
    return clock.tick_ps == 1 ? ticks : sat_mul(ticks, clock.tick_ps, saturated);
}

/* Picoseconds between two instants, clamped to 64 bits. */
static inline int64_t clock_ps_between(struct clock clock, int64_t from_ticks, int64_t to_ticks)
{
    bool saturated = false;

    return clock_ps(clock, clamp_sub(to_ticks, from_ticks), &saturated);
}

/* Rounds PS to microseconds, halves away from zero. */
static inline int64_t clock_round_us(int64_t ps)
{
    const int64_t rest = ps % PS_PER_US;

    return ps / PS_PER_US + (rest >= PS_PER_US / 2) - (rest <= -PS_PER_US / 2);
}
