/* confine.h: what a run of the program may do, as little as it needs. */
#ifndef TFPROF_CLI_CONFINE_H
#define TFPROF_CLI_CONFINE_H

#include "base/system/sandbox.h"
#include "session/command_line.h"

/* True when the environment asks for a screen that runs no other program:
 * TFPROF_SECURE is set, to anything but 0. */
bool confine_is_secure(void);

/* Enters the sandbox that fits CL, for good; what the kernel took.
 *
 * A command that ends by itself writes below the folder of its output alone.  The
 * line prompt writes where its lines say, but runs nothing.  The screen runs an
 * editor and a shell, and only gives up new privileges; cl->secure makes it, and
 * the prompt, write below the state folder and that of the output alone (the
 * current folder where none is named), and run nothing. */
struct sandbox confine(const struct command_line *cl);

#endif
