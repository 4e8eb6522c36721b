/* run_runs.h: the command runs. */
#ifndef TFPROF_CLI_RUN_RUNS_H
#define TFPROF_CLI_RUN_RUNS_H

#include "session/command_line.h"

/* Lists the runs below the folder that CL names.  False with ERR: input when there are none, usage
 * when it names no folder. */
bool run_runs(struct command_line *cl, struct err *err);

/* Prints the same list to help the user choose a run, if CL names such a folder; else nothing. */
void list_runs_to_choose(const struct command_line *cl);

#endif
