/* details_steps.h: a figure of a row at each step. */
#ifndef TFPROF_TUI_DETAILS_STEPS_H
#define TFPROF_TUI_DETAILS_STEPS_H

#include "tui/panes/lines.h"

/* Adds a figure of ROW (by_step_metric()) at each step as a sparkline, its median, spread and
 * worst step. Adds nothing if R has no figures by step, or all of ROW's are 0. */
void details_steps(struct lines *l, const struct result *r, row_id row);
/* Adds the figure at each step; of many steps those furthest from the median. */
void details_step_list(struct lines *l, const struct result *r, row_id row);

#endif
