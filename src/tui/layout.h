/* layout.h: where everything stands on a screen of any size. */
#ifndef TFPROF_TUI_LAYOUT_H
#define TFPROF_TUI_LAYOUT_H

#include <stdbool.h>

#include "term/canvas.h"

struct rect {
    int top, left, rows, cols; /* rows 0: not there */
};

struct layout {
    bool wide;  /* panes stand side by side; else one at a time */
    bool tiny;  /* only the selected row and a hint */
    struct rect header, crumbs, heads, tree, tree_foot; /* foot: hidden rows, position */
    struct rect divider; /* between the tree and the side panes */
    struct rect details, options;
    struct rect side; /* tree, foot and heads together: what a narrow pane takes */
    struct rect rule, brief, status, command, footer;
};

/* What the person has chosen. */
struct layout_choice {
    int side_cols; /* of the panes at the side; 0: a third of the screen */
    bool zoomed;   /* one pane at a time, although there is room for all */
};

/* The layout for ROWS x COLS; at the side the options have at most OPTION_ROWS, the details the
 * rest; EDITOR_ROWS (0: none) at the bottom of the panes
 * belong to the options editor, which then stands in l->options. */
struct layout layout_make(int rows, int cols, struct layout_choice choice, int option_rows,
                          int editor_rows);
/* True when ROWS x COLS has room for panes beside each other. */
bool layout_has_room(int rows, int cols);
/* The part of C that R names. */
struct area layout_area(struct canvas *c, struct rect r);

#endif
