/* flame_graph.h: displayed rows as cells of a flame graph, level below level; the width is the
 * row's total. Used for the screen (columns are character cells) and for files (columns are
 * pixels). */
#pragma once

#include "base/vec.h"
#include "view/query.h"

struct flame_shape {
    row_id top;           /* the single cell of level 0: a displayed row or the root */
    enum metric_id metric;
    int cols;             /* width of the cell of TOP */
    int min_cols;         /* consecutive siblings that are narrower are joined into one cell */
};

/* A row, or consecutive siblings that are each too narrow to be drawn. */
struct flame_cell {
    row_id row;     /* the row, or the first of the joined rows */
    row_id parent;  /* parent in the display; ROW_NONE at level 0 */
    uint32_t n_rows;
    int64_t begin;  /* offset from the start of TOP: the totals of everything to the left */
    int64_t figure; /* total of the row, or the sum of the joined totals */
    int col, cols;  /* cols is at least 1 */
};

enum { FLAME_LEVELS_MAX = 1000 }; /* limit: a chain of rows may be a million long */

/* A zeroed struct has no levels. */
struct flame_graph {
    struct flame_shape shape;
    VEC(struct flame_cell) cells; /* by level, left to right within a level */
    VEC(size_t) level_begin;       /* [n_levels + 1] */
    int n_levels;
};

/* Fills I with the rows of R at and below shape.top; empty if the total of the top is not positive.
 * Siblings are in display order. Rows whose total is not positive have no cell, and a column that
 * no child occupies belongs to the parent. Cells of one level never overlap and never exceed their
 * parent. Linear in the children of visible rows. Sorts children, so it is not thread-safe. */
void flame_graph_make(struct flame_graph *i, struct result *r, struct flame_shape shape);
void flame_graph_done(struct flame_graph *i);

/* The cells of LEVEL, which is below i->n_levels; sets *N to their number. */
const struct flame_cell *flame_level(const struct flame_graph *i, int level, size_t *n);
/* The cell of LEVEL at column COL, or NULL. */
const struct flame_cell *flame_graph_at(const struct flame_graph *i, int level, int col);
/* The cell that contains ROW or, if there is none, its nearest ancestor with a cell; sets *LEVEL to
 * its level. NULL when ROW is not at or below shape.top. */
const struct flame_cell *flame_graph_find(const struct flame_graph *i, struct result *r, row_id row,
                                      int *level);
