/* row_counts.h: how many rows can be seen below each row, and how many are hidden: one pass over
 * a whole tree, for a thread in the background. */
#ifndef TFPROF_TUI_ROW_COUNTS_H
#define TFPROF_TUI_ROW_COUNTS_H

#include "tui/panes/folds.h"
#include "view/column.h"

/* A zeroed struct counts nothing. */
struct row_counts {
    struct tree *tree;    /* with a reference, as are the next two */
    struct folds *folds;
    struct column *below; /* uint32_t by row: visible rows below it, were it open */
    uint32_t n_why[WHY_COUNT]; /* rows, the root aside, by what result.why says of them */
};

/* Fills C with the counts of R with FOLDS. */
void row_counts_make(struct row_counts *c, const struct result *r, struct folds *folds);
/* Counts the rows of R again, with the folds that C has now. */
void row_counts_below(struct row_counts *c, const struct result *r);
/* The deepest level that is open, 0 when all is folded. */
uint32_t row_counts_deepest_open(const struct row_counts *c, const struct result *r);
/* The highest level that is folded, UINT32_MAX when all is open. */
uint32_t row_counts_highest_folded(const struct row_counts *c, const struct result *r);
void row_counts_done(struct row_counts *c);

/* Visible rows from ROW to the end of what is below it. */
static inline size_t row_counts_size(const uint64_t *open, const uint32_t *below, row_id row)
{
    return 1 + (size_t)(open[row / 64] >> (row % 64) & 1 ? below[row] : 0);
}

#endif
