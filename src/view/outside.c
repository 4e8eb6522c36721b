/* outside.c: figures of the row of work outside of all steps. */
#include "base/satmath.h"
#include "view/stages.h"

bool outside_is_wanted(const struct query_run *run)
{
    const int64_t step = run->options->step;

    return step != STEP_ALL && step != STEP_OUTSIDE && time_range_is_all(run->options->time_range);
}

/* METRIC of all nodes outside of steps. */
static int64_t outside_figure(const struct query_run *run, enum metric_id metric)
{
    const struct node_figures *nodes = &run->nodes[FIGURES_OF_ROWS];
    const struct profile *p = run->profile;
    const struct figures f = {.profile = p,
                              .static_float_ops = counts_column(nodes->counts)
                                                      ? counts_column(nodes->counts)
                                                      : p->static_float_ops,
                              .rank = nodes->rank,
                              .step = STEP_OUTSIDE,
                              .counted_devices = COLUMN(nodes->counted_devices, const uint8_t)};
    int64_t sum = 0;
    bool saturated = false;

    if (metrics[metric].is_static || !outside_is_wanted(run))
        return 0;
    for (node_id node = 0; node < p->n_nodes; node++)
        sum = sat_add(sum, metric_self(&f, metric, node, &saturated), &saturated);
    return sum;
}

/* True when figure I of LIST has the column of a figure that was made before it. */
static bool has_older_column(const struct figure_list *list, size_t i)
{
    const struct column *column = list->columns[list->figures[i]];

    for (int other = 0; other < FIGURE_COUNT; other++) {
        bool is_later = false;

        for (size_t k = i; k < list->n; k++)
            is_later |= list->figures[k] == other;
        if (!is_later && list->columns[other] == column)
            return true;
    }
    return false;
}

void outside_take(const struct query_run *run, const struct figure_list *list, unsigned made)
{
    const row_id row = run->c->tree->outside;

    for (size_t i = 0; i < list->n; i++) {
        const int figure = list->figures[i];
        struct column *column = list->columns[figure];
        int64_t *values = COLUMN(column, int64_t);

        if (!column || column->zeros || has_older_column(list, i))
            continue;
        if (made & MADE_SELF)
            values[row] = outside_figure(
                run, (enum metric_id)(figure < FIGURE_BASE ? figure : figure - FIGURE_BASE));
        else if (run->view->is_list)
            values[row] = COLUMN(run->c->self[figure], const int64_t)[row];
        else
            values[0] = clamp_sub(values[0], values[row]);
    }
}
