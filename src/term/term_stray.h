/* term_stray.h: what is written to standard error while the screen is on is
 * kept and printed afterwards, instead of across the screen. */
#ifndef TFPROF_TUI_TERM_STRAY_H
#define TFPROF_TUI_TERM_STRAY_H

#include <stddef.h>

struct stray {
    int real_fd;   /* standard error as it was; -1: not diverted */
    int memory_fd; /* where it goes now */
    size_t read_bytes; /* counted so far */
    size_t lines;
};

/* Diverts standard error when it is a terminal (elsewhere it does no harm). */
void stray_open(struct stray *s);
/* Lines that came since stray_open(). */
size_t stray_lines(struct stray *s);
/* Puts REAL_FD in the place of standard error and writes there what MEMORY_FD
 * holds; for a handler of signals too.  Libraries wrote it, of names maybe: but
 * for ends of lines it is made printable. */
void stray_give_back(int real_fd, int memory_fd);
/* The same in order, and closes what stray_open() opened. */
void stray_close(struct stray *s);

#endif
