/* shell.h: the line prompt `tfprof> ` and scripts on a pipe. */
#ifndef TFPROF_CLI_SHELL_H
#define TFPROF_CLI_SHELL_H

#include "cli/context.h"

/* Opens what CL names and runs the lines of standard input; false with ERR
 * (not yet said) when that ended early.  IN is for the commands help and version. */
bool shell_run(struct command_line *cl, const struct cli_context *in, struct err *err);

#endif
