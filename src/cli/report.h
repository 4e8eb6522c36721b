/* report.h: messages on standard error: one line each, `tfprof: ...`. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Prints one line.  Control characters in FORMAT or its arguments are escaped (utf8_escape()), so
 * no name from a file reaches the terminal unchanged. */
void report_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error, if it has a text (never for ERR_CANCELLED), and returns its exit status. */
int report_error(const struct err *err);
/* Prints the notes, except those of the kinds in WITHOUT (a bit for each), unless QUIET.  Notes of
 * one kind become one line; those of NOTE_OTHER if they differ only in file and numbers. */
void report_notes(const struct notes *notes, unsigned without, bool quiet);
/* Appends the same lines as elements of a JSON array: {"kind":"repair","text":"..."}. */
void notes_append_json(struct strbuf *sb, const struct notes *notes, unsigned without);

/* True when standard error is a terminal. */
bool stderr_is_terminal(void);
/* Replaces the progress line of the terminal; report_progress_end() erases it. */
void report_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_progress_end(void);
