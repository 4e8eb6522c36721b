/* golden.h: screens compared with the files they were accepted as, or with what they must show. */
#ifndef TFPROF_TESTS_GOLDEN_H
#define TFPROF_TESTS_GOLDEN_H

#include "term/canvas.h"

/* Fails the test unless GOT, a dump of a screen COLS wide, is the text of
 * tests/tui/screens/NAME.scr; prints the difference and leaves NAME.scr.new in
 * the build folder.  With TFPROF_ACCEPT set the file is written instead. */
void golden_assert(const char *name, const char *got, int cols);

/* Fails the test, and prints the screen, where C is not as one of the N elements of SHOWS says;
 * those from the first NULL on say nothing:
 *   "TEXT"     a row holds TEXT
 *   "!TEXT"    no row holds TEXT
 *   "@R TEXT"  a row holds TEXT, and what is not blank in it has the role of the letter R
 *              (role_letter() in fixtures/canvas_dump.h)
 * A blank in TEXT stands for one or more blanks of the row. */
void golden_shows(const struct canvas *c, const char *const *shows, size_t n);

#endif
