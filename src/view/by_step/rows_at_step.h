/* rows_at_step.h: the figures that rows have at one step; private to view/. */
#ifndef TFPROF_VIEW_ROWS_AT_STEP_H
#define TFPROF_VIEW_ROWS_AT_STEP_H

#include "view/steps.h"

/* Fills NOW and BASE (NULL: not wanted) [rows] with what METRIC is at the step of O, which is else as the
 * options of RUN: the totals of rows, of DISPLAYED ones or of all; in a list their own figures, of
 * the root their sum.  What RUN has made is used and not changed.  O(nodes), on the threads of RUN; after a cancel what is missing
 * is 0. */
void rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                  bool displayed, int64_t *now, int64_t *base);

#endif
