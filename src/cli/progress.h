/* progress.h: a line on the terminal while a slow load runs. */
#ifndef TFPROF_CLI_PROGRESS_H
#define TFPROF_CLI_PROGRESS_H

#include "load/load.h"

/* Private; lives from progress_start() to progress_stop(). */
struct progress_line;

/* Starts to watch PROGRESS (borrowed).  The line appears on standard error after half a second.
 * Returns NULL when standard error is no terminal, or with QUIET. */
struct progress_line *progress_start(const struct load_progress *progress, bool quiet);
/* Erases the line; LINE may be NULL. */
void progress_stop(struct progress_line *line);

#endif
