/* terminfo.h: what a kind of terminal can do, known before a screen is opened on it. */
#ifndef TFPROF_TUI_TERMINFO_H
#define TFPROF_TUI_TERMINFO_H

#include <stdbool.h>

#include "base/strbuf.h"

struct terminfo; /* private: an entry of the terminfo database */

/* The entry of the kind NAME for the terminal FD; NULL when there is none of that
 * name. */
struct terminfo *terminfo_new(const char *name, int fd);
/* Once newterm() has its own. */
void terminfo_free(struct terminfo *t);

/* The capability of a terminfo name ("cup") of the entry read last; NULL when
 * it has none. */
const char *terminfo_text(const char *capability);
/* Appends the same without its padding marks ("$<5>"): delays are for hardware,
 * and a dying program has no time for them. */
void terminfo_add(struct strbuf *sb, const char *capability);

#endif
