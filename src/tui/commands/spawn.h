/* spawn.h: runs other programs: the editor, a shell, a command that reads a view.
 *
 * The caller releases the terminal (term->ops->leave) before and takes it back afterwards. No
 * function passes a name from a profile through a shell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Standard output and error of a child. */
enum spawn_output { SPAWN_TERMINAL, SPAWN_SILENT };

/* Runs ARGV (NULL-terminated; argv[0] is looked up in PATH, without a shell) and waits for its
 * end. Its standard input is INPUT, or the terminal if INPUT is NULL; it may stop reading early.
 * If it is stopped (^Z in an editor), this process stops as well. Sets *STATUS as waitpid()
 * does. False with ERR (input) if it cannot be run. */
bool spawn_wait(const char *const *argv, const char *input, size_t input_len,
                enum spawn_output output, int *status, struct err *err);

/* Opens FILE at LINE (below 1: at its start) in $VISUAL, $EDITOR or vi. The variable may contain
 * arguments ("code -w"): it is split, not run by a shell. */
bool spawn_editor(const char *file, long line, struct err *err);
/* Runs COMMAND, typed by the user, in $SHELL as spawn_wait() does; "" is an interactive shell. */
bool spawn_shell(const char *command, const char *input, size_t input_len, int *status,
                 struct err *err);

/* Waits for Enter, so that the output of a command can be read before the screen is drawn again. */
void spawn_pause(void);
