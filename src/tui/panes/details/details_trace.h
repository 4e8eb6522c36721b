/* details_trace.h: time of a row of traces on each rank, its input shapes and kernels. */
#ifndef TFPROF_TUI_DETAILS_TRACE_H
#define TFPROF_TUI_DETAILS_TRACE_H

#include "tui/panes/lines.h"

/* Adds the ranks with the least, median and most time of ROW's accounted nodes and those below,
 * at the step of R's options or in all steps. With SINGLE: of the row's own node, executions by
 * input shape, and the kernels that it launched. Adds nothing without traces. */
void details_trace(struct lines *l, const struct result *r, row_id row, bool single);

#endif
