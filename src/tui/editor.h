/* editor.h: a source line in the person's editor. */
#ifndef TFPROF_TUI_EDITOR_H
#define TFPROF_TUI_EDITOR_H

#include "tui/app.h"

/* Opens the file of FRAME at its line. */
void editor_open(struct app *a, const struct frame *frame);
/* The frame of source that ROW stands for, or that made its node: the
 * innermost one whose file is there, else the innermost; NULL: none. */
const struct frame *editor_frame(struct app *a, row_id row);

#endif
