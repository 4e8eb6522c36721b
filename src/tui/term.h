/* term.h: a terminal as the screen sees it: shows canvases, gives events.
 *
 * Two backends: term_curses.c (a real terminal, the only file that includes
 * <ncurses.h>) and term_mem.c (memory, for tests). */
#ifndef TFPROF_TUI_TERM_H
#define TFPROF_TUI_TERM_H

#include "base/err.h"
#include "tui/canvas.h"

/* Keys: a Unicode code point, or one of these; modifiers are bits above. */
enum {
    KEY_BASE_ = 0x110000,
    TK_UP = KEY_BASE_, TK_DOWN, TK_LEFT, TK_RIGHT, TK_HOME, TK_END, TK_PAGE_UP, TK_PAGE_DOWN,
    TK_INSERT, TK_DELETE, TK_BACKSPACE, TK_ENTER, TK_TAB, TK_BACKTAB, TK_ESC,
    TK_F1, TK_F2, TK_F3, TK_F4, TK_F5, TK_F6, TK_F7, TK_F8, TK_F9, TK_F10, TK_F11, TK_F12,
    TK_END_,
    TK_CTRL = 1 << 24, /* with a lower-case letter or a key above */
    TK_ALT = 1 << 25,
    TK_SHIFT = 1 << 26, /* with keys above only */
};

enum event_kind {
    EVENT_NONE,   /* the time given ran out */
    EVENT_KEY,    /* key */
    EVENT_MOUSE,  /* mouse */
    EVENT_PASTE,  /* text, len: valid until the next call */
    EVENT_RESIZE, /* the term's size has changed */
    EVENT_WAKE,   /* the wake descriptor was readable: a worker has news */
    EVENT_SYNC,   /* tests: draw, then term_sync() */
    EVENT_SIGNAL, /* signal: HUP, TERM, QUIT: end in order, then re-raise */
    EVENT_GONE,   /* the terminal is no longer there */
};

enum mouse_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct event {
    enum event_kind kind;
    uint32_t key;
    int signal;
    struct {
        enum mouse_kind kind;
        int button, row, col;
    } mouse;
    const char *text;
    size_t len;
};

struct theme; /* theme.h */

struct term {
    const struct term_ops *ops;
    int rows, cols;
    bool utf8;   /* glyph set: false means --ascii */
    int colors;  /* 0: none (mono) */
};

struct term_ops {
    void (*show)(struct term *t, const struct canvas *c);
    /* Waits up to TIMEOUT_MS (-1: for ever) for the next event. */
    struct event (*next)(struct term *t, int timeout_ms);
    /* Gives the terminal back and takes it again: ^Z, $EDITOR, !shell. */
    void (*leave)(struct term *t);
    void (*enter)(struct term *t);
    void (*redraw)(struct term *t);   /* forget what is on the screen */
    void (*sync)(struct term *t);     /* tests: answer an EVENT_SYNC */
    void (*set_mouse)(struct term *t, bool on);
    void (*raw_write)(struct term *t, const char *bytes, size_t len); /* OSC 52 */
    void (*free)(struct term *t);
};

/* The real terminal.  WAKE_FD is polled beside it.  NULL with ERR when there
 * is none that can be drawn on. */
struct term *term_curses_new(const struct theme *theme, int wake_fd, struct err *err);

/* A terminal in memory: events come from a queue, the last canvas shown can
 * be read. */
struct term *term_mem_new(int rows, int cols);
void term_mem_push(struct term *t, struct event ev);
/* Keys in macro notation: "jj<ret><esc><c-r>/conv<ret>". */
void term_mem_push_keys(struct term *t, const char *macro);
const struct canvas *term_mem_canvas(const struct term *t);

#endif
