/* rows.c: visible rows, found by the counts of rows below each row. */
#include "tui/rows/rows.h"

#include <stdlib.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* An open row on the path to the position, and the child on that path. */
struct level {
    row_id row;
    size_t index; /* index of the row among the visible rows */
    const row_id *children;
    uint32_t n, at;
};

struct rows {
    struct result *result; /* borrowed; NULL: no rows */
    struct row_counts counts; /* counts of its tree and folds */
    const uint64_t *open;     /* bits of the folds */
    uint32_t *below;          /* data of counts.below */
    bool reverse;

    /* the last position */
    VEC(struct level) path; /* from the root to its parent */
    row_id row;
    size_t index;
};

enum { STEPS_MAX = 256 }; /* farther positions are searched from an ancestor */

struct rows *rows_new(void)
{
    return xcalloc(1, sizeof(struct rows));
}

static void to_root(struct rows *rows)
{
    rows->path.n = 0;
    rows->row = 0;
    rows->index = 0;
}

void rows_clear(struct rows *rows)
{
    row_counts_done(&rows->counts);
    rows->open = NULL;
    rows->below = NULL;
    rows->result = NULL;
    to_root(rows);
}

void rows_free(struct rows *rows)
{
    if (!rows)
        return;
    rows_clear(rows);
    vec_done(&rows->path);
    free(rows);
}

const struct result *rows_result(const struct rows *rows)
{
    return rows->result;
}

static void take_folds(struct rows *rows, struct folds *folds)
{
    folds_ref(folds);
    folds_unref(rows->counts.folds);
    rows->counts.folds = folds;
    rows->open = folds_bits(folds);
}

/* ---- counts */

static inline bool is_open(const struct rows *rows, row_id row)
{
    return rows->open[row / 64] >> (row % 64) & 1;
}

/* Number of visible rows at and below ROW. */
static size_t size_of(const struct rows *rows, row_id row)
{
    return row_counts_size(rows->open, rows->below, row);
}

static void take_counts(struct rows *rows, struct row_counts *counts)
{
    row_counts_done(&rows->counts);
    rows->counts = *counts;
    *counts = (struct row_counts){.tree = NULL};
    rows->open = folds_bits(rows->counts.folds);
    rows->below = rows->counts.below->data;
}

/* True when the counts are of the rows of R. */
static bool is_of(const struct rows *rows, const struct result *r)
{
    const struct result *old = rows->result;

    return old && rows->counts.tree == r->tree && old->why == r->why &&
           old->shown_parent == r->shown_parent;
}

/* Adds CHANGE (modulo 2^32, like all sums) to the counts of ROW's ancestors up to the first
 * folded one. Returns their number, at most STEPS. */
static uint32_t add_above(struct rows *rows, row_id row, uint32_t change, uint32_t steps)
{
    uint32_t n = 0;

    while (row && n < steps) {
        row = result_parent(rows->result, row);
        rows->below[row] += change;
        n++;
        if (!is_open(rows, row))
            break;
    }
    return n;
}

/* Applies the differences between the folds, from the last row to the first. False if counting
 * again is faster. */
static bool refold(struct rows *rows, struct folds *folds)
{
    const uint64_t *open = folds_bits(folds);
    const uint32_t n_rows = rows->counts.tree->n_rows;
    const row_id end = rows->counts.tree->end[rows->row];
    const uint32_t max = n_rows / 2; /* bounds the work in deep chains */
    bool stays = true; /* the rows above the position have not changed */
    uint32_t n_steps = 0;

    for (uint32_t word = (n_rows + 63) / 64; word-- > 0;) {
        for (uint64_t differ = open[word] ^ rows->open[word]; differ;) {
            const uint32_t bit = 63 - (uint32_t)__builtin_clzll(differ);
            const row_id row = word * 64 + bit;
            const uint32_t below = rows->below[row];

            differ &= ~(UINT64_C(1) << bit);
            if (!below)
                continue;
            stays = stays && row >= rows->row && row < end;
            n_steps += 1 + add_above(rows, row, is_open(rows, row) ? -below : below,
                                     max - n_steps);
            if (n_steps >= max)
                return false;
        }
    }
    take_folds(rows, folds);
    if (!stays)
        to_root(rows);
    return true;
}

void rows_build(struct rows *rows, struct result *r, struct folds *folds, bool reverse,
                struct row_counts *made)
{
    struct row_counts now;

    if (made && made->tree == r->tree && made->folds == folds) {
        take_counts(rows, made);
        to_root(rows);
    } else if (!is_of(rows, r)) {
        row_counts_make(&now, r, folds);
        take_counts(rows, &now);
    } else if (folds != rows->counts.folds && !refold(rows, folds)) {
        take_folds(rows, folds);
        row_counts_below(&rows->counts, r);
        to_root(rows);
    }
    if (rows->result != r || rows->reverse != reverse)
        to_root(rows);
    rows->result = r;
    rows->reverse = reverse;
}

uint32_t rows_n_why(const struct rows *rows, enum why why)
{
    return rows->counts.n_why[why];
}

