/* golden.h: screens compared with the files they were accepted as. */
#ifndef TFPROF_TESTS_GOLDEN_H
#define TFPROF_TESTS_GOLDEN_H

/* Fails the test unless GOT, a dump of a screen COLS wide, is the text of
 * tests/tui/screens/NAME.scr; prints the difference and leaves NAME.scr.new in
 * the build folder.  With TFPROF_ACCEPT set the file is written instead. */
void golden_assert(const char *name, const char *got, int cols);

#endif
