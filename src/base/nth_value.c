/* nth_value.c: selection of the value of a given rank.
 *
 * Radix selection by eight bits at a time, highest first: at most eight passes. */
#include "base/nth_value.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FIRST_SHIFT = 56 };

static unsigned digit_of(int64_t value, unsigned shift)
{
    return (unsigned)((uint64_t)value >> shift) & (DIGITS - 1);
}

int64_t nth_value(int64_t *values, size_t n, size_t rank)
{
    for (unsigned shift = FIRST_SHIFT; n > 1; shift -= DIGIT_BITS) {
        size_t count[DIGITS] = {0}, kept = 0;
        unsigned digit = 0;

        for (size_t i = 0; i < n; i++)
            count[digit_of(values[i], shift)]++;
        while (rank >= count[digit])
            rank -= count[digit++];
        for (size_t i = 0; i < n && count[digit] < n; i++)
            if (digit_of(values[i], shift) == digit)
                values[kept++] = values[i];
        n = count[digit];
        if (shift == 0)
            break; /* the remaining values are equal */
    }
    return values[0];
}

/* ---- median and median absolute deviation */

COMPARE_VALUES(by_value, double)

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
