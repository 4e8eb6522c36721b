/* twin_figures.h: how the figures of twins differ: what a row that stands for several says of them
 * beside their sum (doc/semantics.md section 4.7). */
#ifndef TFPROF_VIEW_TWIN_FIGURES_H
#define TFPROF_VIEW_TWIN_FIGURES_H

#include "view/query.h"

/* Of one metric: totals of the twins, in a comparison their differences to the base. */
struct twin_figures {
    uint32_t n; /* twins that are accounted, or have such rows below; 0: nothing else is known */
    int64_t mean, min, max; /* the mean is cut to whole units of the metric */
    row_id min_row, max_row; /* the first twins that have these */
    double median, limit;    /* an outlier is further than limit from the median */
    uint32_t n_outliers;
};

/* The figures of METRIC, which R has, of the twins that ROW stands for: an outlier is more than
 * three standard deviations from the median, taking 1.4826 times the median absolute deviation for
 * one, and nothing is one among fewer than five. */
struct twin_figures twin_figures_of(const struct result *r, enum metric_id metric, row_id row);
/* The figure of ROW, one of the twins. */
int64_t twin_figure(const struct result *r, enum metric_id metric, row_id row);
bool twin_is_outlier(const struct twin_figures *f, int64_t figure);

#endif
