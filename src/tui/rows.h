/* rows.h: the rows that can be seen: the tree of a result flattened along its
 * open rows.  Only the window is drawn; folding splices. */
#ifndef TFPROF_TUI_ROWS_H
#define TFPROF_TUI_ROWS_H

#include "base/vec.h"
#include "tui/folds.h"

enum row_flag {
    ROW_HAS_CHILDREN = 1,
    ROW_OPEN = 2,   /* its children follow */
    ROW_LIFTED = 4, /* its parent in the tree is hidden: it moved up */
};

struct row_entry {
    row_id row;
    uint32_t depth; /* displayed ancestors */
    uint32_t flags; /* enum row_flag bits */
};

/* A zeroed struct is empty and ready. */
struct rows {
    VEC(struct row_entry) v;
    struct result *result; /* borrowed */
    bool reverse;          /* siblings from the last one */
};

/* All visible rows of R; the root is the first one. */
void rows_build(struct rows *rows, struct result *r, const struct folds *folds);
/* Puts the visible rows below entry I behind it, as FOLDS has them. */
void rows_open(struct rows *rows, size_t i, const struct folds *folds);
/* Removes the rows below entry I. */
void rows_close(struct rows *rows, size_t i);
/* Index of ROW, or SIZE_MAX. */
size_t rows_find(const struct rows *rows, row_id row);
/* Index of the entry that I is displayed under; 0 for the root. */
size_t rows_parent(const struct rows *rows, size_t i);
void rows_done(struct rows *rows);

#endif
