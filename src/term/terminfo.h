/* terminfo.h: capabilities of a terminal type, available before a screen is opened. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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

/* Returns how long, in ms, to wait after an ESC for the rest of a sequence; longer over a network
 * connection. -1 if $ESCDELAY determines it. */
int environment_esc_delay_ms(void);

/* True if a terminal of type TERM answers the query for its background colour (OSC 11), or at least
 * does not display it: xterm-compatible terminals and tmux. False inside screen, which does not
 * forward the query. */
bool environment_answers_background(const char *term);

/* Parses TEXT of LEN bytes, "rgb:1e1e/1e1e/1e1e" with one to four digits each. Sets *IS_LIGHT if
 * black has more contrast on it than white. False if TEXT is not a colour. */
bool background_parse(const char *text, size_t len, bool *is_light);
