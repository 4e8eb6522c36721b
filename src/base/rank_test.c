/* rank_test.c: tests whether two samples of at most 32 values differ. */
#include "base/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nth_value.h"
#include "base/xalloc.h"

enum { U_MOST = RANK_SAMPLE_MOST * RANK_SAMPLE_MOST };

/* Significance level: 1 / RATE_PARTS of comparisons of equal distributions may report a difference. */
enum { RATE_PARTS = 100 };

/* Number of orderings of n + m values by U, for one n and all m. */
struct orders {
    uint64_t by_u[RANK_SAMPLE_MOST + 1][U_MOST + 1];
};

static void set_limit(struct rank_limits *limits, uint32_t n, uint32_t m, const uint64_t *by_u)
{
    uint64_t sum = 0, below = 0;
    int limit = -1;

    for (uint32_t u = 0; u <= n * m; u++)
        sum += by_u[u];
    for (uint32_t u = 0; u <= n * m; u++) {
        if (below + by_u[u] > sum / (2 * RATE_PARTS))
            break;
        below += by_u[u];
        limit = (int)u;
    }
    limits->most[n][m] = (int16_t)limit;
    limits->rate[n][m] = 2 * (double)below / (double)sum;
}

/* w(n, m, u) = w(n - 1, m, u - m) + w(n, m - 1, u): the largest value belongs to the first sample,
 * and all m others precede it, or to the second. */
static void next_orders(struct orders *next, const struct orders *last, uint32_t n)
{
    memset(next, 0, sizeof *next);
    next->by_u[0][0] = 1;
    for (uint32_t m = 1; m <= RANK_SAMPLE_MOST; m++)
        for (uint32_t u = 0; u <= n * m; u++)
            next->by_u[m][u] = next->by_u[m - 1][u] + (u >= m ? last->by_u[m][u - m] : 0);
}

void rank_limits_init(struct rank_limits *limits)
{
    struct orders *last = xcalloc(2, sizeof *last), *next = last + 1;

    memset(limits, 0, sizeof *limits);
    for (uint32_t m = 0; m <= RANK_SAMPLE_MOST; m++) {
        last->by_u[m][0] = 1;
        limits->most[0][m] = limits->most[m][0] = -1;
    }
    for (uint32_t n = 1; n <= RANK_SAMPLE_MOST; n++) {
        next_orders(next, last, n);
        for (uint32_t m = 1; m <= RANK_SAMPLE_MOST; m++)
            set_limit(limits, n, m, next->by_u[m]);
        memcpy(last, next, sizeof *last);
    }
    free(last);
}

/* Uses ranks if the most extreme ordering is rare enough. */
bool samples_use_ranks(uint32_t n_x, uint32_t n_y)
{
    double orders = 1;

    for (uint32_t i = 1; i <= n_x; i++)
        orders = orders * (n_y + i) / i;
    return n_x && n_y && orders >= 2 * RATE_PARTS;
}

static double mean_of(const double *values, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

static double squares_of(const double *values, uint32_t n, double mean)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum;
}

/* Two-sided 0.5 % quantile of Student's distribution, for 2 to 18 degrees of freedom. */
static double student_limit(uint32_t freedom)
{
    static const double limits[] = {14.089, 7.453, 5.598, 4.773, 4.317, 4.029, 3.833, 3.690, 3.581,
                                    3.497,  3.428, 3.372, 3.326, 3.286, 3.252, 3.222, 3.197};
    const uint32_t last = sizeof limits / sizeof *limits - 1;

    return limits[freedom - 2 < last ? freedom - 2 : last];
}

/* Uses the standard deviation, because a robust spread of two to four values is often near zero by
 * chance. */
static enum sample_verdict compare_means(const struct samples *s, double resolution, double *rate)
{
    const double x = mean_of(s->x, s->n_x), y = mean_of(s->y, s->n_y);
    const uint32_t freedom = s->n_x + s->n_y - 2;
    const double spread = sqrt((squares_of(s->x, s->n_x, x) + squares_of(s->y, s->n_y, y)) / freedom);
    const double limit = student_limit(freedom) * fmax(spread, resolution) * sqrt(1.0 / s->n_x + 1.0 / s->n_y);

    *rate = 0.5 / RATE_PARTS;
    return fabs(y - x) > limit ? SAMPLES_SIGNIFICANT : SAMPLES_WITHIN;
}

/* Twice the number of pairs with y < x; equal values count one half. */
static uint32_t twice_u(const struct samples *s)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < s->n_x; i++)
        for (uint32_t k = 0; k < s->n_y; k++)
            sum += s->y[k] < s->x[i] ? 2 : !(s->y[k] > s->x[i]);
    return sum;
}

enum sample_verdict samples_compare(const struct samples *s, const struct rank_limits *limits,
                                    double resolution, double *rate)
{
    uint32_t u, most;
    double delta;

    *rate = 0;
    if (s->n_x < 2 || s->n_y < 2)
        return SAMPLES_UNKNOWN;
    if (!samples_use_ranks(s->n_x, s->n_y))
        return compare_means(s, resolution, rate);
    *rate = limits->rate[s->n_x][s->n_y];
    most = 2 * (uint32_t)limits->most[s->n_x][s->n_y];
    u = twice_u(s);
    delta = mean_of(s->y, s->n_y) - mean_of(s->x, s->n_x);
    if (u <= most)
        return delta > 0 ? SAMPLES_SIGNIFICANT : SAMPLES_SIGNS;
    if (2 * s->n_x * s->n_y - u <= most)
        return delta < 0 ? SAMPLES_SIGNIFICANT : SAMPLES_SIGNS;
    return SAMPLES_WITHIN;
}

double samples_shift(const struct samples *s)
{
    double differences[U_MOST];
    size_t n = 0;

    for (uint32_t i = 0; i < s->n_x; i++)
        for (uint32_t k = 0; k < s->n_y; k++)
            differences[n++] = s->y[k] - s->x[i];
    return median_sort(differences, n);
}
