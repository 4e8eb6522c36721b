/* main_cli.h: program arguments and the one-shot commands (cli.md sections 1 and 2). */
#pragma once

#include "cli/cli.h"

/* Runs the program with its arguments and returns the exit status.  SCREEN runs if the full screen is
 * requested; NULL: built without it. */
int cli_main(int argc, char **argv, const struct screen *screen);
