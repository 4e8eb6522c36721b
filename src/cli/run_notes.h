/* run_notes.h: the command report. */
#ifndef TFPROF_CLI_RUN_NOTES_H
#define TFPROF_CLI_RUN_NOTES_H

#include "session/command_line.h"

/* Prints the notes on the profile that CL names, with the totals of the comparison. */
bool run_notes(struct command_line *cl, struct err *err);

#endif
