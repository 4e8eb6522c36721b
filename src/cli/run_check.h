/* run_check.h: the command check. */
#ifndef TFPROF_CLI_RUN_CHECK_H
#define TFPROF_CLI_RUN_CHECK_H

#include "session/command_line.h"

/* Checks the rules in CL's first file against the profile of the others; with -init writes rules.
 * False with ERR: input when a rule is violated, usage when a rule is malformed. */
bool run_check(struct command_line *cl, struct err *err);

#endif
