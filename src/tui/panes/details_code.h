/* details_code.h: the lines of code that made a node. */
#ifndef TFPROF_TUI_DETAILS_CODE_H
#define TFPROF_TUI_DETAILS_CODE_H

#include "tui/panes/lines.h"

struct app;

/* Adds file and line of ROW of T when it is a line of code. */
void details_source(struct lines *l, const struct tree *t, row_id row);
/* Adds the call stack of NODE, innermost first; what -hide_frames matches is one line for each
 * run of them. */
void details_stack(struct lines *l, struct app *a, node_id node);

#endif
