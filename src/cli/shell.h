/* shell.h: the line prompt `tfprof> ` and scripts on a pipe. */
#ifndef TFPROF_CLI_SHELL_H
#define TFPROF_CLI_SHELL_H

#include "session/command_line.h"

/* Opens what CL names and runs the lines of standard input; false with ERR
 * (not yet said) when that ended early. */
bool shell_run(struct command_line *cl, struct err *err);

#endif
