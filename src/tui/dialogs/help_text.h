/* help_text.h: the action table as a text to read. */
#ifndef TFPROF_TUI_HELP_TEXT_H
#define TFPROF_TUI_HELP_TEXT_H

#include "tui/app.h"

/* All keys that work in CONTEXT, by group; each line runs its action. */
void help_lines(struct app *a, struct lines *l, unsigned context);

#endif
