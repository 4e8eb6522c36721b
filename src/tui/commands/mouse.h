/* mouse.h: clicks and the wheel. */
#ifndef TFPROF_TUI_MOUSE_H
#define TFPROF_TUI_MOUSE_H

#include "tui/app.h"

void mouse_event(struct app *a, const struct term_event *ev);

#endif
