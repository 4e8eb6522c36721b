/* clipboard.h: copies a text to the clipboard. */
#pragma once

#include "base/strbuf.h"
#include "term/term.h"

/* Longest text sent through the terminal. Some terminals cut or drop longer ones silently. */
enum { CLIPBOARD_OSC52_MAX = 74994 };

/* Sends TEXT as one line of printable characters: control characters are escaped, inner line ends
 * and tabs become blanks. Receivers are tmux when it runs and PROGRAMS may be run, else the
 * terminal (OSC 52), and always the file last-copy in STATE_DIR (NULL: no file). Appends to MESSAGE
 * where it was sent; terminals do not confirm a copy. False if it could not be sent anywhere. */
bool clipboard_send(struct term *t, bool programs, const char *state_dir, const char *text,
                    size_t len, struct strbuf *message);
