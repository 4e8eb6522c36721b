/* figures.c: the figures of nodes and the self figures of rows. */
#include <stdatomic.h>

#include "base/satmath.h"
#include "view/steps.h"

/* The time has its two parts beside it. */
static const field_set micros_parts =
    FIELD_BIT(METRIC_ACCELERATOR_MICROS) | FIELD_BIT(METRIC_CPU_MICROS);

field_set figures_needed(const struct run *run)
{
    const struct options *o = run->options;
    field_set need = (o->select | run->more) & (FIELD_BIT(METRIC_COUNT) - 1);

    if (field_in(need, METRIC_MICROS))
        need |= micros_parts;
    /* Shapes are made with the counts. */
    if (field_in(o->select, FIELD_OUTPUT_SHAPES) ||
        (field_in(o->select, FIELD_INPUT_SHAPES) &&
         (o->flops == FLOPS_COMPAT || o->flops == FLOPS_FULL)))
        need |= FIELD_BIT(METRIC_FLOAT_OPS);
    if (o->order_by >= ORDER_METRIC)
        need |= FIELD_BIT(o->order_by - ORDER_METRIC);
    for (int m = 0; m < METRIC_COUNT; m++)
        if (show_min_active(run, (enum metric_id)m))
            need |= FIELD_BIT(m);
    return need;
}

/* Metrics of nodes that are being filled. */
struct filling {
    struct figures figures;
    struct columns *c;
    struct cancel_mark cancel;
    field_set metrics;
    _Atomic node_id saturated[METRIC_COUNT];
};

static void keep_least(_Atomic node_id *least, node_id node)
{
    node_id before = atomic_load(least);

    while (node < before && !atomic_compare_exchange_weak(least, &before, node))
        ;
}

/* All metrics of a few thousand nodes at once: the records of their executions
 * are unpacked once. */
static void fill_nodes(void *arg, size_t from, size_t to)
{
    struct filling *f = arg;
    int64_t *values[METRIC_COUNT] = {NULL};
    node_id saturated[METRIC_COUNT];

    if (cancel_asked(f->cancel))
        return;
    for (int m = 0; m < METRIC_COUNT; m++) {
        saturated[m] = NODE_NONE;
        if (field_in(f->metrics, m))
            values[m] = COLUMN(f->c->node_figures[m], int64_t);
    }
    metric_fill(&f->figures, values, (node_id)from, (node_id)to, saturated);
    for (int m = 0; m < METRIC_COUNT; m++)
        if (values[m])
            keep_least(&f->saturated[m], saturated[m]);
}

/* Counts that cannot be made (a query says why, see step_counts()) leave what
 * is recorded. */
static const int64_t *float_ops(struct columns *c, const struct profile *p, field_set need)
{
    const int64_t *column = counts_column(c->counts);
    struct err err = {0};

    if (!column && field_in(need, METRIC_FLOAT_OPS)) {
        counts_get(c->counts, (struct cancel_mark){0}, &err);
        err_done(&err);
        column = counts_column(c->counts);
    }
    return column ? column : p->static_float_ops;
}

void figures_nodes(const struct run *run, field_set need)
{
    enum { NODES_A_CHUNK = 4096 };
    struct columns *c = run->c;
    const struct profile *p = run->profile;
    struct filling f = {.c = c, .cancel = run->cancel};

    f.figures.profile = p;
    f.figures.static_float_ops = float_ops(c, p, need);
    f.figures.step = c->step;
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(need, m) || c->node_figures[m])
            continue;
        f.metrics |= FIELD_BIT(m);
        atomic_init(&f.saturated[m], NODE_NONE);
        c->node_figures[m] = column_new(run->pool, p->n_nodes, sizeof(int64_t));
    }
    if (!f.metrics)
        return;
    workers_run(run->workers, p->n_nodes, NODES_A_CHUNK, fill_nodes, &f);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(f.metrics, m))
            continue;
        c->node_saturated[m] = atomic_load(&f.saturated[m]);
        if (cancel_asked(run->cancel)) /* some nodes are not filled */
            column_drop(&c->node_figures[m]);
    }
}

static void sum_members(const struct run *run, const int64_t *nodes, int64_t *self,
                        node_id *first_saturated)
{
    const struct tree *t = run->c->tree;
    const uint8_t *accounted = COLUMN(run->c->node_accounted, uint8_t);

    for (row_id row = 0; row < t->n_rows; row++) {
        int64_t sum = 0;

        for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
            bool saturated = false;

            if (accounted[t->members[i]])
                sum = sat_add(sum, nodes[t->members[i]], &saturated);
            if (saturated && *first_saturated == NODE_NONE)
                *first_saturated = t->members[i];
        }
        self[row] = sum;
    }
}

void figures_self(const struct run *run, enum metric_id metric)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const int64_t *nodes;
    int64_t *self;

    if (c->self[metric])
        return;
    figures_nodes(run, FIELD_BIT(metric));
    if (!c->node_figures[metric])
        return; /* cancelled */
    c->saturated[metric] = c->node_saturated[metric];
    nodes = c->node_figures[metric]->data;
    c->self[metric] = column_new(run->pool, t->n_rows, sizeof *self);
    self = c->self[metric]->data;
    if (run->view->self == SELF_ACCOUNTED_MEMBERS) {
        sum_members(run, nodes, self, &c->saturated[metric]);
        return;
    }
    for (row_id row = 0; row < t->n_rows; row++) {
        node_id node = tree_node(t, row);

        self[row] = node == NODE_NONE ? 0 : nodes[node];
    }
}
