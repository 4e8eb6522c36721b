/* run_check.h: the command check. */
#ifndef TFPROF_CLI_RUN_CHECK_H
#define TFPROF_CLI_RUN_CHECK_H

#include "session/command_line.h"

/* Checks the rules of the first of CL's files with the profile in the others; with -init writes
 * rules.  False with ERR: input when a rule is broken, usage when one is wrong. */
bool run_check(struct command_line *cl, struct err *err);

#endif
