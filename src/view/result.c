/* result.c: the columns of a query as the rest of the program sees them. */
#include <stdlib.h>
#include <string.h>

#include "view/result_priv.h"

/* Every reference in a struct columns, once. */
static size_t all_columns(struct columns *c, struct column ***list)
{
    size_t n = 0;

    list[n++] = &c->node_accounted;
    list[n++] = &c->accounted;
    list[n++] = &c->own;
    list[n++] = &c->kept;
    list[n++] = &c->defs;
    list[n++] = &c->started;
    list[n++] = &c->device_match;
    list[n++] = &c->why;
    list[n++] = &c->shown_parent;
    list[n++] = &c->sequence;
    list[n++] = &c->shown_defs;
    list[n++] = &c->hidden;
    for (int f = 0; f < NAMES_COUNT; f++)
        list[n++] = &c->match[f];
    for (int m = 0; m < METRIC_COUNT; m++) {
        list[n++] = &c->node_figures[m];
        list[n++] = &c->self[m];
        list[n++] = &c->total[m];
        list[n++] = &c->shown_total[m];
    }
    return n;
}

enum { MOST_COLUMNS = 12 + NAMES_COUNT + 4 * METRIC_COUNT };

void columns_init(struct columns *c)
{
    memset(c, 0, sizeof *c);
    for (int m = 0; m < METRIC_COUNT; m++)
        c->node_saturated[m] = c->saturated[m] = NODE_NONE;
}

/* Takes references. */
static void columns_copy(struct columns *to, const struct columns *from)
{
    struct column **list[MOST_COLUMNS];
    size_t n;

    *to = *from;
    if (to->tree)
        tree_ref(to->tree);
    counts_ref(to->counts);
    n = all_columns(to, list);
    for (size_t i = 0; i < n; i++)
        column_ref(*list[i]);
}

void columns_done(struct columns *c)
{
    struct column **list[MOST_COLUMNS];
    size_t n = all_columns(c, list);

    for (size_t i = 0; i < n; i++)
        column_drop(list[i]);
    tree_unref(c->tree);
    counts_unref(c->counts);
    columns_init(c);
}

static bool totals_are_of_displayed(const struct result *r)
{
    return r->options.account_displayed_op_only && r->view->displayed_only;
}

static struct run result_as_run(struct result *r)
{
    return (struct run){.profile = r->profile,
                        .view = r->view,
                        .options = &r->options,
                        .c = &r->priv->c,
                        .pool = r->priv->pool,
                        .may_be_negative = r->priv->may_be_negative};
}

/* Points the public columns at what priv->c holds. */
static void publish(struct result *r)
{
    const struct columns *c = &r->priv->c;
    const bool displayed = totals_are_of_displayed(r);

    r->why = COLUMN(c->why, const uint8_t);
    r->accounted = COLUMN(c->accounted, const uint8_t);
    r->kept = COLUMN(c->kept, const uint8_t);
    r->own = COLUMN(c->own, const uint32_t);
    r->shown_parent = COLUMN(c->shown_parent, const row_id);
    r->node_accounted = COLUMN(c->node_accounted, const uint8_t);
    r->hidden_ops = COLUMN(c->hidden, const int64_t);
    r->total_defs = COLUMN(displayed ? c->shown_defs : c->defs, const int64_t);
    r->static_float_ops = counts_column(c->counts);
    for (int m = 0; m < METRIC_COUNT; m++) {
        r->self[m] = COLUMN(c->self[m], const int64_t);
        r->total[m] = COLUMN(displayed ? c->shown_total[m] : c->total[m], const int64_t);
    }
    r->saturated_node = NODE_NONE;
    for (int m = METRIC_COUNT; m-- > 0;)
        if (c->self[m] && c->saturated[m] != NODE_NONE)
            r->saturated_node = c->saturated[m];
}

struct result *result_new(const struct run *run, enum view_id view_id)
{
    struct result *r = xcalloc(1, sizeof *r);

    r->priv = xcalloc(1, sizeof *r->priv);
    columns_copy(&r->priv->c, run->c);
    r->priv->pool = run->pool;
    r->priv->may_be_negative = run->may_be_negative;
    r->priv->children_of = column_new(run->pool, run->c->tree->n_rows, sizeof(uint32_t));
    memset(r->priv->children_of->data, 0, run->c->tree->n_rows * sizeof(uint32_t));
    r->profile = run->profile;
    r->tree = run->c->tree;
    r->view = run->view;
    r->view_id = view_id;
    options_copy(&r->options, run->options);
    r->n_shown = run->c->n_shown;
    publish(r);
    return r;
}

void result_free(struct result *r)
{
    if (!r)
        return;
    vec_done(&r->priv->scratch.rows);
    vec_done(&r->priv->scratch.keys);
    arena_done(&r->priv->arena);
    vec_done(&r->priv->children);
    column_unref(r->priv->children_of);
    columns_done(&r->priv->c);
    free(r->priv);
    options_done(&r->options);
    notes_done(&r->notes);
    free(r);
}

static void take_column(struct column **to, struct column *from)
{
    if (!*to)
        *to = column_ref(from);
}

void result_take_figures(struct result *r, const struct result *from)
{
    struct columns *to = &r->priv->c;
    const struct columns *c = &from->priv->c;

    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!to->self[m])
            to->saturated[m] = c->saturated[m];
        if (!to->node_figures[m])
            to->node_saturated[m] = c->node_saturated[m];
        take_column(&to->node_figures[m], c->node_figures[m]);
        take_column(&to->self[m], c->self[m]);
        take_column(&to->total[m], c->total[m]);
        take_column(&to->shown_total[m], c->shown_total[m]);
    }
    take_column(&to->defs, c->defs);
    take_column(&to->shown_defs, c->shown_defs);
    publish(r);
}

void result_need(struct result *r, field_set need)
{
    struct run run = result_as_run(r);

    totals_make(&run, need);
    publish(r);
}

const int64_t *result_node_figures(struct result *r, enum metric_id metric)
{
    struct run run = result_as_run(r);

    figures_nodes(&run, FIELD_BIT(metric));
    publish(r);
    return COLUMN(r->priv->c.node_figures[metric], const int64_t);
}

const struct flops *result_flops_made(const struct result *r)
{
    return counts_made(r->priv->c.counts);
}

const struct flops *result_flops(struct result *r, struct err *err)
{
    const struct flops *flops = counts_get(r->priv->c.counts, (struct cancel_mark){0}, err);

    publish(r);
    return flops;
}
