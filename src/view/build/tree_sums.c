/* tree_sums.c: subtree sums as differences of prefix sums.
 *
 * A subtree is a contiguous range of rows, so its sum is the prefix sum at its end minus the prefix
 * sum at its first row, and no row depends on the rows below it. Chunks of rows are summed in
 * parallel. Rows whose subtree ends in another chunk (few, except in very deep trees) are completed
 * when the sums of all chunks are known. */
#include "view/build/tree_sums.h"

#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"

enum { ROWS_A_CHUNK = 4096 };
#define NO_CROSSING UINT32_MAX

/* Rows whose subtree may end in another chunk. */
struct crossings {
    row_id *rows; /* ascending */
    uint32_t n;
    /* Linked lists by chunk [n_chunks + 1]: the first crossing row that ends in the chunk, and the
     * next one in the same chunk. */
    uint32_t *first_ending, *next_ending;
};

struct summing {
    const struct tree_sums *s;
    size_t n_chunks;
    struct crossings crossings;
    uint64_t *chunk_sums;    /* [n][n_chunks + 1] */
    uint64_t *bits;          /* [n][n_chunks] bitwise or of the magnitudes */
    /* [n][crossings.n] prefix sums within the chunk at the row and at its end */
    uint64_t *starts, *ends;
};

/* All ones for a row that counts, else 0. */
static inline uint64_t mask_of(const struct tree_sums *s, size_t row)
{
    return -(uint64_t)(s->flag[row] == s->pass);
}

/* Stores the prefix sum at each of the rows FROM to TO - 1; returns the one at TO. */
static uint64_t run_up(const struct tree_sums *s, const struct tree_sum *of, size_t from, size_t to,
                       uint64_t *bits)
{
    const int64_t *const own = of->own;
    int64_t *const sum = of->sum;
    uint64_t before = 0, seen = 0;

    for (size_t row = from; row < to; row++) {
        const int64_t value = (int64_t)((uint64_t)own[row] & mask_of(s, row));

        sum[row] = (int64_t)before;
        before += (uint64_t)value;
        seen |= (uint64_t)(value ^ (value >> 63));
    }
    *bits = seen;
    return before;
}

/* Replaces prefix sums by subtree sums; ALL is the prefix sum at TO. Entries of later rows are
 * still prefix sums. */
static void subtract_prefixes(const struct tree_sums *s, const struct tree_sum *of, size_t from,
                              size_t to, uint64_t all)
{
    const row_id *const end = s->tree->end;
    int64_t *const sum = of->sum;
    const uint64_t others = s->only_passing ? 0 : UINT64_MAX;

    for (size_t row = from; row < to; row++) {
        const uint64_t up_to_end = end[row] < to ? (uint64_t)sum[end[row]] : all;

        sum[row] = (int64_t)((up_to_end - (uint64_t)sum[row]) & (mask_of(s, row) | others));
    }
}

/* ---- by chunks */

/* Records the prefix sums at crossing rows that begin or end between FROM and TO. */
static void note_crossings(struct summing *w, size_t column, size_t from, size_t to, uint64_t all)
{
    const struct crossings *c = &w->crossings;
    const int64_t *sum = w->s->of[column].sum;
    size_t at = 0;

    LOWER_BOUND(at, c->n, i, c->rows[i] < from);
    for (; at < c->n && c->rows[at] < to; at++)
        w->starts[column * c->n + at] = (uint64_t)sum[c->rows[at]];
    for (uint32_t i = c->first_ending[from / ROWS_A_CHUNK]; i != NO_CROSSING; i = c->next_ending[i]) {
        const row_id end = w->s->tree->end[c->rows[i]];

        w->ends[column * c->n + i] = end < to ? (uint64_t)sum[end] : all;
    }
}

static void sum_chunk(void *arg, size_t from, size_t to)
{
    struct summing *w = arg;
    const size_t chunk = from / ROWS_A_CHUNK;

    for (size_t k = 0; k < w->s->n; k++) {
        const struct tree_sum *of = &w->s->of[k];
        const uint64_t all = run_up(w->s, of, from, to, &w->bits[k * w->n_chunks + chunk]);

        w->chunk_sums[k * (w->n_chunks + 1) + chunk] = all;
        note_crossings(w, k, from, to, all);
        subtract_prefixes(w->s, of, from, to, all);
    }
}

