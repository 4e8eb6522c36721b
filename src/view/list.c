/* list.c: the stages of the op view: rows are one sorted list, totals are running sums from its
 * end, and the display may start late and stop early (semantics.md section 4.3). */
#include <string.h>

#include "base/satmath.h"
#include "view/stages.h"

void list_order(const struct query_run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *accounted = COLUMN(c->accounted, uint8_t);
    const enum metric_id metric = options_order_metric(run->options);
    const enum metric_id tie = order_tie_metric(run->profile, run->options);
    struct order_figures figures = {.order = run->options->order_by};
    struct column *keys;
    row_id *rows;

    c->sequence = column_new(run->pool, t->n_rows, sizeof *rows);
    rows = c->sequence->data;
    c->n_sequence = 0;
    for (row_id row = 1; row < t->n_rows; row++)
        if (accounted[row])
            rows[c->n_sequence++] = row;
    if (figures.order == ORDER_METRIC + METRIC_OCCURRENCE)
        figures.counts = COLUMN(c->own, uint32_t);
    else if (metric < METRIC_COUNT)
        figures.values = COLUMN(c->self[metric], int64_t);
    if (figures.order >= ORDER_BASE)
        figures.base = COLUMN(c->self[FIGURE_BASE + metric], int64_t);
    figures.noise = COLUMN(c->noise, const uint8_t);
    if (tie < METRIC_COUNT)
        figures.ties = COLUMN(c->self[tie], int64_t);
    keys = column_new(run->pool, (size_t)t->n_rows * 2, sizeof(struct sort_key));
    order_rows(t, &figures, rows, c->n_sequence, keys->data);
    column_unref(keys);
}

/* Running total of each accounted row: its self figure plus the total of the next row. WHY: only
 * displayed rows; NULL: all. */
static struct column *run_totals(const struct query_run *run, int figure, const uint8_t *why)
{
    struct columns *c = run->c;
    struct column *column = column_new(run->pool, c->tree->n_rows, sizeof(int64_t));
    const int64_t *self = COLUMN(c->self[figure], int64_t);
    const row_id *rows = COLUMN(c->sequence, row_id);
    int64_t *total = column->data;
    int64_t sum = 0;

    memset(total, 0, c->tree->n_rows * sizeof *total);
    for (uint32_t i = c->n_sequence; i-- > 0;) {
        bool saturated = false;

        if (why && why[rows[i]] != WHY_SHOWN)
            continue;
        sum = sat_add(sum, self[rows[i]], &saturated);
        if (saturated && c->saturated[figure] == NODE_NONE)
            c->saturated[figure] = tree_node(c->tree, rows[i]);
        total[rows[i]] = sum;
    }
    total[0] = sum;
    return column;
}

struct column *list_total(const struct query_run *run, int figure)
{
    return run_totals(run, figure, NULL);
}

struct column *list_shown_total(const struct query_run *run, int figure)
{
    return run_totals(run, figure, run->c->why->data);
}

static bool list_matches(const struct columns *c, enum name_filter filter, row_id row)
{
    if (c->kind[filter] == FILTER_SOME)
        return COLUMN(c->match[filter], uint8_t)[row];
    return c->kind[filter] == FILTER_ALL;
}

void list_show(const struct query_run *run)
{
    struct columns *c = run->c;
    const row_id *rows = COLUMN(c->sequence, row_id);
    bool started = c->kind[NAMES_START] != FILTER_SOME;
    uint8_t stopped = WHY_SHOWN;
    int64_t depth = 0;
    struct column *test;
    uint8_t *why;
    row_id *up;

    c->why = column_new(run->pool, c->tree->n_rows, sizeof *why);
    c->shown_parent = column_new(run->pool, c->tree->n_rows, sizeof *up);
    why = c->why->data;
    up = c->shown_parent->data;
    memset(why, WHY_NOT_KEPT, c->tree->n_rows);
    memset(up, 0, c->tree->n_rows * sizeof *up);
    why[0] = WHY_SHOWN;
    up[0] = ROW_NONE;
    c->n_shown = 0;
    c->tested = test = show_test_rows(run);
    for (uint32_t i = 0; i < c->n_sequence; i++) {
        row_id row = rows[i];

        started = started || list_matches(c, NAMES_START, row);
        if (!started) {
            why[row] = WHY_NOT_STARTED;
            continue;
        }
        if (!stopped && list_matches(c, NAMES_TRIM, row))
            stopped = WHY_TRIMMED;
        if (!stopped && depth > run->options->max_depth)
            stopped = WHY_TOO_DEEP;
        depth++;
        why[row] = stopped ? stopped : COLUMN(test, uint8_t)[row];
        c->n_shown += why[row] == WHY_SHOWN;
    }
    if (c->tree->outside) {
        why[c->tree->outside] = COLUMN(test, uint8_t)[c->tree->outside];
        c->n_shown += why[c->tree->outside] == WHY_SHOWN;
    }
}
