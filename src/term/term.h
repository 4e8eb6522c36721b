/* term.h: interface of a terminal: displays canvases and delivers events.
 *
 * term_curses.c is a real terminal, the only file that includes <ncurses.h>;
 * tests have one in memory. */
#pragma once

#include "base/err.h"
#include "term/canvas.h"

/* Keys: a Unicode code point or one of these, with modifier bits above. ^I, ^M, ^J and ^H are
 * delivered as the keys they encode (Tab, Enter, Enter, Backspace), Shift-Tab as TK_BACKTAB, a
 * shifted letter as a capital. */
enum {
    TK_BASE = 0x110000,
    TK_UP = TK_BASE, TK_DOWN, TK_LEFT, TK_RIGHT, TK_HOME, TK_END, TK_PAGE_UP, TK_PAGE_DOWN,
    TK_INSERT, TK_DELETE, TK_BACKSPACE, TK_ENTER, TK_TAB, TK_BACKTAB, TK_ESC,
    TK_F1, TK_F2, TK_F3, TK_F4, TK_F5, TK_F6, TK_F7, TK_F8, TK_F9, TK_F10, TK_F11, TK_F12,
    TK_LAST = TK_F12,
    TK_CTRL = 1 << 24, /* with a lower-case letter or a key above */
    TK_ALT = 1 << 25,
    TK_SHIFT = 1 << 26, /* with keys above only */
    TK_MODIFIERS = TK_CTRL | TK_ALT | TK_SHIFT,
};

enum term_event_kind {
    EVENT_NONE,   /* timeout */
    EVENT_KEY,    /* key */
    EVENT_MOUSE,  /* mouse */
    EVENT_PASTE,  /* text, len: valid until the next call; newlines are \n */
    EVENT_RESIZE, /* rows and cols of the terminal have changed, or it was left and entered again */
    EVENT_WAKE,   /* the wake descriptor is readable: a worker has results */
    EVENT_TEST_SYNC,   /* tests: draw, then call ops->sync */
    EVENT_SIGNAL, /* signal HUP, INT, TERM or QUIT: clean up, then signal_die() */
    EVENT_BACKGROUND, /* is_light: reply to ops->ask_background */
    EVENT_GONE,   /* the terminal is gone; returned by every later call */
};

enum mouse_kind {
    MOUSE_PRESS,
    MOUSE_RELEASE,
    MOUSE_WHEEL_UP,
    MOUSE_WHEEL_DOWN,
    MOUSE_WHEEL_LEFT, /* also up with Shift held */
    MOUSE_WHEEL_RIGHT,
};

struct term_event {
    enum term_event_kind kind;
    uint32_t key;
    int signal;
    struct {
        enum mouse_kind kind;
        int button;   /* 1 left, 2 middle, 3 right; 0 for the wheel */
        int row, col; /* from 0 */
    } mouse;
    const char *text;
    size_t len;
    int rows, cols; /* EVENT_RESIZE */
    bool is_light; /* EVENT_BACKGROUND: the background is light */
    bool early; /* EVENT_TEST_SYNC: background tasks may still be running */
};

struct theme; /* theme.h */

/* Read-only for users of the interface. */
struct term {
    const struct term_ops *ops;
    int rows, cols;
    int colors; /* 256, 8, or 0 (mono) */
    /* False: show() draws the ASCII replacements of glyphs (canvas.h). Panes draw the same glyphs in both
     * cases. */
    bool utf8;
    /* Lines written to standard error while the screen was active; printed when the terminal is
     * released. */
    size_t stderr_lines;
};

struct term_ops {
    /* Displays C. Parts outside of the terminal are clipped, missing parts are blank. One write per
     * call. */
    void (*show)(struct term *t, const struct canvas *c);
    /* Waits up to TIMEOUT_MS (-1: no limit) for the next event. Signals have priority over input,
     * input over the wake descriptor. */
    struct term_event (*next)(struct term *t, int timeout_ms);
    /* Releases and reacquires the terminal, for $EDITOR and !shell. The first event after enter()
     * is EVENT_RESIZE. */
    void (*leave)(struct term *t);
    void (*enter)(struct term *t);
    /* Handles ^Z: leaves, stops the job, and enters again when it is continued. */
    void (*suspend)(struct term *t);
    void (*redraw)(struct term *t);   /* repaint the whole screen */
    /* Tests: replies to an EVENT_TEST_SYNC after the screen is drawn and no worker is busy. STATE is one
     * line for the test driver: the equivalent command line. */
    void (*sync)(struct term *t, const char *state);
    void (*set_theme)(struct term *t, const struct theme *theme);
    /* Queries the background colour if the terminal supports it (terminfo.h). The reply is an
     * EVENT_BACKGROUND, which may never arrive. */
    void (*ask_background)(struct term *t);
    void (*set_mouse)(struct term *t, bool on);
    void (*raw_write)(struct term *t, const char *bytes, size_t len); /* for OSC 52 */
    void (*free)(struct term *t);
};

/* Opens the real terminal: standard output, with keys from standard input or, if that is a pipe,
 * from /dev/tty. WAKE_FD (-1: none) is polled too. Sets the locale of the process, so call it
 * before starting threads. Returns NULL with ERR (usage) if standard output is not a usable
 * terminal. */
struct term *term_curses_new(const struct theme *theme, int wake_fd, struct err *err);
