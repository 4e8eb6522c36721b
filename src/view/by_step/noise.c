/* noise.c: step-to-step variation of the compared figure of each row, on both sides. */
#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "base/xalloc.h"
#include "view/by_step/rows_at_step.h"

/* More steps hardly improve the estimate; VALUES_MOST bounds memory when there are many rows. */
enum { STEPS_MOST = 32, VALUES_MOST = 1 << 23 };

struct steps_of {
    const struct profile *profile;
    uint32_t n;      /* number of steps that are evaluated */
    int64_t *values; /* [n][rows] */
};

bool noise_is_wanted(const struct query_run *run)
{
    return run_compares(run) && run->options->significant;
}

/* The noise is known only for averages over several steps. */
static uint32_t n_steps_of(const struct profile *p, int64_t step, size_t n_rows)
{
    const size_t most = VALUES_MOST / n_rows;
    const uint32_t n = step == STEP_AVERAGE ? p->n_steps : 1;

    return n < STEPS_MOST && n <= most ? n : most < STEPS_MOST ? (uint32_t)most : STEPS_MOST;
}

static int64_t step_at(const struct steps_of *s, uint32_t i)
{
    return s->profile->steps[(uint64_t)i * s->profile->n_steps / s->n];
}

/* Median absolute deviation of ROW over its steps. */
static double deviation(const struct steps_of *s, size_t n_rows, row_id row)
{
    double values[STEPS_MOST], middle;

    for (uint32_t i = 0; i < s->n; i++)
        values[i] = (double)s->values[i * n_rows + row];
    return median_deviation(values, s->n, &middle);
}

static void fill_noise(const struct query_run *run, const struct steps_of *now,
                       const struct steps_of *base)
{
    const size_t n_rows = run->c->tree->n_rows;
    int64_t *noise = COLUMN(run->c->noise, int64_t);

    for (row_id row = 0; row < n_rows; row++) {
        /* Standard error of a median of n values: sqrt(pi / 2n) times their standard deviation. */
        const double a = deviation(now, n_rows, row) / sqrt(now->n);
        const double b = deviation(base, n_rows, row) / sqrt(base->n);
        const double limit = MEDIAN_SIGMAS * MEDIAN_DEVIATION_TO_SIGMA * sqrt(1.5707963) * sqrt(a * a + b * b);

        noise[row] = limit < (double)INT64_MAX ? (int64_t)limit : INT64_MAX;
    }
}

bool noise_rows(const struct query_run *run, struct err *err)
{
    const struct options *o = run->options;
    const struct profile *base_profile =
        run->comparison ? run->comparison->pairs.base : run->profile;
    const size_t n_rows = run->c->tree->n_rows;
    const int64_t base_step = options_compare_steps(o) ? o->diff_step : o->step;
    struct steps_of now = {.profile = run->profile, .n = n_steps_of(run->profile, o->step, n_rows)};
    struct steps_of base = {.profile = base_profile,
                            .n = n_steps_of(base_profile, base_step, n_rows)};
    struct options at;

    (void)err;
    if (now.n < 2 || base.n < 2)
        return true; /* unknown: leave it out */
    now.values = xalloc_huge(now.n * n_rows, sizeof *now.values);
    base.values = xalloc_huge(base.n * n_rows, sizeof *base.values);
    options_copy(&at, o);
    for (uint32_t i = 0; (i < now.n || i < base.n) && !cancel_asked(run->cancel); i++) {
        at.step = step_at(&now, i < now.n ? i : 0);
        at.diff_step = step_at(&base, i < base.n ? i : 0);
        rows_at_step(run, &at, options_compared_metric(o), false,
                     i < now.n ? now.values + i * n_rows : NULL,
                     i < base.n ? base.values + i * n_rows : NULL);
    }
    run->c->noise = column_new(run->pool, n_rows, sizeof(int64_t));
    if (!cancel_asked(run->cancel))
        fill_noise(run, &now, &base);
    run->c->n_now_steps = now.n;
    run->c->n_base_steps = base.n;
    options_done(&at);
    free(now.values);
    free(base.values);
    return true;
}
