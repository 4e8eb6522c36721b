/* row_counts.c: sums of visible rows, from the last row to the first. */
#include "tui/rows/row_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* The loop has no branches that depend on the filter, because they could not be predicted. */
void row_counts_below(struct row_counts *c, const struct result *r)
{
    const uint64_t *const open = folds_bits(c->folds);
    const uint8_t *const why = r->why;
    uint32_t *const below = c->below->data;
    uint32_t n_why[WHY_COUNT] = {0};

    memset(below, 0, r->tree->n_rows * sizeof *below);
    for (row_id row = r->tree->n_rows; row-- > 1;) {
        const uint32_t is_open = -(uint32_t)(open[row / 64] >> (row % 64) & 1);
        const uint32_t is_shown = -(uint32_t)(why[row] == WHY_SHOWN);

        below[result_parent(r, row)] += (1 + (below[row] & is_open)) & is_shown;
        n_why[why[row]]++;
    }
    memcpy(c->n_why, n_why, sizeof n_why);
}

void row_counts_make(struct row_counts *c, const struct result *r, struct folds *folds)
{
    *c = (struct row_counts){.tree = tree_ref((struct tree *)(uintptr_t)r->tree),
                             .folds = folds_ref(folds),
                             .below = result_new_column(r, sizeof(uint32_t))};
    row_counts_below(c, r);
}

void row_counts_done(struct row_counts *c)
{
    tree_unref(c->tree);
    folds_unref(c->folds);
    column_unref(c->below);
    *c = (struct row_counts){.tree = NULL};
}

/* Number of displayed ancestors by row; UINT32_MAX below a folded row. The caller frees it. */
static uint32_t *visible_depths(const struct row_counts *c, const struct result *r)
{
    uint32_t *depth = xcalloc(r->tree->n_rows, sizeof *depth);

    for (row_id row = 1; row < r->tree->n_rows; row++) {
        const row_id up = result_parent(r, row);

        depth[row] = r->why[row] == WHY_SHOWN && depth[up] != UINT32_MAX &&
                             folds_is_open(c->folds, up)
                         ? depth[up] + 1
                         : UINT32_MAX;
    }
    return depth;
}

uint32_t row_counts_level(const struct row_counts *c, const struct result *r, bool open)
{
    const uint32_t *below = c->below->data;
    uint32_t *depth = visible_depths(c, r), level = open ? 0 : UINT32_MAX;

    for (row_id row = 0; row < r->tree->n_rows; row++) {
        if (depth[row] == UINT32_MAX || !below[row] || folds_is_open(c->folds, row) != open)
            continue;
        if (open)
            KEEP_MAX(level, depth[row]);
        else
            KEEP_MIN(level, depth[row]);
    }
    free(depth);
    return level;
}
