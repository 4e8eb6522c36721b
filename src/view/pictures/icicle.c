/* icicle.c: rows as cells, level by level: no recursion, and nothing is rounded twice. */
#include "view/pictures/icicle.h"

/* The column where VALUE of the whole begins: rounded down from the exact product. */
static int column_of(const struct icicle *i, int64_t value, int64_t whole)
{
    const int64_t cols = i->shape.cols;

    while (whole > INT64_MAX / (cols + 1)) {
        whole >>= 1;
        value >>= 1;
    }
    return (int)(value * cols / whole);
}

/* Ends the sequence of narrow siblings; those that do not fill a column together are not seen. */
static void push_joined(struct icicle *i, struct icicle_cell *joined)
{
    if (joined->n_rows && joined->cols > 0)
        vec_push(&i->cells, *joined);
    joined->n_rows = 0;
}

static void join(struct icicle_cell *joined, const struct icicle_cell *cell)
{
    if (!joined->n_rows) {
        *joined = *cell;
        return;
    }
    joined->n_rows++;
    joined->figure += cell->figure;
    joined->cols = cell->col + cell->cols - joined->col;
}

/* Pushes the cells of the displayed children of UP. */
static void push_children(struct icicle *i, struct result *r, struct icicle_cell up, int64_t whole)
{
    const int64_t *total = r->total[i->shape.metric];
    const int64_t end = up.begin + up.figure;
    struct icicle_cell joined = {.n_rows = 0};
    int64_t begin = up.begin;
    uint32_t n;
    const row_id *children = result_children(r, up.row, &n);

    for (uint32_t c = 0; c < n && begin < end; c++) {
        struct icicle_cell cell = {children[c], up.row, 1, begin, total[children[c]], 0, 0};

        if (cell.figure <= 0)
            continue;
        if (cell.figure > end - begin)
            cell.figure = end - begin; /* sums stopped at a 64-bit limit */
        begin += cell.figure;
        cell.col = column_of(i, cell.begin, whole);
        cell.cols = column_of(i, begin, whole) - cell.col;
        if (cell.cols < i->shape.min_cols) {
            join(&joined, &cell);
            continue;
        }
        push_joined(i, &joined);
        vec_push(&i->cells, cell);
    }
    push_joined(i, &joined);
}

void icicle_make(struct icicle *i, struct result *r, struct icicle_shape shape)
{
    const int64_t whole = r->total[shape.metric] ? r->total[shape.metric][shape.top] : 0;
    const struct icicle_cell top = {shape.top, ROW_NONE, 1, 0, whole, 0, shape.cols};

    i->shape = shape;
    i->cells.n = i->level_begin.n = 0;
    i->n_levels = 0;
    vec_push(&i->level_begin, 0);
    if (whole <= 0 || shape.cols <= 0 || r->view->is_list)
        return;
    vec_push(&i->cells, top);
    while (i->cells.n > i->level_begin.data[i->n_levels] && i->n_levels < ICICLE_LEVELS_MAX) {
        const size_t begin = i->level_begin.data[i->n_levels], end = i->cells.n;

        vec_push(&i->level_begin, end);
        i->n_levels++;
        for (size_t c = begin; c < end; c++)
            if (i->cells.data[c].n_rows == 1)
                push_children(i, r, i->cells.data[c], whole);
    }
    i->cells.n = i->level_begin.data[i->n_levels];
}

void icicle_done(struct icicle *i)
{
    vec_done(&i->cells);
    vec_done(&i->level_begin);
}

const struct icicle_cell *icicle_level(const struct icicle *i, int level, size_t *n)
{
    const size_t begin = i->level_begin.data[level];

    *n = i->level_begin.data[level + 1] - begin;
    return i->cells.data + begin;
}

const struct icicle_cell *icicle_at(const struct icicle *i, int level, int col)
{
    size_t n;
    const struct icicle_cell *cells;

    if (level < 0 || level >= i->n_levels)
        return NULL;
    cells = icicle_level(i, level, &n);
    for (size_t c = 0; c < n; c++)
        if (col >= cells[c].col && col < cells[c].col + cells[c].cols)
            return &cells[c];
    return NULL;
}

/* True when ROW is one of the rows that CELL joins. */
static bool joins(const struct icicle *i, const struct icicle_cell *cell, struct result *r,
                  row_id row)
{
    const int64_t *total = r->total[i->shape.metric];
    uint32_t n, at = 0, n_joined = 0;
    const row_id *children;

    if (cell->n_rows == 1 || result_parent(r, row) != cell->parent || total[row] <= 0)
        return cell->row == row;
    children = result_children(r, cell->parent, &n);
    while (children[at] != cell->row)
        at++;
    for (; n_joined < cell->n_rows; at++) {
        if (children[at] == row)
            return true;
        n_joined += total[children[at]] > 0;
    }
    return false;
}

/* How far ROW is displayed below the top; -1: it is not. */
static int level_of(const struct icicle *i, const struct result *r, row_id row)
{
    int level = 0;

    for (; row != i->shape.top; level++) {
        if (!row || r->why[row] != WHY_SHOWN || level == INT32_MAX)
            return -1;
        row = result_parent(r, row);
    }
    return level;
}

const struct icicle_cell *icicle_find(const struct icicle *i, struct result *r, row_id row,
                                      int *level)
{
    int at = level_of(i, r, row);

    for (; at >= 0; at--, row = at >= 0 ? result_parent(r, row) : row) {
        size_t n;
        const struct icicle_cell *cells;

        if (at >= i->n_levels)
            continue;
        cells = icicle_level(i, at, &n);
        for (size_t c = 0; c < n; c++)
            if (joins(i, &cells[c], r, row)) {
                *level = at;
                return &cells[c];
            }
    }
    return NULL;
}
