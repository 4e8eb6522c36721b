/* details_steps.h: how a figure of a row differs from step to step. */
#ifndef TFPROF_TUI_DETAILS_STEPS_H
#define TFPROF_TUI_DETAILS_STEPS_H

#include "tui/panes/lines.h"

/* Adds a figure of ROW (by_step_metric()) at each step as a sparkline, the median, its spread and the
 * worst step.  Nothing where R has no figures by step, or ROW has none above 0. */
void details_steps(struct lines *l, const struct result *r, row_id row);
/* The figure at each step, of many at those furthest from the median. */
void details_step_list(struct lines *l, const struct result *r, row_id row);

#endif
