/* run_digest.h: the commands digest and merge. */
#ifndef TFPROF_CLI_RUN_DIGEST_H
#define TFPROF_CLI_RUN_DIGEST_H

#include "session/command_line.h"

/* Writes the part that says what the files of CL say to standard output: of all as one profile, or
 * of each file of -files_from by itself.  Files that cannot be read are said and left out; false
 * with ERR then too, when all others are written. */
bool run_digest(const struct command_line *cl, struct err *err);
/* Writes the parts that CL names as one, likewise. */
bool run_merge(const struct command_line *cl, struct err *err);

#endif
