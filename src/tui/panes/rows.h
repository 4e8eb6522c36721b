/* rows.h: the rows that can be seen: the tree of a result along its open rows.
 *
 * There is no list of them.  Every row knows how many can be seen below it, so
 * that opening a million rows is a sum, and the window walks from where it
 * was. */
#ifndef TFPROF_TUI_ROWS_H
#define TFPROF_TUI_ROWS_H

#include "tui/panes/row_counts.h"

enum row_flag {
    ROW_HAS_CHILDREN = 1,
    ROW_OPEN = 2,   /* its children follow */
    ROW_LIFTED = 4, /* its parent in the tree is hidden: it moved up */
};

struct row_entry {
    row_id row;
    uint32_t depth;   /* displayed ancestors */
    uint32_t flags;   /* enum row_flag bits */
    row_id parent;    /* the row that it is displayed under; 0 for the root */
    size_t parent_at; /* the index of that */
};

struct rows;

struct rows *rows_new(void);
void rows_free(struct rows *rows); /* NULL is fine */
/* All visible rows of R (borrowed) as FOLDS has them; the root is the first one.
 * With REVERSE siblings stand from the last one.  What MADE (NULL: nothing) counts is
 * taken when it is of R's tree and FOLDS, and has to be of R.  Without it one scan over the tree;
 * when nothing but the order and a few folds have changed, a walk up from each of these. */
void rows_build(struct rows *rows, struct result *r, struct folds *folds, bool reverse,
                struct row_counts *made);
/* How many of all rows of the result, the root aside, result.why says WHY of. */
uint32_t rows_n_why(const struct rows *rows, enum why why);
/* Makes them none. */
void rows_clear(struct rows *rows);
/* That they are of; NULL when there are none. */
const struct result *rows_result(const struct rows *rows);
size_t rows_count(const struct rows *rows);

/* Entry I, below rows_count().  Near the one asked for before it costs next to
 * nothing. */
struct row_entry rows_at(struct rows *rows, size_t i);
/* Index of ROW, or SIZE_MAX. */
size_t rows_find(struct rows *rows, row_id row);
/* Entry I and the rows that it is displayed under, the nearest first: at most
 * MAX of them. */
size_t rows_path(struct rows *rows, size_t i, row_id *path, size_t max);

#endif
