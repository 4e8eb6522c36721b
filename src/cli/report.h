/* report.h: messages on standard error: one line each, `tfprof: ...`. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* Prints one line.  Control characters in FORMAT or its arguments are escaped (utf8_escape()), so
 * no name from a file reaches the terminal unchanged. */
void report_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error, if it has a text (never for ERR_CANCELLED), and returns its exit status. */
int report_error(const struct err *err);
/* Prints the notes except those that contain WITHOUT (NULL: all), unless QUIET.  Notes of one kind,
 * "FILE: KIND: ...", on several files become one line. */
void report_notes(const struct notes *notes, const char *without, bool quiet);

/* True when standard error is a terminal. */
bool stderr_is_terminal(void);
/* Replaces the progress line of the terminal; report_progress_end() erases it. */
void report_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_progress_end(void);
