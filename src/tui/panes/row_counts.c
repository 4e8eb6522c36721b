/* row_counts.c: sums of visible rows, from the last row to the first. */
#include "tui/panes/row_counts.h"

#include <string.h>

void row_counts_below(const struct row_counts *c, const struct result *r)
{
    const uint64_t *open = folds_bits(c->folds);
    uint32_t *below = c->below->data;

    memset(below, 0, r->tree->n_rows * sizeof *below);
    for (row_id row = r->tree->n_rows; row-- > 1;)
        if (r->why[row] == WHY_SHOWN)
            below[result_parent(r, row)] += (uint32_t)row_counts_size(open, below, row);
}

void row_counts_make(struct row_counts *c, const struct result *r, struct folds *folds)
{
    *c = (struct row_counts){.tree = tree_ref((struct tree *)(uintptr_t)r->tree),
                             .folds = folds_ref(folds),
                             .below = result_new_column(r, sizeof(uint32_t))};
    row_counts_below(c, r);
    for (row_id row = 1; row < r->tree->n_rows; row++)
        c->n_why[r->why[row]]++;
}

void row_counts_done(struct row_counts *c)
{
    tree_unref(c->tree);
    folds_unref(c->folds);
    column_unref(c->below);
    *c = (struct row_counts){.tree = NULL};
}
