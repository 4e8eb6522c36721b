/* run_runs.h: the command runs. */
#ifndef TFPROF_CLI_RUN_RUNS_H
#define TFPROF_CLI_RUN_RUNS_H

#include "session/command_line.h"

/* Lists the runs below the folder that CL names.  False with ERR: input when there are none, usage
 * when it names no folder. */
bool run_runs(struct command_line *cl, struct err *err);

/* The same where CL names a folder to choose a run from, and nothing otherwise: for who named it
 * to read it. */
void list_runs_to_choose(const struct command_line *cl);

#endif
