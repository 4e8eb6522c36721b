/* shell.h: the line prompt `tfprof> ` and scripts on a pipe. */
#ifndef TFPROF_CLI_SHELL_H
#define TFPROF_CLI_SHELL_H

#include "base/system/sandbox.h"
#include "session/command_line.h"

/* Opens what CL names and runs the lines of standard input; false with ERR
 * (not yet said) when that ended early.  ON is for the command version. */
bool shell_run(struct command_line *cl, const struct sandbox *on, struct err *err);

#endif
