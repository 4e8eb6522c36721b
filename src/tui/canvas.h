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
    ROLE_MATCH,    /* M search hit */
    ROLE_CHANGED,  /* * */
    ROLE_ERROR,    /* E */
    ROLE_NOTE,     /* N warnings, doubt */
    ROLE_KEY,      /* k key names in the footer */
    ROLE_FRAME,    /* f lines and boxes */
    ROLE_INPUT,    /* i text being edited */
    ROLE_COUNT
};
char role_letter(enum role role);

struct cell {
    uint32_t base;         /* code point; 0: right half of a wide one */
    uint32_t combining[2]; /* 0: none */
    uint8_t width;         /* columns: 1 or 2; 0 for a right half */
    uint8_t role;
};

struct canvas {
    int rows, cols;
    struct cell *cells; /* row-major */
    int cursor_row, cursor_col;
    bool cursor_visible; /* the cursor is always placed; shown only in edits */
};

/* A window of a canvas: panes draw with coordinates of their own and nothing
 * leaves the window. */
struct area {
    struct canvas *canvas;
    int top, left, rows, cols;
};

void canvas_init(struct canvas *c);
void canvas_done(struct canvas *c);
/* Sets the size (at least 1x1) and clears. */
void canvas_resize(struct canvas *c, int rows, int cols);
void canvas_clear(struct canvas *c);

struct area area_all(struct canvas *c);
struct area area_sub(struct area a, int top, int left, int rows, int cols); /* clipped */
/* Writes text at ROW, COL and returns the columns it took; what does not fit
 * is cut; a wide character is never halved.  Control and malformed bytes show
 * as \xNN, unprintable characters as ?. */
int area_put(struct area a, int row, int col, const char *text, size_t len, enum role role);
int area_puts(struct area a, int row, int col, const char *text, enum role role);
int area_printf(struct area a, int row, int col, enum role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void area_fill(struct area a, int row, int col, int cols, uint32_t ch, enum role role);
/* Changes the role of cells that are there. */
void area_paint(struct area a, int row, int col, int cols, enum role role);
void area_cursor(struct area a, int row, int col, bool visible);

/* Columns that area_put would take without a limit. */
int text_cols(const char *text, size_t len);
/* Bytes of TEXT that fit into COLS columns. */
size_t text_fit(const char *text, size_t len, int cols);

#endif