static bool may_overflow(const struct tree_sums *s, uint64_t bits)
{
    return bits >= (uint64_t)INT64_MAX / s->tree->n_rows;
}

/* Completes the crossing rows, after all chunks are summed. */
static void settle(struct summing *w, size_t column)
{
    const struct crossings *c = &w->crossings;
    const struct tree_sums *s = w->s;
    uint64_t *before = w->chunk_sums + column * (w->n_chunks + 1);
    uint64_t sum = 0, bits = 0;

    for (size_t chunk = 0; chunk <= w->n_chunks; chunk++) {
        const uint64_t own = before[chunk];

        before[chunk] = sum;
        sum += own;
        bits |= chunk < w->n_chunks ? w->bits[column * w->n_chunks + chunk] : 0;
    }
    s->of[column].may_overflow = may_overflow(s, bits);
    for (uint32_t i = 0; i < c->n; i++) {
        const row_id row = c->rows[i], end = s->tree->end[row];
        const uint64_t start = before[row / ROWS_A_CHUNK] + w->starts[column * c->n + i];
        const uint64_t stop = before[end / ROWS_A_CHUNK] + w->ends[column * c->n + i];

        if (!s->only_passing || mask_of(s, row))
            s->of[column].sum[row] = (int64_t)(stop - start);
    }
}

/* False: there are too many crossing rows for chunks to pay off. */
static bool find_crossings(struct summing *w)
{
    const struct tree *t = w->s->tree;
    struct crossings *c = &w->crossings;
    const uint32_t max = t->n_rows / 8;

    c->rows = xreallocarray(NULL, (size_t)max + 2, sizeof *c->rows);
    c->rows[0] = 0;
    c->n = 1 + tree_chunk_ancestors(t, ROWS_A_CHUNK, max, c->rows + 1);
    if (c->n > max + 1)
        return false;
    c->next_ending = xreallocarray(NULL, c->n, sizeof *c->next_ending);
    c->first_ending = xreallocarray(NULL, w->n_chunks + 1, sizeof *c->first_ending);
    for (size_t chunk = 0; chunk <= w->n_chunks; chunk++)
        c->first_ending[chunk] = NO_CROSSING;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t *first = &c->first_ending[t->end[c->rows[i]] / ROWS_A_CHUNK];

        c->next_ending[i] = *first;
        *first = i;
    }
    return true;
}

static void sum_by_chunks(struct summing *w)
{
    const struct tree_sums *s = w->s;

    w->chunk_sums = xcalloc(s->n * (w->n_chunks + 1), sizeof *w->chunk_sums);
    w->bits = xcalloc(s->n * w->n_chunks, sizeof *w->bits);
    w->starts = xcalloc(s->n * w->crossings.n, sizeof *w->starts);
    w->ends = xcalloc(s->n * w->crossings.n, sizeof *w->ends);
    workers_run(s->workers, s->tree->n_rows, ROWS_A_CHUNK, sum_chunk, w);
    for (size_t k = 0; k < s->n; k++)
        settle(w, k);
    EACH(free, w->chunk_sums, w->bits, w->starts, w->ends);
}

/* ---- column by column */

static void sum_columns(void *arg, size_t from, size_t to)
{
    const struct tree_sums *s = arg;

    for (size_t k = from; k < to; k++) {
        uint64_t bits;
        const uint64_t all = run_up(s, &s->of[k], 0, s->tree->n_rows, &bits);

        subtract_prefixes(s, &s->of[k], 0, s->tree->n_rows, all);
        s->of[k].may_overflow = may_overflow(s, bits);
    }
}

void tree_sums_make(const struct tree_sums *s)
{
    struct summing w = {.s = s, .n_chunks = (s->tree->n_rows + ROWS_A_CHUNK - 1) / ROWS_A_CHUNK};

    if (!s->n)
        return;
    if (find_crossings(&w))
        sum_by_chunks(&w);
    else
        workers_run(s->workers, s->n, 1, sum_columns, (void *)(uintptr_t)s);
    EACH(free, w.crossings.rows, w.crossings.first_ending, w.crossings.next_ending);
}
