/* confine.h: the sandbox of one run of the program, with the fewest rights that it needs. */
#ifndef TFPROF_CLI_CONFINE_H
#define TFPROF_CLI_CONFINE_H

#include "base/system/sandbox.h"
#include "session/command_line.h"

/* True when TFPROF_SECURE is set to a value other than 0: the screen then runs no other program. */
bool confine_is_secure(void);

/* Enters the sandbox that fits CL, for the life of the process, and returns what the kernel
 * supports. One-shot commands may write below the folder of their output only.  The line prompt may
 * write anywhere its lines name, but runs no program.  The screen may run an editor and a shell and
 * only gives up new privileges.  With cl->secure, screen and prompt may write below the state
 * folder and the folder of the output only (the current folder without an output), and run no
 * program. */
struct sandbox confine(const struct command_line *cl);

#endif
