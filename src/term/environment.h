/* environment.h: what the environment says of the terminal and of the way to it. */
#ifndef TFPROF_TERM_ENVIRONMENT_H
#define TFPROF_TERM_ENVIRONMENT_H

#include <stdbool.h>

/* How long, in ms, an ESC waits for the rest of a sequence; longer over a network, where it may be
 * on its way.  -1: $ESCDELAY says it. */
int environment_esc_delay_ms(void);

/* True when a terminal of kind TERM answers the question for its background (OSC 11), or at least
 * does not show the question: emulators of xterm, and tmux, which answers itself.  Not where
 * screen stands between, which passes no question on. */
bool environment_answers_background(const char *term);

#endif
