/* shell.h: the line prompt `tfprof> ` and scripts on a pipe. */
#ifndef TFPROF_CLI_SHELL_H
#define TFPROF_CLI_SHELL_H

#include "cli/context.h"

/* Opens CL's files and runs the lines of standard input; false with ERR (not printed yet) when a
 * line failed.  IN is passed to the commands help and version. */
bool shell_run(struct command_line *cl, const struct cli_context *in, struct err *err);

#endif
