/* terminfo.h: capabilities of a terminal type, available before a screen is opened. */
#ifndef TFPROF_TUI_TERMINFO_H
#define TFPROF_TUI_TERMINFO_H

#include <stdbool.h>

#include "base/strbuf.h"

struct terminfo; /* private: an entry of the terminfo database */

/* Reads the entry of type NAME for the terminal FD. NULL if there is none. */
struct terminfo *terminfo_new(const char *name, int fd);
/* Call this after newterm() has read its own entry. */
void terminfo_free(struct terminfo *t);

/* Returns capability ("cup") of the entry read last, NULL if it lacks it. */
const char *terminfo_text(const char *capability);
/* Appends the capability without padding ("$<5>"), which only hardware terminals need and which
 * would delay a crash handler. */
void terminfo_add(struct strbuf *sb, const char *capability);

/* Makes ncurses use the built-in entry for terminal type NAME: sets $TERMINFO to the entry
 * (terminfo(5): "b64:"), and $TERM to xterm-256color for compatible terminals with another name.
 * Child processes inherit both. Returns false if there is no entry for NAME. */
bool builtin_terminfo_use(const char *name);

#endif
