/* time_range.h: a time range as users write it: "0.6s:1.72s". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* [from_ps, to_ps), relative to the first execution of a step; from_ps >= 0. */
struct time_range {
    int64_t from_ps, to_ps; /* to_ps TIME_RANGE_OPEN: to the end */
};

#define TIME_RANGE_OPEN INT64_MAX

static inline bool time_range_is_all(struct time_range range)
{
    return range.from_ps == 0 && range.to_ps == TIME_RANGE_OPEN;
}

static inline bool time_range_equal(struct time_range a, struct time_range b)
{
    return a.from_ps == b.from_ps && a.to_ps == b.to_ps;
}

/* Reads "FROM:TO", either of which may be missing, or "all".  Times are numbers, with or without
 * decimals, in microseconds or in the unit that follows: ps, ns, us, ms, s, or sec as in the
 * outputs.  False with ERR (usage), which begins with "-NAME: ". */
bool time_range_read(const char *name, const char *text, struct time_range *range, struct err *err);
/* Reads a single time of that form; false when TEXT is not a time. */
bool time_read(const char *text, int64_t *ps);
/* Appends RANGE exactly, in the form that time_range_read() reads. */
void time_range_print(struct strbuf *sb, struct time_range range);
