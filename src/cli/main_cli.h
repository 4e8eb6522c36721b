/* main_cli.h: program arguments and the one-shot commands (cli.md sections 1 and 2). */
#ifndef TFPROF_CLI_MAIN_CLI_H
#define TFPROF_CLI_MAIN_CLI_H

#include "session/command_line.h"

/* Explores what CL names on the terminal; returns the exit status.  What could
 * not be said there is ERR; *SIGNAL_NUMBER is what the process is then to end by,
 * 0: nothing. */
typedef int screen_main(struct command_line *cl, int *signal_number, struct err *err);

/* Runs the program with its arguments and returns the exit status.  SCREEN is
 * called when a terminal asks for the full screen; NULL: there is none. */
int cli_main(int argc, char **argv, screen_main *screen);

#endif
