/* run_digest.h: the commands digest and merge. */
#ifndef TFPROF_CLI_RUN_DIGEST_H
#define TFPROF_CLI_RUN_DIGEST_H

#include "session/command_line.h"

/* Writes one digest part to standard output: of CL's files as one profile, or of each file listed
 * in -files_from separately.  Unreadable files are reported and skipped; the result is then false
 * with ERR, after all others are written. */
bool run_digest(const struct command_line *cl, struct err *err);
/* Merges the parts that CL names into one, with the same rules. */
bool run_merge(const struct command_line *cl, struct err *err);

#endif
