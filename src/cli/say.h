/* say.h: the one way to standard error: one line each, `tfprof: ...`. */
#ifndef TFPROF_CLI_SAY_H
#define TFPROF_CLI_SAY_H

#include <stdbool.h>

#include "base/err.h"

/* Says one line.  Control characters and the like, in FORMAT or in what it
 * stands for, are escaped (utf8_escape()): no name of a file reaches the
 * terminal as it is. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says the error, if there is a text to say (never for ERR_CANCELLED), and
 * returns its exit status. */
int say_error(const struct err *err);
/* Says each note from the FIRST-th on unless QUIET. */
void say_notes(const struct notes *notes, size_t first, bool quiet);

/* True when somebody looks on. */
bool say_on_terminal(void);
/* A line of a terminal that is written again and again, and wiped in the end. */
void say_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_progress_end(void);

#endif
