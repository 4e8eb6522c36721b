/* details_code.h: the lines of code that made a node. */
#ifndef TFPROF_TUI_DETAILS_CODE_H
#define TFPROF_TUI_DETAILS_CODE_H

#include "tui/panes/lines.h"

struct app;

/* Adds file, line and, when the file is there, text of ROW when it is a line of code. */
void details_source(struct lines *l, struct app *a, row_id row);
/* Adds the call stack of NODE, innermost first; what -hide_frames matches is one line for each
 * run of them.  The innermost of the others has its text, when the details have none yet. */
void details_stack(struct lines *l, struct app *a, node_id node);

#endif
