/* pty_child.h: the child process of pty.c: a fixed environment, and a minimal shell for job
 * control. */
#pragma once

#include "pty.h"

/* Messages from and to the minimal shell. */
enum { PTY_SHELL_STOPPED = 's', PTY_SHELL_CONTINUE = 'c' };

struct pty_ends {
    pid_t pid;
    int master, sync_fd;
    int errors_fd; /* -1 with stderr_tty */
    int shell_fd;  /* -1 without job_control */
    struct termios modes;
};

/* A new empty folder; the caller frees the name. */
char *pty_make_home(void);
/* Starts SETUP's program with HOME as its home.  It inherits only PATH and the options of
 * sanitizers from the test's environment. */
void pty_spawn(const struct pty_setup *setup, const char *home, int rows, int cols,
               struct pty_ends *ends);
