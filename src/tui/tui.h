/* tui.h: the full screen, as main sees it. */
#ifndef TFPROF_TUI_TUI_H
#define TFPROF_TUI_TUI_H

#include "session/command_line.h"

/* Explores what CL names on the terminal; returns the exit status (after a
 * signal the process ends by it once main returns it to term_reraise()). */
int tui_main(struct command_line *cl);

#endif
