/* folds.c: fold state as a bit per row of the tree. */
#include "tui/rows/folds.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/delta.h"

struct folds {
    _Atomic uint32_t refs;
    uint32_t n_rows;
    uint64_t open[]; /* one bit per row */
};

static size_t n_words(uint32_t n_rows)
{
    return ((size_t)n_rows + 63) / 64;
}

struct folds *folds_new(uint32_t n_rows)
{
    struct folds *f = xcalloc(1, sizeof *f + n_words(n_rows) * sizeof f->open[0]);

    atomic_init(&f->refs, 1);
    f->n_rows = n_rows;
    folds_set(f, 0, true);
    return f;
}

struct folds *folds_ref(struct folds *f)
{
    atomic_fetch_add(&f->refs, 1);
    return f;
}

void folds_unref(struct folds *f)
{
    if (f && atomic_fetch_sub(&f->refs, 1) == 1)
        free(f);
}

struct folds *folds_copy(const struct folds *f)
{
    struct folds *copy = folds_new(f->n_rows);

    memcpy(copy->open, f->open, n_words(f->n_rows) * sizeof f->open[0]);
    return copy;
}

bool folds_is_open(const struct folds *f, row_id row)
{
    return row < f->n_rows && (f->open[row / 64] >> (row % 64) & 1);
}

const uint64_t *folds_bits(const struct folds *f)
{
    return f->open;
}

void folds_set(struct folds *f, row_id row, bool open)
{
    const uint64_t bit = UINT64_C(1) << (row % 64);

    if (row >= f->n_rows)
        return;
    if (open)
        f->open[row / 64] |= bit;
    else
        f->open[row / 64] &= ~bit;
}

row_id folds_next_open(const struct folds *f, row_id row)
{
    while (row < f->n_rows) {
        const uint64_t rest = f->open[row / 64] >> (row % 64);

        if (rest) {
            row += (row_id)__builtin_ctzll(rest);
            return row < f->n_rows ? row : ROW_NONE;
        }
        row = (row / 64 + 1) * 64;
    }
    return ROW_NONE;
}

void folds_set_range(struct folds *f, row_id begin, row_id end, bool open)
{
    row_id row = begin;

    for (; row < end && row % 64; row++)
        folds_set(f, row, open);
    for (; end - row >= 64 && row < end; row += 64)
        f->open[row / 64] = open ? UINT64_MAX : 0;
    for (; row < end; row++)
        folds_set(f, row, open);
}

void folds_set_level(struct folds *f, const struct result *r, uint32_t level)
{
    const uint32_t n = r->tree->n_rows;
    uint32_t *depth = xcalloc(n, sizeof *depth);

    for (row_id row = 0; row < n; row++) {
        if (row && r->why[row] != WHY_SHOWN)
            continue;
        if (row && r->shown_parent[row] != ROW_NONE)
            depth[row] = depth[r->shown_parent[row]] + 1;
        folds_set(f, row, depth[row] < level);
    }
    free(depth);
}

void folds_open_chain(struct folds *f, struct result *r, row_id row)
{
    uint32_t n = 1;

    for (int i = 0; n == 1 && i < FOLDS_CHAIN_MAX; i++) {
        const row_id *children = result_children(r, row, &n);

        folds_set(f, row, true);
        if (n == 1)
            row = children[0];
    }
}

/* True when CHILD has at least 80 % of the METRIC of ROW. */
static bool is_dominant(const struct result *r, row_id row, row_id child, enum metric_id metric)
{
    const int64_t *total = metric < METRIC_COUNT ? r->total[metric] : NULL;

    return total && total[row] > 0 && total[child] >= total[row] - total[row] / 5;
}

void folds_open_first(struct folds *f, struct result *r, enum metric_id metric)
{
    const bool is_nested = r->view_id == VIEW_SCOPE || r->view_id == VIEW_CODE;
    row_id row = 0;
    int n_dominant = 0;
    uint32_t n = 1;

    for (int i = 0; n && i < FOLDS_CHAIN_MAX; i++) {
        const row_id *children = result_children(r, row, &n);

        folds_set(f, row, true);
        if (n > 1 && (!is_nested || n_dominant++ == FOLDS_DOMINANT_MAX || result_compares(r) ||
                      !is_dominant(r, row, children[0], metric)))
            return;
        row = n ? children[0] : row;
    }
}

void folds_reveal(struct folds *f, const struct result *r, row_id row)
{
    for (row = r->shown_parent[row]; row != ROW_NONE; row = r->shown_parent[row])
        folds_set(f, row, true);
}

struct folds *folds_remap(struct folds *f, const struct tree *from, const struct tree *to)
{
    struct folds *g;

    if (from == to || from->n_rows == to->n_rows)
        return folds_ref(f);
    g = folds_new(to->n_rows);
    for (row_id row = 1; row < from->n_rows; row++) {
        const node_id node = tree_node(from, row);

        if (!folds_is_open(f, row) || node == NODE_NONE)
            continue;
        for (row_id there = to->row_of_node[node]; there != ROW_NONE && !folds_is_open(g, there);
             there = to->parent[there])
            folds_set(g, there, true);
    }
    return g;
}
