/* details_code.h: the source lines of a node. */
#ifndef TFPROF_TUI_DETAILS_CODE_H
#define TFPROF_TUI_DETAILS_CODE_H

#include "tui/panes/lines.h"

struct app;

/* Adds file, line and, if the file exists, the text of ROW if it is a source line. */
void details_source(struct lines *l, struct app *a, row_id row);
/* Adds the call stack of NODE, innermost frame first. Runs of frames that match -hide_frames
 * take one line. The innermost other frame has its text unless the details have one already. */
void details_stack(struct lines *l, struct app *a, node_id node);

#endif
