/* icicle.h: displayed rows as cells of an icicle plot: as wide as their totals, level below
 * level.  For the screen (columns are those of cells) and for files (columns are pixels). */
#ifndef TFPROF_VIEW_PICTURES_ICICLE_H
#define TFPROF_VIEW_PICTURES_ICICLE_H

#include "base/vec.h"
#include "view/query.h"

struct icicle_shape {
    row_id top;           /* a displayed row or the root: the one cell of level 0 */
    enum metric_id metric;
    int cols;             /* what the total of TOP takes */
    int min_cols;         /* siblings in sequence that are narrower are joined into one cell */
};

/* A row, or siblings in sequence of which each is too narrow to be seen. */
struct icicle_cell {
    row_id row;     /* the first of them */
    row_id parent;  /* displayed above; ROW_NONE at level 0 */
    uint32_t n_rows;
    int64_t begin;  /* the totals of what stands left of it, from where TOP begins */
    int64_t figure; /* its total, or the sum of theirs */
    int col, cols;  /* at least one column */
};

enum { ICICLE_LEVELS_MAX = 1000 }; /* a chain of rows may be a million long */

/* A zeroed struct has no levels. */
struct icicle {
    struct icicle_shape shape;
    VEC(struct icicle_cell) cells; /* level by level, each from left to right */
    VEC(size_t) level_begin;       /* [n_levels + 1] */
    int n_levels;
};

/* Fills I with the rows of R at and below shape.top: none when its total is not above 0.
 * Siblings stand in display order; rows whose total is not above 0 have no cell, and a column
 * that no child takes is the parent's own.  Cells of one level never overlap and lie within
 * their parent, whatever the totals are.  Linear in the children of rows that are seen; sorts
 * them, so one thread at a time. */
void icicle_make(struct icicle *i, struct result *r, struct icicle_shape shape);
void icicle_done(struct icicle *i);

/* The cells of LEVEL, below i->n_levels; *N of them. */
const struct icicle_cell *icicle_level(const struct icicle *i, int level, size_t *n);
/* The cell of LEVEL in column COL; NULL where there is none. */
const struct icicle_cell *icicle_at(const struct icicle *i, int level, int col);
/* The cell of ROW, alone or joined, or of the nearest row above it that has one; *LEVEL is its
 * level.  NULL when ROW is not at or below shape.top. */
const struct icicle_cell *icicle_find(const struct icicle *i, struct result *r, row_id row,
                                      int *level);

#endif
