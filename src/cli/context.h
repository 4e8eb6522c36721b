/* context.h: what a command is run in. */
#ifndef TFPROF_CLI_CONTEXT_H
#define TFPROF_CLI_CONTEXT_H

#include "base/strbuf.h"
#include "base/system/sandbox.h"
#include "session/command_line.h"

/* The full screen, as the command line sees it. */
struct screen {
    /* Explores what CL names on the terminal; returns the exit status.  What could
     * not be said there is ERR; *SIGNAL_NUMBER is what the process is then to end by,
     * 0: nothing. */
    int (*run)(struct command_line *cl, int *signal_number, struct err *err);
    /* Appends a line for each key that WORD stands for, in its name or its help; NULL: all keys
     * under their headlines.  False when there is none. */
    bool (*list_keys)(struct strbuf *sb, const char *word);
};

struct cli_context {
    const struct screen *screen; /* NULL: there is none */
    struct sandbox sandbox;
};

#endif
