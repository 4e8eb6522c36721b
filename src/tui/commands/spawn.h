/* spawn.h: other programs run from the screen: the editor, a shell, a command
 * that a view is piped to.
 *
 * The caller gives the terminal back first (term->ops->leave) and takes it
 * again afterwards.  No function here passes a name out of a profile through
 * a shell. */
#ifndef TFPROF_TUI_SPAWN_H
#define TFPROF_TUI_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What a child's standard output and error are. */
enum spawn_output { SPAWN_TERMINAL, SPAWN_SILENT };

/* Runs ARGV (NULL-terminated; argv[0] is looked up in PATH, no shell) and
 * waits for it.  INPUT (NULL: the terminal) is its standard input; a child
 * that stops reading early is fine.  When it is stopped (^Z in an editor), we
 * stop with it.  *STATUS is that of waitpid().  False with ERR (input) when it
 * cannot be run. */
bool spawn_wait(const char *const *argv, const char *input, size_t input_len,
                enum spawn_output output, int *status, struct err *err);

/* Opens FILE at LINE (below 1: at its start) in $VISUAL or $EDITOR or vi.  The
 * variable may hold arguments ("code -w"); it is split, not run by a shell. */
bool spawn_editor(const char *file, long line, struct err *err);
/* Runs COMMAND, which a person typed, in $SHELL; "" is an interactive shell. */
bool spawn_shell(const char *command, int *status, struct err *err);
/* The same with INPUT piped to it. */
bool spawn_pipe(const char *command, const char *input, size_t input_len, int *status,
                struct err *err);

/* Waits for Enter, so that what a command printed can be read before the
 * screen comes back. */
void spawn_pause(void);

#endif
