/* timing.h: clocks and percentiles, which all programs that measure share.
 *
 * What they print is read by bench.sh: one measure a line, its name, figure
 * and unit between tabs; what follows a third tab is for people. */
#ifndef TFPROF_BENCH_TIMING_H
#define TFPROF_BENCH_TIMING_H

#include <stddef.h>
#include <time.h>

/* Milliseconds of CLOCK, CLOCK_MONOTONIC for that on the wall. */
double now_ms(clockid_t clock);

/* The value that PART of N values do not exceed, 0.5: the median.  Sorts
 * VALUES; N > 0. */
double percentile(double *values, size_t n, double part);

#endif
