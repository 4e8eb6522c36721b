/* builtin_terminfo.h: terminfo entries inside the program, for machines that have no database. */
#ifndef TFPROF_TERM_BUILTIN_TERMINFO_H
#define TFPROF_TERM_BUILTIN_TERMINFO_H

#include <stdbool.h>

/* Makes ncurses read the entry for the kind of terminal NAME from the program, by the environment:
 * $TERMINFO holds the entry (terminfo(5): "b64:"), and $TERM becomes xterm-256color for terminals
 * that imitate it under a name of their own.  Programs started later see both.  False when the
 * program has none. */
bool builtin_terminfo_use(const char *name);

#endif
