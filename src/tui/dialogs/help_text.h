/* help_text.h: the action table as text. */
#ifndef TFPROF_TUI_HELP_TEXT_H
#define TFPROF_TUI_HELP_TEXT_H

#include "tui/app.h"

/* Adds all keys of CONTEXT by group. Each line is a link that runs its action. */
void help_lines(struct app *a, struct lines *l, unsigned context);

#endif
