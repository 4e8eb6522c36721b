/* summary_text.h: what was read, and what is in it. */
#ifndef TFPROF_TUI_SUMMARY_TEXT_H
#define TFPROF_TUI_SUMMARY_TEXT_H

#include "tui/app.h"

void summary_lines(struct app *a, struct lines *l);

#endif
