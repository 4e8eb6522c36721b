/* details_twins.h: the twins that a row stands for, and its figures on both sides of a comparison,
 * for the details. */
#ifndef TFPROF_TUI_DETAILS_TWINS_H
#define TFPROF_TUI_DETAILS_TWINS_H

#include "tui/panes/lines.h"

/* Adds, if ROW of R stands for twins, mean, least and most of METRIC, then the twins with their
 * figures, outliers first; in a comparison of the differences. */
void details_twins(struct lines *l, const struct result *r, row_id row, enum metric_id metric);
/* Adds base, now and difference of the metrics that ROW has figures of on either side; R
 * compares. */
void details_sides(struct lines *l, const struct result *r, row_id row);

#endif
