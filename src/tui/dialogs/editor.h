/* editor.h: opens a source line in the user's editor. */
#ifndef TFPROF_TUI_EDITOR_H
#define TFPROF_TUI_EDITOR_H

#include "tui/app.h"

/* Opens the file of FRAME at its line. */
void editor_open(struct app *a, const struct frame *frame);

#endif
