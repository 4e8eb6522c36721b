/* outside.c: figures of the row of work outside of all steps. */
#include <string.h>

#include "base/satmath.h"
#include "model/profile_kind.h"
#include "model/row_names.h"
#include "view/stages.h"

bool outside_is_wanted(const struct query_run *run)
{
    const int64_t step = run->options->step;

    return step != STEP_ALL && step != STEP_OUTSIDE && time_range_is_all(run->options->time_range);
}

/* Sum of METRIC over all nodes outside of steps. */
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

/* True when figure I of LIST shares the column of a figure computed before. */
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

void outside_set_figures(const struct query_run *run, const struct figure_list *list, unsigned made)
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

/* ---- the row of work outside of all steps */

bool outside_has_work(const struct profile *p)
{
    return profile_recorders(p).has_work_outside;
}

/* Copies N elements of SIZE_BYTES and appends a zero element. */
static void *copy_with_room(struct tree *t, const void *from, size_t n, size_t size_bytes)
{
    void *to = arena_calloc(&t->arena, n + 1, size_bytes);

    memcpy(to, from, n * size_bytes);
    return to;
}

#define GROW(t, member, n) ((t)->member = copy_with_room((t), (t)->member, (n), sizeof *(t)->member))

static void add_name(struct tree *t)
{
    GROW(t, own, t->n_own);
    t->own[t->n_own++] = (struct text){OUTSIDE_NAME, sizeof OUTSIDE_NAME - 1};
    tree_mark_names(t);
}

void outside_row_add(struct tree *t)
{
    const row_id row = t->n_rows;

    GROW(t, parent, row);
    GROW(t, end, row);
    GROW(t, depth, row);
    GROW(t, name, row);
    GROW(t, member_begin, (size_t)row + 1);
    if (t->rank)
        GROW(t, rank, row);
    if (t->frame)
        GROW(t, frame, row);
    if (t->n_folded)
        GROW(t, n_folded, row);
    if (t->is_gradient)
        GROW(t, is_gradient, row);
    t->end[0] = t->end[row] = row + 1;
    t->depth[row] = 1;
    t->name[row] = t->n_base + t->n_own;
    t->member_begin[row + 1] = t->member_begin[row];
    if (t->rank)
        t->rank[row] = UINT32_MAX;
    t->outside = row;
    t->n_rows++;
    add_name(t);
}
