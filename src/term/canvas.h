/* canvas.h: a matrix of cells that panes draw into.  Knows no terminal. */
#ifndef TFPROF_TUI_CANVAS_H
#define TFPROF_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell means; a theme turns it into colours and attributes.  The
 * letter is what screen tests print. */
enum role {
    ROLE_TEXT,     /* . */
    ROLE_DIM,      /* d */
    ROLE_TITLE,    /* t */
    ROLE_TAB,      /* v the view that is on */
    ROLE_HEADER,   /* h column heads */
    ROLE_SORT,     /* s the head sorted by */
    ROLE_CURSOR,   /* c selected row of the focused pane */
    ROLE_CURSOR_BLURRED, /* C the same, pane not focused */
    ROLE_MARK,     /* m */
    ROLE_BAR,      /* b */
    ROLE_NUMBER,   /* n */
    ROLE_HOT,      /* H a number that is a large share of all */
    ROLE_MATCH,    /* M search hit */
    ROLE_CHANGED,  /* * */
    ROLE_ERROR,    /* E */
    ROLE_NOTE,     /* N warnings, doubt */
    ROLE_KEY,      /* k key names in the footer */
    ROLE_FRAME,    /* f lines and boxes */
    ROLE_INPUT,    /* i text being edited */
    ROLE_CELL,       /* x cells of a picture, by turns ... */
    ROLE_CELL_OTHER, /* y ... so that neighbours part */
    ROLE_GREW,        /* r cells of a picture of a comparison: more than before ... */
    ROLE_GREW_MUCH,   /* R */
    ROLE_SHRANK,      /* l ... or less */
    ROLE_SHRANK_MUCH, /* L */
    ROLE_GROUP_1, /* 1 groups of a picture, which have a letter beside their colour ... */
    ROLE_GROUP_2, /* 2 */
    ROLE_GROUP_3, /* 3 */
    ROLE_GROUP_4, /* 4 */
    ROLE_GROUP_5, /* 5 */
    ROLE_GROUP_6, /* 6 ... the last one */
    ROLE_COUNT
};
char role_letter(enum role role);

enum { CELL_COMBINING = 2 }; /* marks kept per cell; more are dropped */

struct cell {
    uint32_t base; /* code point; 0: right half of a wide one */
    uint32_t combining[CELL_COMBINING]; /* 0: none */
    uint8_t width; /* columns: 1 or 2; 0 for a right half */
    uint8_t role;
};
bool cell_equal(const struct cell *a, const struct cell *b);

/* Every wide character has its right half beside it: writing over one half
 * blanks the other. */
struct canvas {
    int rows, cols;
    struct cell *cells; /* row-major; a blank is a space in ROLE_TEXT */
    int cursor_row, cursor_col;
    bool cursor_visible; /* the cursor is always placed; shown only in edits */
};

/* A window of a canvas: panes draw with coordinates of their own and nothing
 * leaves the window.  Rows and columns may be 0, then nothing is drawn. */
struct area {
    struct canvas *canvas;
    int top, left, rows, cols;
};

enum { CANVAS_MAX = 4096 }; /* rows or columns; a larger size is cut to it */

/* An empty canvas of 1x1. */
void canvas_init(struct canvas *c);
void canvas_done(struct canvas *c);
/* Sets the size (from 1x1 to CANVAS_MAX each) and clears. */
void canvas_resize(struct canvas *c, int rows, int cols);
/* Blanks all cells; the cursor goes to the corner and is not visible. */
void canvas_clear(struct canvas *c);
/* Makes TO, initialised before, the same as FROM. */
void canvas_copy(struct canvas *to, const struct canvas *from);
/* The cell at ROW, COL, which must be on the canvas. */
const struct cell *canvas_at(const struct canvas *c, int row, int col);

struct area area_all(struct canvas *c);
struct area area_sub(struct area a, int top, int left, int rows, int cols); /* clipped */
/* Writes text at ROW, COL and returns the columns it took; what does not fit
 * is cut; a wide character is never halved.  Control and malformed bytes show
 * as \xNN, bidirectional controls as \u{NNNN} (utf8_escape_at()), other
 * unprintable characters as ?.  Marks stay with their base, emoji that are joined
 * into one beside each other.  COL may be
 * negative: then the text's left part is cut (and counts as taken). */
int area_put(struct area a, int row, int col, const char *text, size_t len, enum role role);
int area_puts(struct area a, int row, int col, const char *text, enum role role);
int area_printf(struct area a, int row, int col, enum role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* CH, one column wide, in COLS cells. */
void area_fill(struct area a, int row, int col, int cols, uint32_t ch, enum role role);
/* Changes the role of cells that are there. */
void area_paint(struct area a, int row, int col, int cols, enum role role);
/* Places the cursor, kept within the area. */
void area_cursor(struct area a, int row, int col, bool visible);

/* Columns that area_put would take without a limit. */
int text_cols(const char *text, size_t len);
/* Bytes at the start of TEXT that fit into COLS columns: whole characters
 * with their marks. */
size_t text_fit(const char *text, size_t len, int cols);
/* Bytes at the end of TEXT that fit into COLS columns; the end begins with a
 * base character, never with a mark. */
size_t text_fit_end(const char *text, size_t len, int cols);

#endif
