/* row_counts.h: numbers of visible rows below each row, and of hidden rows: one pass over the
 * tree, for a background thread. */
#pragma once

#include "tui/rows/folds.h"
#include "view/column.h"

/* A zeroed struct is empty. */
struct row_counts {
    struct tree *tree;    /* with a reference, as are the next two */
    struct folds *folds;
    struct column *below; /* uint32_t by row: rows that are visible below it when it is open */
    uint32_t n_why[WHY_COUNT]; /* number of rows without the root by result.why */
};

/* Sets C to the counts of R with FOLDS. */
void row_counts_make(struct row_counts *c, const struct result *r, struct folds *folds);
/* Counts the rows of R again with the folds of C. */
void row_counts_below(struct row_counts *c, const struct result *r);
/* The deepest open level, 0 if everything is folded; without OPEN the highest folded level,
 * UINT32_MAX if everything is open. */
uint32_t row_counts_level(const struct row_counts *c, const struct result *r, bool open);
void row_counts_done(struct row_counts *c);

/* Number of visible rows at and below ROW. */
static inline size_t row_counts_size(const uint64_t *open, const uint32_t *below, row_id row)
{
    return 1 + (size_t)(open[row / 64] >> (row % 64) & 1 ? below[row] : 0);
}
