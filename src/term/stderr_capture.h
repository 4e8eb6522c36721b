/* stderr_capture.h: what is written to standard error while the screen is on is
 * kept and printed afterwards, instead of across the screen. */
#ifndef TFPROF_TERM_STDERR_CAPTURE_H
#define TFPROF_TERM_STDERR_CAPTURE_H

#include <stddef.h>

struct stderr_capture {
    int real_fd;   /* standard error as it was; -1: not diverted */
    int memory_fd; /* where it goes now */
    size_t read_bytes; /* counted so far */
    size_t lines;
};

/* Diverts standard error when it is a terminal (elsewhere it does no harm). */
void stderr_capture_open(struct stderr_capture *s);
/* Lines that came since stderr_capture_open(). */
size_t stderr_capture_lines(struct stderr_capture *s);
/* Puts REAL_FD in the place of standard error and writes there what MEMORY_FD
 * holds; for a handler of signals too.  Libraries wrote it, of names maybe: but
 * for ends of lines it is made printable. */
void stderr_capture_give_back(int real_fd, int memory_fd);
/* The same in order, and closes what stderr_capture_open() opened. */
void stderr_capture_close(struct stderr_capture *s);

#endif
