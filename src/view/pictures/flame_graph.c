/* flame_graph.c: computes the cells of a flame graph level by level, without recursion and with
 * exact rounding. */
#include "view/pictures/flame_graph.h"

/* Column in which VALUE of the total begins, rounded down from the exact product. */
static int column_of(const struct flame_graph *i, int64_t value, int64_t whole)
{
    const int64_t cols = i->shape.cols;

    while (whole > INT64_MAX / (cols + 1)) {
        whole >>= 1;
        value >>= 1;
    }
    return (int)(value * cols / whole);
}

/* Ends a sequence of narrow siblings. They are dropped if they do not fill a column together. */
static void push_joined(struct flame_graph *i, struct flame_cell *joined)
{
    if (joined->n_rows && joined->cols > 0)
        vec_push(&i->cells, *joined);
    joined->n_rows = 0;
}

static void join(struct flame_cell *joined, const struct flame_cell *cell)
{
    if (!joined->n_rows) {
        *joined = *cell;
        return;
    }
    joined->n_rows++;
    joined->figure += cell->figure;
    joined->cols = cell->col + cell->cols - joined->col;
}

/* Appends the cells of the displayed children of UP. */
static void push_children(struct flame_graph *i, struct result *r, struct flame_cell up, int64_t whole)
{
    const int64_t *total = r->total[i->shape.metric];
    const int64_t end = up.begin + up.figure;
    struct flame_cell joined = {.n_rows = 0};
    int64_t begin = up.begin;
    uint32_t n;
    const row_id *children = result_children(r, up.row, &n);

    for (uint32_t c = 0; c < n && begin < end; c++) {
        struct flame_cell cell = {children[c], up.row, 1, begin, total[children[c]], 0, 0};

        if (cell.figure <= 0 || cell.row == r->tree->outside)
            continue;
        if (cell.figure > end - begin)
            cell.figure = end - begin; /* the sums saturated */
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

void flame_graph_make(struct flame_graph *i, struct result *r, struct flame_shape shape)
{
    const int64_t whole = r->total[shape.metric] ? r->total[shape.metric][shape.top] : 0;
    const struct flame_cell top = {shape.top, ROW_NONE, 1, 0, whole, 0, shape.cols};

    i->shape = shape;
    i->cells.n = i->level_begin.n = 0;
    i->n_levels = 0;
    vec_push(&i->level_begin, 0);
    if (whole <= 0 || shape.cols <= 0 || r->view->is_list)
        return;
    vec_push(&i->cells, top);
    while (i->cells.n > i->level_begin.data[i->n_levels] && i->n_levels < FLAME_LEVELS_MAX) {
        const size_t begin = i->level_begin.data[i->n_levels], end = i->cells.n;

        vec_push(&i->level_begin, end);
        i->n_levels++;
        for (size_t c = begin; c < end; c++)
            if (i->cells.data[c].n_rows == 1)
                push_children(i, r, i->cells.data[c], whole);
    }
    i->cells.n = i->level_begin.data[i->n_levels];
}

void flame_graph_done(struct flame_graph *i)
{
    EACH(vec_done, &i->cells, &i->level_begin);
}

const struct flame_cell *flame_level(const struct flame_graph *i, int level, size_t *n)
{
    const size_t begin = i->level_begin.data[level];

    *n = i->level_begin.data[level + 1] - begin;
    return i->cells.data + begin;
}

const struct flame_cell *flame_graph_at(const struct flame_graph *i, int level, int col)
{
    size_t n;
    const struct flame_cell *cells;

    if (level < 0 || level >= i->n_levels)
        return NULL;
    cells = flame_level(i, level, &n);
    for (size_t c = 0; c < n; c++)
        if (col >= cells[c].col && col < cells[c].col + cells[c].cols)
            return &cells[c];
    return NULL;
}

/* True when ROW is one of the rows joined in CELL. */
static bool joins(const struct flame_graph *i, const struct flame_cell *cell, struct result *r,
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

/* Level of ROW below the top; -1: it is not displayed below it. */
static int level_of(const struct flame_graph *i, const struct result *r, row_id row)
{
    int level = 0;

    for (; row != i->shape.top; level++) {
        if (!row || r->why[row] != WHY_SHOWN || level == INT32_MAX)
            return -1;
        row = result_parent(r, row);
    }
    return level;
}

const struct flame_cell *flame_graph_find(const struct flame_graph *i, struct result *r, row_id row,
                                      int *level)
{
    int at = level_of(i, r, row);

    for (; at >= 0; at--, row = at >= 0 ? result_parent(r, row) : row) {
        size_t n;
        const struct flame_cell *cells;

        if (at >= i->n_levels)
            continue;
        cells = flame_level(i, at, &n);
        for (size_t c = 0; c < n; c++)
            if (joins(i, &cells[c], r, row)) {
                *level = at;
                return &cells[c];
            }
    }
    return NULL;
}
