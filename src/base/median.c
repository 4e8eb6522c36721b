/* median.c: median and median absolute deviation. */
#include "base/median.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double median_deviation(double *values, size_t n, double *median)
{
    *median = median_sort(values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - *median);
    return median_sort(values, n);
}
