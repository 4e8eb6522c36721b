/* tui.h: the full screen, as main sees it. */
#ifndef TFPROF_TUI_TUI_H
#define TFPROF_TUI_TUI_H

#include "session/command_line.h"

/* Explores what CL names on the terminal; returns the exit status.  What the
 * terminal could not keep, or why there was no screen, is ERR; *SIGNAL_NUMBER,
 * where it is not 0, is what the process is to end by once that is said. */
int tui_main(struct command_line *cl, int *signal_number, struct err *err);

#endif
