/* canvas.h: matrix of cells that panes draw into. Independent of the terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

static inline int clamp(int value, int min, int max)
{
    return value < min ? min : value > max ? max : value;
}

/* The meaning of a cell, which a theme maps to colours and attributes. The letters appear in the
 * output of canvas_dump(). */
enum role {
    ROLE_TEXT,     /* . */
    ROLE_DIM,      /* d */
    ROLE_TITLE,    /* t */
    ROLE_TAB,      /* v current view */
    ROLE_HEADER,   /* h column heads */
    ROLE_SORT,     /* s head of the sort column */
    ROLE_CURSOR,   /* c selected row of the focused pane */
    ROLE_CURSOR_BLURRED, /* C selected row of another pane */
    ROLE_MARK,     /* m */
    ROLE_BAR,      /* b */
    ROLE_NUMBER,   /* n */
    ROLE_HOT,      /* H number with a large share of the total */
    ROLE_MATCH,    /* M search hit */
    ROLE_CHANGED,  /* * */
    ROLE_ERROR,    /* E */
    ROLE_NOTE,     /* N warning or uncertain value */
    ROLE_KEY,      /* k key names in the footer */
    ROLE_FRAME,    /* f lines and boxes */
    ROLE_INPUT,    /* i text being edited */
    ROLE_CELL,       /* x cells of a picture, alternating ... */
    ROLE_CELL_OTHER, /* y ... so that neighbours differ visibly */
    ROLE_GREW,        /* r cells of a comparison: increased ... */
    ROLE_GREW_MUCH,   /* R */
    ROLE_SHRANK,      /* l ... or decreased */
    ROLE_SHRANK_MUCH, /* L */
    ROLE_GROUP_1, /* 1 groups of a picture; also marked by a letter ... */
    ROLE_GROUP_2, /* 2 */
    ROLE_GROUP_3, /* 3 */
    ROLE_GROUP_4, /* 4 */
    ROLE_GROUP_5, /* 5 */
    ROLE_GROUP_6, /* 6 ... the last one */
    ROLE_COUNT
};

enum { CELL_COMBINING = 2 }; /* combining marks stored per cell; further ones are dropped */

struct cell {
    uint32_t base; /* code point; 0 for the right half of a wide character */
    uint32_t combining[CELL_COMBINING]; /* 0: none */
    uint8_t width; /* columns: 1 or 2; 0 for a right half */
    uint8_t role;
};
bool cell_equal(const struct cell *a, const struct cell *b);

/* A wide character always occupies two cells. Overwriting one half blanks the other. */
struct canvas {
    int rows, cols;
    struct cell *cells; /* row-major; a blank is a space in ROLE_TEXT */
    int cursor_row, cursor_col;
    bool cursor_visible; /* the position is always set; visible only in input fields */
};

/* A clipped window of a canvas, with its own coordinates. Nothing is drawn outside of it. Its size
 * may be 0. */
struct area {
    struct canvas *canvas;
    int top, left, rows, cols;
};

enum { CANVAS_MAX = 4096 }; /* maximum rows and columns; larger sizes are clamped */

/* Initialises an empty canvas of 1x1. */
void canvas_init(struct canvas *c);
void canvas_done(struct canvas *c);
/* Sets the size (1 to CANVAS_MAX each) and clears the canvas. */
void canvas_resize(struct canvas *c, int rows, int cols);
/* Blanks all cells, moves the cursor to the corner and hides it. */
void canvas_clear(struct canvas *c);
/* Copies FROM to TO, which must be initialised. */
void canvas_copy(struct canvas *to, const struct canvas *from);
/* Returns the cell at ROW, COL, which must be inside. */
struct cell *canvas_at(const struct canvas *c, int row, int col);

struct area area_all(struct canvas *c);
struct area area_sub(struct area a, int top, int left, int rows, int cols); /* clipped */
/* Draws text at ROW, COL and returns its width in columns. Text outside of the area is clipped;
 * wide characters are never split. Control characters and invalid bytes appear as \xNN,
 * bidirectional controls as \u{NNNN} (utf8_escape_at()), other unprintable characters as ?.
 * Combining marks stay with their base; joined emoji appear side by side. COL may be negative:
 * columns to the left of the area are clipped, but count. */
int area_put(struct area a, int row, int col, const char *text, size_t len, enum role role);
int area_puts(struct area a, int row, int col, const char *text, enum role role);
/* Puts TEXT so that it ends before column END, and clears TEXT. */
void area_put_before(struct area a, int row, int end, struct strbuf *text, enum role role);
int area_printf(struct area a, int row, int col, enum role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Fills COLS cells with CH, which is one column wide. */
void area_fill(struct area a, int row, int col, int cols, uint32_t ch, enum role role);
/* Changes the role of cells and keeps their characters. */
void area_paint(struct area a, int row, int col, int cols, enum role role);
/* Sets the cursor position, clamped to the area. */
void area_cursor(struct area a, int row, int col, bool visible);

/* Width of TEXT in columns. */
int text_cols(const char *text, size_t len);
/* Length in bytes of the longest prefix of TEXT that fits into COLS columns. Glyphs are not
 * split. */
size_t text_fit(const char *text, size_t len, int cols);
/* Length in bytes of the longest suffix of TEXT that fits into COLS columns. It never begins with a
 * combining mark. */
size_t text_fit_end(const char *text, size_t len, int cols);

/* Returns 1 or 2 columns; 0 for a combining mark; -1 for characters that must not be sent to a
 * terminal: control characters, characters unknown to the locale, and invisible formatting
 * characters (bidirectional controls, joiners, variation selectors), which terminals handle
 * differently.
 *
 * In a UTF-8 locale the C library decides, as it does for ncurses. In other locales ncurses cannot
 * print such characters, and a short table suffices. */
int char_cols(uint32_t code);

/* Replaces all non-ASCII characters on C. A wide character becomes its replacement and a space. */
void glyph_ascii_canvas(struct canvas *c);

/* Appends the characters of one row, without blanks at its end. */
void canvas_dump_row(struct strbuf *sb, const struct canvas *c, int row);
