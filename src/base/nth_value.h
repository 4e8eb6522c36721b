/* nth_value.h: selection of the value of a given rank without sorting. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns the value that would be at index RANK < N if VALUES[0 .. N - 1] were sorted. No value is
 * negative. Overwrites VALUES. O(N) in the worst case. */
int64_t nth_value(int64_t *values, size_t n, size_t rank);

/* Standard deviation of a normal distribution divided by its median absolute deviation. */
#define MEDIAN_DEVIATION_TO_SIGMA 1.4826
/* Values further from the median than this many standard deviations are outliers. */
#define MEDIAN_SIGMAS 3
/* Smallest sample in which outliers are reported. */
enum { MEDIAN_FOR_OUTLIERS = 5 };

/* Sorts N values (at least one) and returns their median; with an even N the mean of the two in the
 * middle. */
double median_sort(double *values, size_t n);
/* Returns the median absolute deviation of N values (at least one) and stores their median in
 * *MEDIAN. Overwrites VALUES with the deviations. */
double median_deviation(double *values, size_t n, double *median);
