/* rows_at_step.c: the figures of rows at one step. */
#include "view/by_step/rows_at_step.h"

#include "base/satmath.h"
#include "view/query.h"

/* Total of the root of a list; the totals of other rows are running sums. */
static int64_t sum_of_list(const struct columns *c, const int64_t *values, bool displayed)
{
    const uint8_t *accounted = COLUMN(c->accounted, const uint8_t);
    const uint8_t *why = COLUMN(c->why, const uint8_t);
    bool saturated = false;
    int64_t sum = 0;

    for (row_id row = 1; row < c->tree->n_rows; row++)
        if (accounted[row] && (!displayed || why[row] == WHY_SHOWN))
            sum = sat_add(sum, values[row], &saturated);
    return sum;
}

static void take_rows(const struct query_run *run, const struct columns *c, int figure,
                      bool displayed, int64_t *values)
{
    struct column *const *columns = run->view->is_list ? c->self
                                    : displayed        ? c->shown_total
                                                       : c->total;
    const int64_t *figures = COLUMN(columns[figure], const int64_t);

    if (!values)
        return;
    for (row_id row = 0; row < c->tree->n_rows; row++)
        values[row] = figures ? figures[row] : 0;
    if (run->view->is_list)
        values[0] = sum_of_list(c, values, displayed);
}

void rows_at_step(const struct query_run *run, const struct options *o, enum metric_id metric,
                  bool displayed, int64_t *now, int64_t *base)
{
    const unsigned made = MADE_TREE | MADE_ACCOUNT | MADE_SELF | (displayed ? MADE_SHOWN : 0);
    struct node_figures nodes[FIGURE_SETS] = {{.step = 0}};
    struct columns c = *run->c;
    struct query_run at = *run;
    struct err err = {0};

    for (int i = 0; i < FIGURE_COUNT; i++)
        c.self[i] = c.total[i] = c.shown_total[i] = NULL;
    for (int set = 0; set < FIGURE_SETS; set++) {
        nodes[set].counts = counts_ref(run->nodes[set].counts);
        nodes[set].cut = cut_ref(run->nodes[set].cut);
    }
    at.options = o;
    at.nodes = nodes;
    at.c = &c;
    /* Counts exist already. A cut to a time range is made again for the step, unless cancelled. */
    if (figures_counts(&at, &err))
        stages_run_figures(&at, made, FIELD_BIT(metric));
    err_done(&err);
    take_rows(run, &c, (int)metric, displayed, now);
    take_rows(run, &c, FIGURE_BASE + (int)metric, displayed, base);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        column_unref(c.self[i]);
        column_unref(c.total[i]);
        column_unref(c.shown_total[i]);
    }
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_done(&nodes[set]);
}
