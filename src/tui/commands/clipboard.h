/* clipboard.h: handing a text to whoever pastes it. */
#ifndef TFPROF_TUI_CLIPBOARD_H
#define TFPROF_TUI_CLIPBOARD_H

#include "base/strbuf.h"
#include "term/term.h"

/* The most that is sent through the terminal: more is cut or refused by some
 * terminals, without a word. */
enum { CLIPBOARD_OSC52_MAX = 74994 };

/* Sends TEXT, as one line of printable characters (control characters escaped,
 * inner line ends and tabs as blanks), to the tmux buffer when we run in tmux
 * and may run PROGRAMS (it passes it on to the terminal), else to the terminal
 * itself (OSC 52), and in any case to the file last-copy in STATE_DIR (NULL: no
 * file).  Appends to MESSAGE what was
 * done, e.g. "sent to the terminal and to /home/.../last-copy": no terminal
 * answers, so nobody can say that it was copied.  False when it went nowhere. */
bool clipboard_send(struct term *t, bool programs, const char *state_dir, const char *text,
                    size_t len, struct strbuf *message);

#endif
