/* by_step.h: the figures of all rows by step, as part of a result. */
#pragma once

#include "opt/options.h"
#include "view/build/tree.h"

/* Figures by step; a zeroed struct has none. A point is one step or, for many steps, the maximum
 * over several neighbouring steps. */
struct by_step {
    const struct profile *profile; /* profile with the steps; in a comparison the current one */
    enum metric_id metric;
    uint32_t n_rows, n_points;
    uint32_t n_read;       /* number of steps that were evaluated: all, or evenly spaced ones */
    const int64_t *values; /* [n_points][n_rows] */
};

/* The metric for which rows have figures by step: the time if it is selected, else the first
 * selected metric that can vary between steps, else the time. */
enum metric_id by_step_metric(const struct options *o);

static inline int64_t by_step_value(const struct by_step *b, uint32_t point, row_id row)
{
    return b->values[(size_t)point * b->n_rows + row];
}

/* Index in profile->steps of the first step of POINT; for n_points the number of steps. */
uint32_t by_step_first(const struct by_step *b, uint32_t point);

/* Distribution of a figure over the steps. */
struct step_spread {
    double median;
    double deviation; /* median absolute deviation */
    uint32_t worst;   /* index of the first step with the largest figure */
    uint32_t n;
};

/* Durations of the steps of a profile, for charts; zeroed: unknown. */
struct step_times_seen {
    const int64_t *times_ps; /* [n_points] maximum over the steps of each point */
    uint32_t n_points;
    struct step_spread spread; /* distribution over all steps */
    uint32_t n_outliers;
};

/* Index in p->steps of the first step of POINT; for n_points the number of steps. */
static inline uint32_t step_times_first(const struct step_times_seen *t, const struct profile *p,
                                        uint32_t point)
{
    return (uint32_t)(((uint64_t)point * p->n_steps + t->n_points - 1) / t->n_points);
}

/* Statistics of N >= 1 figures. SCRATCH [N] is overwritten. */
struct step_spread step_spread_of(const int64_t *values, uint32_t n, double *scratch);
/* True when VALUE is more than three standard deviations from the median; the standard deviation is
 * estimated as 1.4826 times the median absolute deviation (semantics.md section 2.1). Always false
 * for fewer than five figures. */
bool step_spread_is_outlier(const struct step_spread *s, int64_t value);
