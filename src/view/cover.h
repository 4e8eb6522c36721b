/* cover.h: the fewest rows that hold a given part of a figure. */
#ifndef TFPROF_VIEW_COVER_H
#define TFPROF_VIEW_COVER_H

#include "view/query.h"

struct cover {
    int64_t min;  /* value for -min_METRIC */
    uint32_t n_rows; /* rows whose self figure is at least that */
    double percent; /* what they hold of the sum of all, 0 to 100 */
};

/* The fewest accounted rows of R's view that together hold PERCENT of the sum
 * of their self figures of METRIC.  With -min_METRIC MIN and -min_on self
 * just these pass the threshold; with totals, the rows above them do too.
 * Negative figures are left out.  False when there is nothing to hold. */
bool cover_find(struct result *r, enum metric_id metric, double percent, struct cover *cover);

#endif
