/* stderr_capture.h: captures standard error while the screen is active, and prints it
 * afterwards. */
#pragma once

#include <stddef.h>

struct stderr_capture {
    int real_fd;   /* the original standard error; -1: not captured */
    int memory_fd; /* memory file with the captured output */
    size_t read_bytes; /* bytes counted so far */
    size_t lines;
};

/* Starts the capture if standard error is a terminal. */
void stderr_capture_open(struct stderr_capture *s);
/* Returns the number of lines captured so far. */
size_t stderr_capture_lines(struct stderr_capture *s);
/* Restores standard error from REAL_FD and writes the contents of MEMORY_FD to it, with all bytes
 * escaped except printable ASCII and newlines. Async-signal-safe. */
void stderr_capture_replay(int real_fd, int memory_fd);
/* Ends the capture: stderr_capture_replay(), then closes the descriptors. */
void stderr_capture_close(struct stderr_capture *s);
