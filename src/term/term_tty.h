/* term_tty.h: the terminal as a file: opening it, plain bytes to it, private
 * modes, and the tests' handshake.  What needs no terminal library. */
#ifndef TFPROF_TUI_TERM_TTY_H
#define TFPROF_TUI_TERM_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"

struct tty {
    FILE *in, *out;
    int test_fd; /* where tests hear that a screen is drawn; -1: no test */
    unsigned n_syncs;
    bool private_modes; /* knows ESC [ ? n h: mouse and paste can be asked for */
    bool mouse;         /* wanted */
    int64_t asked_ms;   /* when it was asked for its background */
    bool gone;          /* a write failed: nobody is there any more */
};

/* The terminal of this session, for reading and writing; -1: there is none. */
int tty_device(void);
/* Opens standard output, which must be a terminal, and for the keys standard
 * input or, when that is a profile, /dev/tty.  False with ERR (usage).  Fine
 * to close in any case. */
bool tty_open(struct tty *t, struct err *err);
void tty_close(struct tty *t);

/* True when nobody is at the other end: what is written leads nowhere. */
bool tty_is_gone(const struct tty *t);
/* Writes at once, past the library's buffer (which is empty after a draw). */
void tty_write(struct tty *t, const char *bytes, size_t len);
/* Mouse (when wanted) and bracketed paste on, or both off. */
void tty_modes_on(struct tty *t);
void tty_modes_off(struct tty *t);
/* Appends what switches them off. */
void tty_add_modes_off(const struct tty *t, struct strbuf *sb);
/* Remembers whether the mouse is wanted; with NOW the terminal hears of it. */
void tty_set_mouse(struct tty *t, bool on, bool now);
/* Milliseconds since some time before. */
int64_t tty_now_ms(void);
/* Asks for the colour of the background; false where no answer would come, or not to us: on
 * terminals that may not know the question, and when standard input is no terminal. */
bool tty_ask_background(struct tty *t);
/* Waits for bytes, up to 100 ms after the question; false when none came. */
bool tty_await_answer(const struct tty *t);
/* Size in cells; false when the terminal does not know it. */
bool tty_size(const struct tty *t, int *rows, int *cols);

/* Answers a sync: STATE, one line, goes to the test's descriptor, and a mark
 * into the screen's own stream. */
void tty_sync(struct tty *t, const char *state);

#endif
