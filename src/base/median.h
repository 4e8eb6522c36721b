/* median.h: median and median absolute deviation. */
#ifndef TFPROF_BASE_MEDIAN_H
#define TFPROF_BASE_MEDIAN_H

#include <stddef.h>

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

#endif
