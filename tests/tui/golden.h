/* golden.h: compares screens with golden files, or with lists of expected texts. */
#pragma once

#include "term/canvas.h"

/* Fails the test unless GOT, a dump of a screen COLS wide, equals tests/tui/screens/NAME.scr;
 * prints the difference and writes NAME.scr.new to the build folder.  With TFPROF_ACCEPT set the
 * golden file is written instead. */
void golden_assert(const char *name, const char *got, int cols);

/* Fails the test and prints the screen unless C satisfies the N elements of SHOWS; elements from the
 * first NULL on are ignored:
 *   "TEXT"     a row contains TEXT
 *   "!TEXT"    no row contains TEXT
 *   "@R TEXT"  a row contains TEXT, and its non-blank cells have the role of the letter R
 *              (role_letter() in fixtures/canvas_dump.h)
 * A blank in TEXT matches one or more blanks in the row. */
void golden_shows(const struct canvas *c, const char *const *shows, size_t n);
