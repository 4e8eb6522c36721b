/* timing.c: clocks and percentiles. */
#include "timing.h"

#include <stdlib.h>

double now_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double percentile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, by_value);
    return values[(size_t)(part * (double)(n - 1) + 0.5)];
}
