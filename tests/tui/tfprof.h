/* tfprof.h: the program itself on a pseudo-terminal, for the screen tests. */
#ifndef TFPROF_TESTS_TFPROF_H
#define TFPROF_TESTS_TFPROF_H

#include "pty.h"

enum { TFPROF_MAX_ARGS = 16 };

/* Starts tfprof (of the environment's TFPROF) with ARGS, NULL-terminated, in
 * the source folder unless SETUP says otherwise. */
struct pty *tfprof_start(struct pty_setup setup, const char *const *args);
/* Quits with Q and asserts a clean end: status 0, nothing on standard error,
 * terminal restored.  Frees P. */
void tfprof_quit(struct pty *p);

#endif
