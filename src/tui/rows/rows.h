/* rows.h: the visible rows: the tree of a result along its open rows.
 *
 * There is no list of rows. Each row has a count of the visible rows below it, so opening a
 * million rows is one sum. Look-ups start at the last position. */
#pragma once

#include "tui/rows/row_counts.h"

enum row_flag {
    ROW_HAS_CHILDREN = 1,
    ROW_OPEN = 2,   /* its children are visible */
    ROW_LIFTED = 4, /* its parent in the tree is hidden */
};

struct row_entry {
    row_id row;
    uint32_t depth;   /* number of displayed ancestors */
    uint32_t flags;   /* enum row_flag bits */
    row_id parent;    /* displayed parent; 0 for the root */
    size_t parent_at; /* index of the parent */
};

struct rows;

struct rows *rows_new(void);
void rows_free(struct rows *rows); /* NULL is fine */
/* Sets the rows to those of R (borrowed) with FOLDS; the root is the first one. REVERSE reverses
 * siblings. MADE (NULL: none) is consumed if its counts are of R's tree and FOLDS; its counts
 * must be of R. Else takes one scan over the tree, or a walk up from each change if only the
 * order and a few folds differ. */
void rows_build(struct rows *rows, struct result *r, struct folds *folds, bool reverse,
                struct row_counts *made);
/* Number of rows of the result, without the root, with WHY in result.why. */
uint32_t rows_n_why(const struct rows *rows, enum why why);
/* Removes all rows. */
void rows_clear(struct rows *rows);
/* The result of the rows; NULL if there are none. */
const struct result *rows_result(const struct rows *rows);
size_t rows_count(const struct rows *rows);

/* Entry I < rows_count(). Takes nearly no time near the last position. */
struct row_entry rows_at(struct rows *rows, size_t i);
/* Index of ROW, or SIZE_MAX. */
size_t rows_find(struct rows *rows, row_id row);
/* Stores the rows of entry I and its displayed ancestors, nearest first, at most MAX. Returns
 * their number. */
size_t rows_path(struct rows *rows, size_t i, row_id *path, size_t max);
