/* details_trace.h: what a row of traces took on each rank, shapes of its inputs, its kernels. */
#ifndef TFPROF_TUI_DETAILS_TRACE_H
#define TFPROF_TUI_DETAILS_TRACE_H

#include "tui/panes/lines.h"

/* Of several ranks those that took least, the median and most of ROW's accounted nodes and those
 * below, at the step of R's options or in all; with SINGLE, of the row's own node, how often each
 * of several input shapes ran, and the kernels that it launched.  Nothing without traces. */
void details_trace(struct lines *l, const struct result *r, row_id row, bool single);

#endif
