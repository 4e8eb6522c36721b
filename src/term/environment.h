/* environment.h: terminal properties from environment variables. */
#ifndef TFPROF_TERM_ENVIRONMENT_H
#define TFPROF_TERM_ENVIRONMENT_H

#include <stdbool.h>

/* Returns how long, in ms, to wait after an ESC for the rest of a sequence; longer over a network
 * connection. -1 if $ESCDELAY determines it. */
int environment_esc_delay_ms(void);

/* True if a terminal of type TERM answers the query for its background colour (OSC 11), or at least
 * does not display it: xterm-compatible terminals and tmux. False inside screen, which does not
 * forward the query. */
bool environment_answers_background(const char *term);

#endif
