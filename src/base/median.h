/* median.h: the middle of numbers, and how far they are from it. */
#ifndef TFPROF_BASE_MEDIAN_H
#define TFPROF_BASE_MEDIAN_H

#include <stddef.h>

/* Of a normal distribution the median absolute deviation times this is the standard deviation. */
#define MEDIAN_DEVIATION_TO_SIGMA 1.4826
/* A difference of so many standard deviations is no chance. */
#define MEDIAN_SIGMAS 3
/* Among fewer numbers none can be said to be far from the others. */
enum { MEDIAN_FOR_OUTLIERS = 5 };

/* The median of N numbers, at least one, which it sorts; of two in the middle their mean. */
double median_sort(double *values, size_t n);
/* The median absolute deviation of N numbers, at least one, from their median, which goes to
 * *MEDIAN; puts the deviations into VALUES. */
double median_deviation(double *values, size_t n, double *median);

#endif
