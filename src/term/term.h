/* term.h: a terminal as the screen sees it: shows canvases, gives events.
 *
 * Two backends: term_curses.c (a real terminal, the only file that includes
 * <ncurses.h>) and term_mem.c (memory, for tests). */
#ifndef TFPROF_TUI_TERM_H
#define TFPROF_TUI_TERM_H

#include "base/err.h"
#include "term/canvas.h"

/* Keys: a Unicode code point, or one of these; modifiers are bits above.
 * ^I, ^M, ^J and ^H arrive as the keys they stand for (Tab, Enter, Enter,
 * Backspace), Shift-Tab as TK_BACKTAB, a shifted letter as the capital. */
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
    EVENT_NONE,   /* the time given ran out */
    EVENT_KEY,    /* key */
    EVENT_MOUSE,  /* mouse */
    EVENT_PASTE,  /* text, len: valid until the next call; lines end in \n */
    EVENT_RESIZE, /* the term's rows and cols have changed, or it was away */
    EVENT_WAKE,   /* the wake descriptor is readable: a worker has news */
    EVENT_SYNC,   /* tests: draw, then ops->sync */
    EVENT_SIGNAL, /* signal: HUP, INT, TERM, QUIT: end in order, then signal_die() */
    EVENT_BACKGROUND, /* is_light: the answer to ops->ask_background */
    EVENT_GONE,   /* the terminal is no longer there; every later call says so too */
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
    bool is_light; /* EVENT_BACKGROUND: dark text is read best on it */
    bool early; /* EVENT_SYNC: what nobody waits for may still be under way */
};

struct theme; /* theme.h */

/* Read-only for the screen. */
struct term {
    const struct term_ops *ops;
    int rows, cols;
    int colors; /* 256, 8, or 0 (mono) */
    /* False: show() draws the ASCII stand-ins of glyph.h for what is not
     * ASCII.  Panes draw the real glyphs in any case and need not ask. */
    bool utf8;
    /* Lines that something wrote to standard error while the screen was on;
     * they are printed once the terminal is given back. */
    size_t stderr_lines;
};

struct term_ops {
    /* Makes the screen show C, whose size should be the term's (what is
     * outside is cut, what is missing is blank).  One write a call. */
    void (*show)(struct term *t, const struct canvas *c);
    /* Waits up to TIMEOUT_MS (-1: for ever) for the next event.  Signals come
     * before input, input before the wake descriptor. */
    struct term_event (*next)(struct term *t, int timeout_ms);
    /* Gives the terminal back and takes it again, for $EDITOR and !shell.
     * The next event after enter() is EVENT_RESIZE. */
    void (*leave)(struct term *t);
    void (*enter)(struct term *t);
    /* ^Z: leave, stop the job, and once it is continued enter. */
    void (*suspend)(struct term *t);
    void (*redraw)(struct term *t);   /* forget what is on the screen */
    /* Tests: answers an EVENT_SYNC, once the screen is drawn and no worker is
     * busy.  STATE is one line for the driver: the command line shown. */
    void (*sync)(struct term *t, const char *state);
    void (*set_theme)(struct term *t, const struct theme *theme);
    /* Asks for the colour of the background where it may be asked
     * (environment.h); an EVENT_BACKGROUND tells it, at any time or never. */
    void (*ask_background)(struct term *t);
    void (*set_mouse)(struct term *t, bool on);
    void (*raw_write)(struct term *t, const char *bytes, size_t len); /* OSC 52 */
    void (*free)(struct term *t);
};

/* The real terminal: standard output, which must be one, with keys from
 * standard input or, when that is a pipe, from /dev/tty.  WAKE_FD (-1: none)
 * is polled beside it.  From here on the process's locale is set, so call it
 * before any thread starts.  NULL with ERR (usage) when there is no terminal
 * that can be drawn on. */
struct term *term_curses_new(const struct theme *theme, int wake_fd, struct err *err);

/* A terminal in memory: events come from a queue, the last canvas shown can
 * be read.  When the queue is empty next() gives EVENT_GONE, which ends an
 * event loop.  After an EVENT_SYNC nothing but EVENT_WAKE comes until it is
 * answered. */
struct term *term_mem_new(int rows, int cols, int wake_fd);
/* EV's text is copied. */
void term_mem_push(struct term *t, struct term_event ev);
/* Keys in macro notation: "jj<ret><esc><c-r>/conv<ret>".  False when MACRO
 * holds something that is no key; the keys before it are pushed. */
bool term_mem_push_keys(struct term *t, const char *macro);
const struct canvas *term_mem_canvas(const struct term *t);
/* FN is called with ARG at every answered sync, when the screen is drawn. */
void term_mem_on_sync(struct term *t, void (*fn)(struct term *t, const char *state, void *arg),
                      void *arg);
/* What raw_write got so far. */
const char *term_mem_raw(const struct term *t, size_t *len);

#endif
