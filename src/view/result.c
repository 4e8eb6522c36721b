/* result.c: the public columns and accessors of a query result. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "view/result_priv.h"

static bool totals_are_of_displayed(const struct result *r)
{
    return r->options.account_displayed_op_only && r->view->displayed_only;
}

static struct query_run result_as_run(struct result *r)
{
    return (struct query_run){.profile = r->profile,
                        .view = r->view,
                        .options = &r->options,
                        .c = &r->priv->c,
                        .comparison = r->priv->comparison,
                        .nodes = r->priv->nodes,
                        .pool = r->priv->pool,
                        .may_be_negative = r->priv->may_be_negative};
}

/* Points the public columns to those of priv->c. */
static void publish(struct result *r)
{
    const struct columns *c = &r->priv->c;
    const bool displayed = totals_are_of_displayed(r);

    r->why = COLUMN(c->why, const uint8_t);
    r->tested = COLUMN(c->tested, const uint8_t);
    r->accounted = COLUMN(c->accounted, const uint8_t);
    r->kept = COLUMN(c->kept, const uint8_t);
    r->own = COLUMN(c->own, const uint32_t);
    r->shown_parent = COLUMN(c->shown_parent, const row_id);
    r->node_accounted = COLUMN(c->node_accounted, const uint8_t);
    r->hidden_ops = COLUMN(c->hidden, const int64_t);
    r->total_defs =
        COLUMN((displayed ? c->shown_total : c->total)[FIGURE_DEFINITIONS], const int64_t);
    r->sides = COLUMN(c->sides, const uint8_t);
    r->noise = c->noise ? c->noise_shape : (struct noise){.verdicts = NULL};
    r->by_step = c->by_step ? c->by_step_shape : (struct by_step){.values = NULL};
    r->by_step.values = COLUMN(c->by_step, const int64_t);
    r->step_times = c->step_times ? c->step_times_shape : (struct step_times_seen){.n_points = 0};
    r->step_times.times_ps = COLUMN(c->step_times, const int64_t);
    r->static_float_ops = counts_column(r->priv->nodes[FIGURES_OF_ROWS].counts);
    for (int m = 0; m < METRIC_COUNT; m++) {
        r->base_self[m] = COLUMN(c->self[FIGURE_BASE + m], const int64_t);
        r->base_total[m] = COLUMN((displayed ? c->shown_total : c->total)[FIGURE_BASE + m], const int64_t);
        r->self[m] = COLUMN(c->self[m], const int64_t);
        r->total[m] = COLUMN(displayed ? c->shown_total[m] : c->total[m], const int64_t);
    }
    if (r->total[METRIC_ROOF_PERCENT])
        r->roofs = roofs_choose(r->profile, &r->options,
                                r->priv->nodes[FIGURES_OF_ROWS].best_roofs);
    r->saturated_node = NODE_NONE;
    for (int m = METRIC_COUNT; m-- > 0;)
        if (c->self[m] && c->saturated[m] != NODE_NONE)
            r->saturated_node = c->saturated[m];
}

static struct result *of_columns(const struct query_run *run, enum view_id view_id)
{
    struct result *r = xcalloc(1, sizeof *r);

    r->priv = xcalloc(1, sizeof *r->priv);
    columns_copy(&r->priv->c, run->c);
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_share(&r->priv->nodes[set], &run->nodes[set]);
    r->comparison = r->priv->comparison = run->comparison;
    r->priv->pool = run->pool;
    r->priv->may_be_negative = run->may_be_negative;
    r->profile = run->profile;
    r->tree = run->c->tree;
    r->view = run->view;
    r->view_id = view_id;
    options_copy(&r->options, run->options);
    r->n_shown = run->c->n_shown;
    publish(r);
    return r;
}

struct result *result_new(const struct query_run *run, enum view_id view_id)
{
    struct result *r = of_columns(run, view_id);

    r->priv->children_of = result_new_column(r, sizeof(uint32_t));
    r->priv->has_list = xcalloc((size_t)r->tree->n_rows / 64 + 1, sizeof *r->priv->has_list);
    return r;
}

struct result *result_share(struct result *r)
{
    const struct query_run run = result_as_run(r);

    return of_columns(&run, r->view_id);
}

struct column *result_new_column(const struct result *r, size_t size_bytes)
{
    return column_new(r->priv->pool, r->tree->n_rows, size_bytes);
}

void result_free(struct result *r)
{
    if (!r)
        return;
    EACH(vec_done, &r->priv->scratch.rows, &r->priv->scratch.keys);
    arena_done(&r->priv->arena);
    vec_done(&r->priv->children);
    free(r->priv->has_list);
    column_unref(r->priv->children_of);
    columns_done(&r->priv->c);
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_done(&r->priv->nodes[set]);
    free(r->priv);
    options_done(&r->options);
    notes_done(&r->notes);
    free(r);
}

static void share_column(struct column **to, struct column *from)
{
    if (!*to)
        *to = column_ref(from);
}

void result_copy_figures(struct result *r, const struct result *from)
{
    struct columns *to = &r->priv->c;
    const struct columns *c = &from->priv->c;

    assert(r->profile == from->profile && r->tree == from->tree && r->view_id == from->view_id &&
           r->options.step == from->options.step &&
           r->options.diff_step == from->options.diff_step);
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_share(&r->priv->nodes[set], &from->priv->nodes[set]);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        if (!to->self[i])
            to->saturated[i] = c->saturated[i];
        share_column(&to->self[i], c->self[i]);
        share_column(&to->total[i], c->total[i]);
        share_column(&to->shown_total[i], c->shown_total[i]);
    }
    if (!to->by_step) {
        to->by_step_shape = c->by_step_shape;
        to->step_times_shape = c->step_times_shape;
    }
    share_column(&to->by_step, c->by_step);
    share_column(&to->step_times, c->step_times);
    publish(r);
}

void result_need(struct result *r, field_set need)
{
    struct query_run run = result_as_run(r);

    stages_run_figures(&run, ~0u, need);
    publish(r);
}

enum bound result_bound(const struct result *r, row_id row)
{
    if (!r->total[METRIC_ROOF_PERCENT] || result_is_unknown(r, METRIC_ROOF_PERCENT))
        return BOUND_NONE;
    return roofs_bound(&r->roofs, r->total[METRIC_FLOPS_PER_SECOND][row],
                       r->total[METRIC_BYTES_PER_SECOND][row]);
}

const int64_t *result_node_figures(struct result *r, enum metric_id metric)
{
    struct query_run run = result_as_run(r);

    figures_nodes(&run, FIELD_BIT(metric));
    publish(r);
    return COLUMN(r->priv->nodes[FIGURES_OF_ROWS].figures[metric], const int64_t);
}

const int64_t *result_base_figures(const struct result *r, enum metric_id metric)
{
    return COLUMN(r->priv->nodes[FIGURES_OF_ROWS].figures[FIGURE_BASE + metric], const int64_t);
}

struct roofs result_roofs(struct result *r)
{
    struct query_run run = result_as_run(r);

    figures_nodes(&run, FIELD_BIT(METRIC_ROOF_PERCENT));
    publish(r);
    return figures_roofs(&run);
}

const struct flops *result_flops_made(const struct result *r)
{
    return counts_made(r->priv->nodes[FIGURES_OF_ROWS].counts);
}

const struct flops *result_flops(struct result *r, struct err *err)
{
    const struct flops *flops = counts_get(r->priv->nodes[FIGURES_OF_ROWS].counts, (struct cancel_mark){0}, err);

    publish(r);
    return flops;
}
