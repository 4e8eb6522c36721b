/* progress.h: a line on the terminal while a slow load runs. */
#ifndef TFPROF_CLI_PROGRESS_H
#define TFPROF_CLI_PROGRESS_H

#include "load/load.h"

/* Private; lives from progress_start() to progress_stop(). */
struct progress_line;

/* Begins to watch PROGRESS (borrowed).  The line appears on standard error
 * after half a second.  NULL when that is no terminal, or QUIET. */
struct progress_line *progress_start(const struct load_progress *progress, bool quiet);
/* Wipes the line; NULL is fine. */
void progress_stop(struct progress_line *line);

#endif
