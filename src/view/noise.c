/* noise.c: step-to-step variation of the compared figure of each row, on both sides. */
#include "view/noise.h"

#include <math.h>

#include "base/nth_value.h"
#include "view/stages.h"

/* Bounds memory when there are many rows. */
enum { VALUES_MOST = 1 << 23 };

/* Steps of one side. */
struct steps_of {
    const struct profile *profile;
    uint32_t n;       /* number of steps that are evaluated */
    int64_t *values;  /* [n][rows] */
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

    return n < RANK_SAMPLE_MOST && n <= most ? n
           : most < RANK_SAMPLE_MOST         ? (uint32_t)most
                                             : RANK_SAMPLE_MOST;
}

static int64_t step_at(const struct steps_of *s, uint32_t i)
{
    return s->profile->steps[(uint64_t)i * s->profile->n_steps / s->n];
}

/* Figures of all rows in step I of either side (ignored where it has fewer). */
static void read_step(const struct query_run *run, struct options *at, enum metric_id metric,
                      const struct steps_of *now, const struct steps_of *base, uint32_t i,
                      int64_t *now_values, int64_t *base_values)
{
    at->step = step_at(now, i < now->n ? i : 0);
    at->diff_step = step_at(base, i < base->n ? i : 0);
    rows_at_step(run, at, metric, false, i < now->n ? now_values : NULL,
                 i < base->n ? base_values : NULL);
}

static void mark_idle(int64_t *values, const int64_t *runs, size_t n_rows)
{
    for (size_t row = 0; row < n_rows; row++)
        if (runs ? !runs[row] : !values[row])
            values[row] = NOISE_NOT_RUN;
}

/* A row ran in a step if its time is not 0; for other metrics if it has runs. */
static void read_steps(const struct query_run *run, const struct steps_of *now,
                       const struct steps_of *base)
{
    const enum metric_id metric = options_compared_metric(run->options);
    const bool is_time = metrics[metric].unit == UNIT_TIME_PS;
    const size_t n_rows = run->c->tree->n_rows;
    struct column *scratch = is_time ? NULL : column_new(run->pool, 2 * n_rows, sizeof(int64_t));
    int64_t *runs = COLUMN(scratch, int64_t);
    struct options at;

    options_copy(&at, run->options);
    for (uint32_t i = 0; (i < now->n || i < base->n) && !cancel_asked(run->cancel); i++) {
        int64_t *of_now = now->values + i * n_rows, *of_base = base->values + i * n_rows;

        read_step(run, &at, metric, now, base, i, of_now, of_base);
        if (!is_time)
            read_step(run, &at, METRIC_OCCURRENCE, now, base, i, runs, runs + n_rows);
        if (i < now->n)
            mark_idle(of_now, runs, n_rows);
        if (i < base->n)
            mark_idle(of_base, runs ? runs + n_rows : NULL, n_rows);
    }
    options_done(&at);
    column_unref(scratch);
}

static uint32_t read_sample(double *sample, const int64_t *values, uint32_t n_steps, size_t n_rows,
                            row_id row)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_steps; i++)
        if (values[i * n_rows + row] != NOISE_NOT_RUN)
            sample[n++] = (double)values[i * n_rows + row];
    return n;
}

static void read_samples(struct samples *s, const struct noise *noise, row_id row)
{
    s->n_x = read_sample(s->x, noise->base, noise->n_base_steps, noise->n_rows, row);
    s->n_y = read_sample(s->y, noise->now, noise->n_now_steps, noise->n_rows, row);
}

/* Picoseconds that the coarser clock of both sides resolves; at least a nanosecond. */
static double resolution_of(const struct query_run *run, const struct profile *base)
{
    const struct profile *now = run_now(run);
    const int64_t a = now->clock.tick_ps, b = base->clock.tick_ps;

    if (metrics[options_compared_metric(run->options)].unit != UNIT_TIME_PS)
        return 0;
    return fmax((double)(a > b ? a : b), 1000);
}

static void judge_rows(const struct query_run *run, struct noise *noise, double resolution,
                       uint8_t *verdicts, float *rates)
{
    const uint8_t *kept = COLUMN(run->c->kept, const uint8_t);
    const uint8_t *sides = COLUMN(run->c->sides, const uint8_t);
    struct rank_limits limits;
    struct samples s;

    rank_limits_init(&limits);
    for (row_id row = 0; row < noise->n_rows && !cancel_asked(run->cancel); row++) {
        double rate = 0;

        verdicts[row] = SAMPLES_UNKNOWN;
        rates[row] = 0;
        if (!(sides[row] & SIDE_NOW) || !(sides[row] & SIDE_BASE))
            continue;
        read_samples(&s, noise, row);
        verdicts[row] = (uint8_t)samples_compare(&s, &limits, resolution, &rate);
        rates[row] = (float)rate;
        if (!row || !kept[row] || verdicts[row] == SAMPLES_UNKNOWN)
            continue;
        noise->n_tested++;
        noise->n_significant += verdicts[row] == SAMPLES_SIGNIFICANT;
        noise->n_expected += rate;
    }
}

void noise_rows(const struct query_run *run)
{
    const struct options *o = run->options;
    const struct profile *base_profile = run_base(run);
    const size_t n_rows = run->c->tree->n_rows;
    const int64_t base_step = options_compare_steps(o) ? o->diff_step : o->step;
    struct steps_of now = {.profile = run->profile, .n = n_steps_of(run->profile, o->step, n_rows)};
    struct steps_of base = {.profile = base_profile,
                            .n = n_steps_of(base_profile, base_step, n_rows)};
    struct noise *noise = &run->c->noise_shape;

    *noise = (struct noise){.n_rows = n_rows, .n_base_steps = base.n, .n_now_steps = now.n};
    if (now.n < 2 || base.n < 2)
        return; /* unknown: leave it out */
    run->c->noise_values = column_new(run->pool, (now.n + base.n) * n_rows, sizeof(int64_t));
    now.values = run->c->noise_values->data;
    base.values = now.values + now.n * n_rows;
    noise->now = now.values;
    noise->base = base.values;
    read_steps(run, &now, &base);
    run->c->noise = column_new(run->pool, n_rows, sizeof(uint8_t));
    run->c->noise_rates = column_new(run->pool, n_rows, sizeof(float));
    noise->verdicts = run->c->noise->data;
    noise->rates = run->c->noise_rates->data;
    if (!cancel_asked(run->cancel))
        judge_rows(run, noise, resolution_of(run, base_profile), run->c->noise->data,
                   run->c->noise_rates->data);
}

struct row_noise noise_of_row(const struct noise *noise, row_id row)
{
    struct row_noise of = {.verdict = SAMPLES_UNKNOWN};
    struct samples s;

    if (!noise->verdicts)
        return of;
    of.verdict = (enum sample_verdict)noise->verdicts[row];
    read_samples(&s, noise, row);
    of.n_base = s.n_x;
    of.n_now = s.n_y;
    if (s.n_x && s.n_y)
        of.shift = llround(samples_shift(&s));
    if (s.n_x)
        of.base_median = llround(median_sort(s.x, s.n_x));
    if (s.n_y)
        of.now_median = llround(median_sort(s.y, s.n_y));
    if (of.verdict != SAMPLES_UNKNOWN)
        of.test = samples_use_ranks(s.n_x, s.n_y) ? "ranks" : "t";
    return of;
}
