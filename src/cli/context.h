/* context.h: the environment that commands get from main(). */
#ifndef TFPROF_CLI_CONTEXT_H
#define TFPROF_CLI_CONTEXT_H

#include "base/strbuf.h"
#include "base/system/sandbox.h"
#include "session/command_line.h"

/* The full screen, as the command line sees it. */
struct screen {
    /* Shows CL's profile on the terminal and returns the exit status.  ERR is set when an error
     * could not be shown on the screen; *SIGNAL_NUMBER is the signal that has to end the process,
     * or 0. */
    int (*run)(struct command_line *cl, int *signal_number, struct err *err);
    /* Appends a line for each key bound to an action whose name or help contains WORD; with NULL,
     * all keys below their headings.  False when no key matches. */
    bool (*list_keys)(struct strbuf *sb, const char *word);
};

struct cli_context {
    const struct screen *screen; /* NULL: built without the screen */
    struct sandbox sandbox;
};

#endif
