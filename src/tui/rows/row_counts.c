/* row_counts.c: sums of visible rows, from the last row to the first, on all cores. */
#include "tui/rows/row_counts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/system/workers.h"
#include "base/xalloc.h"

enum { ROWS_A_CHUNK = 8192 };

struct counting {
    const struct result *result;
    const uint64_t *open;
    uint32_t *below;
    /* Rows that several chunks add to, ascending: the first row of each chunk and its ancestors
     * without the root. They are counted after the chunks. */
    const row_id *shared;
    uint32_t n_shared;
    /* what later chunks add to the shared rows and the root, by row; NULL: there is one chunk */
    _Atomic uint32_t *from_later;
    _Atomic uint32_t n_why[WHY_COUNT];
};

/* Number of visible rows at and below ROW, whose count is complete; 0 if it is hidden. Without
 * branches, because they could not be predicted. */
static inline uint32_t size_if_shown(const struct counting *c, row_id row)
{
    const uint32_t is_open = -(uint32_t)(c->open[row / 64] >> (row % 64) & 1);
    const uint32_t is_shown = -(uint32_t)(c->result->why[row] == WHY_SHOWN);

    return (1 + (c->below[row] & is_open)) & is_shown;
}

/* Adds the rows FROM to TO - 1 of the chunk that begins at FIRST to their parents. Parents in
 * earlier chunks are mostly the same from row to row, so their sums are added at once. */
static void count_between(struct counting *c, row_id from, row_id to, row_id first)
{
    const struct result *const r = c->result;
    const uint8_t *const why = r->why;
    uint32_t *const below = c->below;
    uint32_t n_why[2][WHY_COUNT] = {{0}}; /* in turn, since an increment waits for the previous one */
    uint32_t sum = 0;                     /* for row UP */
    row_id up = 0;

    memset(below + from, 0, (to - from) * sizeof *below);
    for (row_id row = to; row-- > from;) {
        const uint32_t n = size_if_shown(c, row);
        const row_id parent = result_parent(r, row);

        n_why[row % 2][why[row]]++;
        if (parent < first && parent != up) {
            atomic_fetch_add(&c->from_later[up], sum);
            up = parent;
            sum = 0;
        }
        *(parent < first ? &sum : &below[parent]) += n;
    }
    if (sum)
        atomic_fetch_add(&c->from_later[up], sum);
    for (int i = 0; i < WHY_COUNT; i++)
        if (n_why[0][i] + n_why[1][i])
            atomic_fetch_add(&c->n_why[i], n_why[0][i] + n_why[1][i]);
}

/* Counts the rows of a chunk that are not shared. */
static void count_chunk(void *arg, size_t from, size_t to)
{
    struct counting *c = arg;
    row_id end = (row_id)to;
    size_t at = 0;

    LOWER_BOUND(at, c->n_shared, i, c->shared[i] < to);
    for (; at > 0 && c->shared[at - 1] >= from; at--) {
        count_between(c, c->shared[at - 1] + 1, end, (row_id)from);
        end = c->shared[at - 1];
    }
    if (!from)
        count_between(c, 1, end, 0);
}

/* Completes the rows that the chunks share; their parents are shared as well. */
static void count_shared(struct counting *c)
{
    for (uint32_t i = c->n_shared; i-- > 0;) {
        const row_id row = c->shared[i];

        c->below[row] += c->from_later[row];
        c->below[result_parent(c->result, row)] += size_if_shown(c, row);
        c->n_why[c->result->why[row]]++;
    }
    c->below[0] += c->from_later[0];
}

/* Finds the rows that chunks share, clears their counts, and counts all rows by chunks. False: most
 * rows are shared, as in deep chains. */
static bool count_by_chunks(struct counting *c, struct workers *workers)
{
    const struct tree *t = c->result->tree;
    const uint32_t max = t->n_rows / 8;
    struct column *shared = result_new_column(c->result, sizeof *c->shared);
    struct column *from_later = result_new_column(c->result, sizeof *c->from_later);
    bool pays;

    c->shared = shared->data;
    c->from_later = from_later->data;
    c->n_shared = tree_chunk_ancestors(t, ROWS_A_CHUNK, max, shared->data);
    pays = c->n_shared <= max;
    if (pays) {
        atomic_init(&c->from_later[0], 0);
        for (uint32_t i = 0; i < c->n_shared; i++) {
            c->below[c->shared[i]] = 0;
            atomic_init(&c->from_later[c->shared[i]], 0);
        }
        workers_run(workers, t->n_rows, ROWS_A_CHUNK, count_chunk, c);
        count_shared(c);
    }
    EACH(column_unref, shared, from_later);
    return pays;
}

void row_counts_below(struct row_counts *c, const struct result *r, struct workers *workers)
{
    struct counting counting = {.result = r, .open = folds_bits(c->folds), .below = c->below->data};

    counting.below[0] = 0;
    if (!workers || r->tree->n_rows <= ROWS_A_CHUNK || !count_by_chunks(&counting, workers))
        count_between(&counting, 1, r->tree->n_rows, 0);
    for (int i = 0; i < WHY_COUNT; i++)
        c->n_why[i] = counting.n_why[i];
}

void row_counts_make(struct row_counts *c, const struct result *r, struct folds *folds,
                     struct workers *workers)
{
    *c = (struct row_counts){.tree = tree_ref((struct tree *)(uintptr_t)r->tree),
                             .folds = folds_ref(folds),
                             .below = result_new_column(r, sizeof(uint32_t))};
    row_counts_below(c, r, workers);
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

uint32_t row_counts_deepest_open(const struct row_counts *c, const struct result *r)
{
    const uint32_t *below = c->below->data;
    uint32_t *depth = visible_depths(c, r), level = 0;

    for (row_id row = 0; row < r->tree->n_rows; row++)
        if (depth[row] != UINT32_MAX && depth[row] > level && below[row] &&
            folds_is_open(c->folds, row))
            level = depth[row];
    free(depth);
    return level;
}

uint32_t row_counts_highest_folded(const struct row_counts *c, const struct result *r)
{
    const uint32_t *below = c->below->data;
    uint32_t *depth = visible_depths(c, r), level = UINT32_MAX;

    for (row_id row = 0; row < r->tree->n_rows; row++)
        if (depth[row] < level && below[row] && !folds_is_open(c->folds, row))
            level = depth[row];
    free(depth);
    return level;
}
