/* term_tty.h: the terminal device: opening, raw output, private modes, and the handshake with
 * tests. Does not use the terminal library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"

struct tty {
    FILE *in, *out;
    int test_fd; /* receives sync replies in tests; -1: not a test */
    unsigned n_syncs;
    bool private_modes; /* supports ESC [ ? n h (mouse and bracketed paste) */
    bool mouse;         /* requested by the user */
    int64_t asked_ms;   /* time of the background query */
    bool gone;          /* a write failed: the terminal has been closed */
};

/* Opens the controlling terminal for reading and writing. -1 if there is none. */
int tty_device(void);
/* Opens standard output, which must be a terminal.  Reads keys from standard input or, if that is a
 * profile, from /dev/tty. Returns false with ERR (usage). T may be closed in either case. */
bool tty_open(struct tty *t, struct err *err);
void tty_close(struct tty *t);

/* True if the terminal has been closed by the other end. */
bool tty_is_gone(const struct tty *t);
/* Writes immediately, bypassing the buffer of the library, which is empty after drawing. */
void tty_write(struct tty *t, const char *bytes, size_t len);
/* Enable mouse reports (if requested) and bracketed paste; disable both. */
void tty_modes_on(struct tty *t);
void tty_modes_off(struct tty *t);
/* Appends the sequences that disable them. */
void tty_add_modes_off(const struct tty *t, struct strbuf *sb);
/* Sets whether mouse reports are requested; with NOW also switches the terminal. */
void tty_set_mouse(struct tty *t, bool on, bool now);
/* Monotonic time in milliseconds. */
int64_t tty_now_ms(void);
/* Queries the background colour. Returns false if no reply can be expected: the terminal type may
 * not support it, or standard input is not a terminal. */
bool tty_ask_background(struct tty *t);
/* Waits for input until 100 ms after the query. False if there was none. */
bool tty_await_answer(const struct tty *t);
/* Gets the size in cells. False if it is unknown. */
bool tty_size(const struct tty *t, int *rows, int *cols);

/* Replies to a sync: writes STATE, one line, to the test's descriptor, and a mark to the screen's
 * own stream. */
void tty_sync(struct tty *t, const char *state);
