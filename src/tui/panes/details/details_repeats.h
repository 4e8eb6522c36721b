/* details_repeats.h: details of repeated layers, and of figures on both sides of a comparison. */
#ifndef TFPROF_TUI_DETAILS_REPEATS_H
#define TFPROF_TUI_DETAILS_REPEATS_H

#include "tui/panes/lines.h"

/* If ROW of R stands for repeated layers, adds mean, least and most of METRIC, then the layers
 * with their figures, outliers first; in a comparison with differences. */
void details_repeats(struct lines *l, const struct result *r, row_id row, enum metric_id metric);
/* Adds baseline, current value and difference of the metrics that ROW has on either side. R is a
 * comparison. */
void details_sides(struct lines *l, const struct result *r, row_id row);

#endif
