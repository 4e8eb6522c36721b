/* totals.c: sums over descendants: each one scan from the last row to the first,
 * since a parent stands before its children. */
#include "base/satmath.h"
#include "view/steps.h"

/* The first node at or below ROW; a sum that is not 0 has one. */
static node_id first_node(const struct tree *t, row_id row)
{
    return t->members[t->member_begin[row]];
}

/* Adds every row's total to its descendant-taker's; UP is the parent to add to. */
static void add_up(const struct query_run *run, const row_id *up, int64_t *total,
                   node_id *first_saturated)
{
    const struct tree *t = run->c->tree;

    for (row_id row = t->n_rows; row-- > 1;) {
        bool saturated = false;

        if (up[row] == ROW_NONE)
            continue;
        total[up[row]] = sat_add(total[up[row]], total[row], &saturated);
        if (saturated && *first_saturated == NODE_NONE)
            *first_saturated = first_node(t, row);
    }
}

/* Which rows are summed, and where to. */
struct sum {
    const uint8_t *flag; /* rows that count have the value PASS */
    uint8_t pass;
    const row_id *up;
    bool root_counts; /* as a definition */
};

/* A row that does not count adds nothing but hands on the totals below it. */
static struct column *sum_rows(const struct query_run *run, int figure, const struct sum *s)
{
    struct columns *c = run->c;
    const uint32_t n = c->tree->n_rows;
    const int64_t *self = COLUMN(c->self[figure], int64_t);
    struct column *column;
    int64_t *total;

    if (c->self[figure] && c->self[figure]->zeros)
        return column_zeros(run->pool, n, sizeof *total);
    column = column_new(run->pool, n, sizeof *total);
    total = column->data;
    for (row_id row = 0; row < n; row++) {
        int64_t own = self ? self[row] : 1; /* read in any case: there is no jump to guess */

        total[row] = s->flag[row] == s->pass ? own : 0;
    }
    if (!self && !s->root_counts)
        total[0] = 0;
    for (row_id row = 0; row < n && !self && c->tree->n_twins; row++)
        if (c->tree->n_twins[row])
            total[row] = 0; /* a row for twins is no definition */
    add_up(run, s->up, total, &c->saturated[figure]);
    return column;
}

struct column *total_kept(const struct query_run *run, int figure)
{
    const struct columns *c = run->c;
    const struct sum sum = {
        .flag = COLUMN(c->kept, uint8_t), .pass = 1, .up = c->tree->parent};

    return sum_rows(run, figure, &sum);
}

bool total_shown_is_wanted(const struct query_run *run)
{
    return run->options->account_displayed_op_only;
}

struct column *total_shown(const struct query_run *run, int figure)
{
    const struct columns *c = run->c;
    const struct sum sum = {.flag = COLUMN(c->why, uint8_t),
                            .pass = WHY_SHOWN,
                            .up = COLUMN(c->shown_parent, row_id),
                            .root_counts = true};

    return sum_rows(run, figure, &sum);
}

bool total_hidden_is_wanted(const struct query_run *run)
{
    return field_in(run->options->select, FIELD_NUM_HIDDEN_OPS);
}

bool total_hidden(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *why = COLUMN(c->why, uint8_t);
    const uint32_t *own = COLUMN(c->own, uint32_t);
    int64_t *hidden;

    (void)err;
    c->hidden = column_new(run->pool, t->n_rows, sizeof *hidden);
    hidden = c->hidden->data;
    for (row_id row = 0; row < t->n_rows; row++)
        hidden[row] = 0;
    for (row_id row = t->n_rows; row-- > 1;)
        hidden[t->parent[row]] += hidden[row] + (why[row] == WHY_SHOWN ? 0 : own[row]);
    return true;
}
