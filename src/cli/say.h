/* say.h: standard error: one line each, `tfprof: ...`. */
#ifndef TFPROF_CLI_SAY_H
#define TFPROF_CLI_SAY_H

#include <stdbool.h>

#include "base/err.h"

/* Says the error, if there is a text to say (never for ERR_CANCELLED), and
 * returns its exit status. */
int say_error(const struct err *err);
/* Says each note from the FIRST-th on unless QUIET. */
void say_notes(const struct notes *notes, size_t first, bool quiet);

#endif
