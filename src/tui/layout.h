/* layout.h: positions of all parts for any screen size. */
#pragma once

#include <stdbool.h>

#include "term/canvas.h"

struct rect {
    int top, left, rows, cols; /* rows 0: hidden */
};

struct layout {
    bool wide;  /* panes are side by side; else one at a time */
    bool tiny;  /* only the selected row and a hint fit */
    struct rect header, verdict, tabs, crumbs, heads, tree, tree_foot; /* the foot reports hidden rows */
    struct rect divider; /* between the tree and the side panes */
    struct rect details, options;
    struct rect side; /* heads, tree and foot together: the area of a single pane */
    struct rect rule, brief, status, command, footer;
};

/* Choices of the user. */
struct layout_choice {
    int side_cols; /* width of the side panes; 0: a third of the screen */
    bool zoomed;   /* one pane at a time although all would fit */
    bool verdict;  /* the header has a verdict, or is likely to get one */
};

/* The layout for ROWS x COLS. In the side area, options get at most OPTION_ROWS and details the
 * rest. EDITOR_ROWS (0: none) at the bottom belong to the options editor, in l->options. */
struct layout layout_make(int rows, int cols, struct layout_choice choice, int option_rows,
                          int editor_rows);
/* True when ROWS x COLS has room for side panes. */
bool layout_has_room(int rows, int cols);
/* The part of C that R names. */
struct area layout_area(struct canvas *c, struct rect r);
