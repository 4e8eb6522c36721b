/* tfprof.h: the program on a pseudo-terminal, for the screen tests. */
#pragma once

#include "pty.h"

enum { TFPROF_MAX_ARGS = 16 };

/* Starts the program that the environment variable TFPROF names with ARGS (NULL-terminated), in the
 * source folder unless SETUP says otherwise. */
struct pty *tfprof_start(struct pty_setup setup, const char *const *args);
/* Quits with Q and fails unless the status is 0, standard error is empty and the terminal is
 * restored.  Frees P. */
void tfprof_quit(struct pty *p);
