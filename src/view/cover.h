/* cover.h: the smallest set of rows that covers a given share of a metric. */
#pragma once

#include "view/query.h"

struct cover {
    int64_t min;  /* value for -min_METRIC */
    uint32_t n_rows; /* number of rows whose self figure is at least `min` */
    double percent; /* their share of the sum over all rows, 0 to 100 */
};

/* Finds the fewest accounted rows of R's view that together make up PERCENT of the sum of the self
 * figures of METRIC. With -min_METRIC MIN and -min_on self exactly these rows pass the threshold;
 * with totals, rows above them pass as well. Negative figures are ignored. Returns false when no
 * figure is positive. */
bool cover_find(struct result *r, enum metric_id metric, double percent, struct cover *cover);
