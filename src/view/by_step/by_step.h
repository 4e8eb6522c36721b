/* by_step.h: the figures of all rows over the steps of a profile, as a result has them. */
#ifndef TFPROF_VIEW_BY_STEP_H
#define TFPROF_VIEW_BY_STEP_H

#include "opt/options.h"
#include "view/build/tree.h"

/* A zeroed struct: they are not made.  Points are steps, or where these are too many the largest
 * figure of some neighbours each. */
struct by_step {
    const struct profile *profile; /* whose steps they are: of a comparison now */
    enum metric_id metric;
    uint32_t n_rows, n_points;
    uint32_t n_read;       /* steps that were looked at: all, or some at even distances */
    const int64_t *values; /* [n_points][n_rows] */
};

/* The metric of which rows have figures by step: the time if it is selected, else the first of the
 * legend that can differ from step to step, else the time. */
enum metric_id by_step_metric(const struct options *o);

static inline int64_t by_step_value(const struct by_step *b, uint32_t point, row_id row)
{
    return b->values[(size_t)point * b->n_rows + row];
}

/* The index in profile->steps of the first step that POINT stands for; of n_points how many steps
 * there are. */
uint32_t by_step_first(const struct by_step *b, uint32_t point);
/* The point that the step of an index belongs to. */
uint32_t by_step_point(const struct by_step *b, uint32_t step_index);

/* How figures lie over steps. */
struct step_spread {
    double median;
    double deviation; /* the median absolute deviation from it */
    uint32_t worst;   /* the first one with the largest figure */
    uint32_t n;
};

/* What the steps of a profile took, for pictures; zeros: not known. */
struct step_times_seen {
    const int64_t *times_ps; /* [n_points] of the longest of the neighbours that are one point */
    uint32_t n_points;
    struct step_spread spread; /* of all steps */
    uint32_t n_outliers;
};

/* The index in p->steps of the first step of POINT; of n_points how many steps there are. */
static inline uint32_t step_times_first(const struct step_times_seen *t, const struct profile *p,
                                        uint32_t point)
{
    return (uint32_t)(((uint64_t)point * p->n_steps + t->n_points - 1) / t->n_points);
}

/* The spread of N figures, at least one.  SCRATCH [N] is overwritten. */
struct step_spread step_spread_of(const int64_t *values, uint32_t n, double *scratch);
/* True when VALUE, one of the figures, is further from the median than three standard deviations, for
 * one of which 1.4826 times the median absolute deviation is taken (semantics.md section 2.1); false
 * among fewer than five. */
bool step_spread_is_outlier(const struct step_spread *s, int64_t value);

#endif
