/* repeat_figures.h: statistics over the figures of repeated layers, shown besides their sum by the
 * row that represents them (doc/semantics.md section 4.7). */
#pragma once

#include "view/query.h"

/* Statistics of one metric over the totals of the repeated layers; in a comparison over the
 * differences to the baseline. */
struct repeat_figures {
    /* number of layers that are accounted or have accounted rows below; 0: all other fields are
     * unset */
    uint32_t n;
    int64_t mean, min, max; /* mean: rounded towards 0 to whole units of the metric */
    row_id min_row, max_row; /* first layers with the minimum and the maximum */
    double median, limit;    /* an outlier differs from the median by more than `limit` */
    uint32_t n_outliers;
};

/* Statistics of METRIC, which R must have, over the repeated layers of ROW. An outlier is more than
 * three standard deviations from the median, estimated as 1.4826 times the median absolute
 * deviation; with fewer than five layers there are none. */
struct repeat_figures repeat_figures_of(const struct result *r, enum metric_id metric, row_id row);
/* Figure of ROW, one of the repeated layers. */
int64_t repeat_figure(const struct result *r, enum metric_id metric, row_id row);
bool repeat_is_outlier(const struct repeat_figures *f, int64_t figure);
