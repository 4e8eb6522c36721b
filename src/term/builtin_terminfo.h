/* builtin_terminfo.h: built-in terminfo entries, for machines without a terminfo database. */
#ifndef TFPROF_TERM_BUILTIN_TERMINFO_H
#define TFPROF_TERM_BUILTIN_TERMINFO_H

#include <stdbool.h>

/* Makes ncurses use the built-in entry for terminal type NAME: sets $TERMINFO to the entry
 * (terminfo(5): "b64:"), and $TERM to xterm-256color for compatible terminals with another name.
 * Child processes inherit both. Returns false if there is no entry for NAME. */
bool builtin_terminfo_use(const char *name);

#endif
