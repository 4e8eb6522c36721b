/* rows_at_step.h: the figures of rows at one step; private to view/. */
#ifndef TFPROF_VIEW_ROWS_AT_STEP_H
#define TFPROF_VIEW_ROWS_AT_STEP_H

#include "view/stages.h"

/* Fills NOW and BASE (NULL: not needed) [rows] with METRIC at the step of O; all other options are
 * those of RUN. The values are totals over all rows or over DISPLAYED rows; in a list self figures,
 * and for the root their sum. Columns of RUN are read and not changed. O(nodes), on the threads of
 * RUN. After a cancel missing values are 0. */
void rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                  bool displayed, int64_t *now, int64_t *base);

#endif
