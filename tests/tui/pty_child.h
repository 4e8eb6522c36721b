/* pty_child.h: the child's side of pty.c: a fixed world to run in, and a tiny
 * shell for job control. */
#ifndef TFPROF_TESTS_PTY_CHILD_H
#define TFPROF_TESTS_PTY_CHILD_H

#include "pty.h"

/* What the tiny shell says and hears. */
enum { PTY_SHELL_STOPPED = 's', PTY_SHELL_CONTINUE = 'c' };

struct pty_ends {
    pid_t pid;
    int master, sync_fd;
    int errors_fd; /* -1 with stderr_tty */
    int shell_fd;  /* -1 without job_control */
    struct termios modes;
};

/* A new empty directory; the caller frees the name. */
char *pty_make_home(void);
/* Starts SETUP's program with HOME as its home and nothing of our
 * environment but the path and what sanitizers want. */
void pty_spawn(const struct pty_setup *setup, const char *home, int rows, int cols,
               struct pty_ends *ends);

#endif
