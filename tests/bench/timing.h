/* timing.h: clocks and percentiles for programs that measure.  They print one measure per line for
 * bench.sh: name, value and unit separated by tabs; text after a third tab is ignored. */
#pragma once

#include <stddef.h>
#include <time.h>

/* Milliseconds of CLOCK; CLOCK_MONOTONIC is wall-clock time. */
double now_ms(clockid_t clock);

/* The value that PART of N values do not exceed; 0.5 is the median.  Sorts VALUES; N > 0. */
double percentile(double *values, size_t n, double part);
