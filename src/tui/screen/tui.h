/* tui.h: the full screen, as called by main. */
#pragma once

#include "session/command_line.h"

/* Shows the files of CL on the terminal and returns the exit status. ERR: a file could not be read,
 * or the screen could not be opened. *SIGNAL_NUMBER, if not 0, is the signal by which the process
 * must end after reporting ERR. */
int tui_main(struct command_line *cl, int *signal_number, struct err *err);