size_t rows_count(const struct rows *rows)
{
    return rows->result ? size_of(rows, 0) : 0;
}

/* ---- positions */

static row_id child(const struct rows *rows, const struct level *l)
{
    return l->children[rows->reverse ? l->n - 1 - l->at : l->at];
}

/* Descends to child AT (UINT32_MAX: the last one). The caller sets the index. */
static void enter(struct rows *rows, uint32_t at)
{
    struct level l = {.row = rows->row, .index = rows->index};

    l.children = result_children(rows->result, rows->row, &l.n);
    l.at = at == UINT32_MAX ? l.n - 1 : at;
    vec_push(&rows->path, l);
    rows->row = child(rows, &l);
}

static struct level *top_level(struct rows *rows)
{
    return &rows->path.data[rows->path.n - 1];
}

static bool is_entered(const struct rows *rows)
{
    return size_of(rows, rows->row) > 1;
}

static void step_down(struct rows *rows)
{
    if (is_entered(rows)) {
        enter(rows, 0);
    } else {
        while (top_level(rows)->at + 1 == top_level(rows)->n)
            rows->path.n--;
        top_level(rows)->at++;
        rows->row = child(rows, top_level(rows));
    }
    rows->index++;
}

static void step_up(struct rows *rows)
{
    struct level *l = top_level(rows);
    const size_t end = rows->index;

    if (l->at == 0) {
        rows->row = l->row;
        rows->path.n--;
    } else {
        l->at--;
        rows->row = child(rows, l);
        while (is_entered(rows)) {
            rows->index = end - size_of(rows, rows->row);
            enter(rows, UINT32_MAX);
        }
    }
    rows->index = end - 1;
}

/* Descends from the row of the position, which is open, to the child that contains I, searching
 * from the nearer end. */
static void descend(struct rows *rows, size_t i)
{
    const size_t first = rows->index + 1, end = rows->index + size_of(rows, rows->row);
    struct level *l;
    size_t at;

    if (i - first < end - i) {
        enter(rows, 0);
        l = top_level(rows);
        for (at = first; at + size_of(rows, child(rows, l)) <= i; l->at++)
            at += size_of(rows, child(rows, l));
    } else {
        enter(rows, UINT32_MAX);
        l = top_level(rows);
        for (at = end - size_of(rows, child(rows, l)); at > i;) {
            l->at--;
            at -= size_of(rows, child(rows, l));
        }
    }
    rows->row = child(rows, l);
    rows->index = at;
}

static void go_to(struct rows *rows, size_t i)
{
    const size_t distance = i < rows->index ? rows->index - i : i - rows->index;

    if (distance > STEPS_MAX) {
        while (i < rows->index || i >= rows->index + size_of(rows, rows->row)) {
            rows->row = top_level(rows)->row;
            rows->index = top_level(rows)->index;
            rows->path.n--;
        }
        while (rows->index != i)
            descend(rows, i);
    }
    while (rows->index < i)
        step_down(rows);
    while (rows->index > i)
        step_up(rows);
}

static bool is_lifted(const struct result *r, row_id row)
{
    return row && r->tree->parent[row] != result_parent(r, row);
}

struct row_entry rows_at(struct rows *rows, size_t i)
{
    struct row_entry e = {.row = 0};

    go_to(rows, i);
    e.row = rows->row;
    e.depth = (uint32_t)rows->path.n;
    if (rows->path.n) {
        e.parent = top_level(rows)->row;
        e.parent_at = top_level(rows)->index;
    }
    if (rows->below[e.row])
        e.flags |= ROW_HAS_CHILDREN;
    if (is_entered(rows))
        e.flags |= ROW_OPEN;
    if (is_lifted(rows->result, e.row))
        e.flags |= ROW_LIFTED;
    return e;
}

size_t rows_path(struct rows *rows, size_t i, row_id *path, size_t max)
{
    size_t n = 0;

    go_to(rows, i);
    if (n < max)
        path[n++] = rows->row;
    for (size_t level = rows->path.n; level-- > 0 && n < max;)
        path[n++] = rows->path.data[level].row;
    return n;
}

size_t rows_find(struct rows *rows, row_id row)
{
    VEC(row_id) way = {0}; /* from ROW up to a child of the root */
    bool visible = rows->result && (!row || rows->result->why[row] == WHY_SHOWN);

    if (visible && row == rows->row)
        return rows->index;
    for (row_id up = row; visible && up; up = result_parent(rows->result, up)) {
        vec_push(&way, up);
        visible = is_open(rows, result_parent(rows->result, up));
    }
    if (visible)
        to_root(rows);
    while (visible && way.n) {
        const row_id next = way.data[--way.n];
        size_t index = rows->index + 1;
        struct level *l;

        enter(rows, 0);
        for (l = top_level(rows); child(rows, l) != next; l->at++)
            index += size_of(rows, child(rows, l));
        rows->row = next;
        rows->index = index;
    }
    vec_done(&way);
    return visible ? rows->index : SIZE_MAX;
}
