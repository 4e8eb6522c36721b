/* figures.c: computes the figures of nodes and the self figures of rows. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/programs.h"
#include "model/profile_kind.h"
#include "view/stages.h"

/* The time column also shows CPU and accelerator time. */
static const field_set micros_parts =
    FIELD_BIT(METRIC_ACCELERATOR_MICROS) | FIELD_BIT(METRIC_CPU_MICROS);

field_set figures_with_parts(field_set need)
{
    field_set with = need;

    /* a ratio may depend on metrics with lower ids, which can be ratios as well */
    for (int m = METRIC_COUNT; m-- > 0;)
        if (field_in(with, m) && metric_is_ratio(m))
            with |= FIELD_BIT(metrics[m].of) | FIELD_BIT(metrics[m].per);
    return with;
}

field_set figures_needed(const struct query_run *run)
{
    const struct options *o = run->options;
    field_set need = (o->select | run->more) & (FIELD_BIT(METRIC_COUNT) - 1);

    if (field_in(need, METRIC_MICROS))
        need |= micros_parts;
    if (field_in(need, METRIC_ACCELERATOR_MICROS) && run->profile->kind == PROFILE_DEVICE)
        need |= FIELD_BIT(METRIC_STEP_PERCENT); /* the screen shows the share of steps beside the
                                                 * time */
    if (field_in(o->select, FIELD_BOUND))
        need |= FIELD_BIT(METRIC_ROOF_PERCENT);
    /* Shapes, and the bytes of attention, are computed together with the counts. */
    if (field_in(need, METRIC_BYTES_ACCESSED) && run->profile->n_parts)
        need |= FIELD_BIT(METRIC_FLOAT_OPS);
    if (field_in(o->select, FIELD_OUTPUT_SHAPES) ||
        (field_in(o->select, FIELD_INPUT_SHAPES) &&
         (o->flops == FLOPS_COMPAT || o->flops == FLOPS_FULL)))
        need |= FIELD_BIT(METRIC_FLOAT_OPS);
    if (options_order_metric(o) < METRIC_COUNT)
        need |= FIELD_BIT(options_order_metric(o));
    if (order_tie_metric(run->profile, o) < METRIC_COUNT)
        need |= FIELD_BIT(order_tie_metric(run->profile, o));
    if (run_compares(run))
        need |= FIELD_BIT(options_compared_metric(o));
    for (int m = 0; m < METRIC_COUNT; m++)
        if (show_min_active(run, (enum metric_id)m))
            need |= FIELD_BIT(m);
    return figures_with_parts(need);
}

static void drop_counts(struct node_figures *f)
{
    column_drop(&f->figures[METRIC_FLOAT_OPS]);
    column_drop(&f->figures[FIGURE_BASE + METRIC_FLOAT_OPS]);
    f->has_best_roofs = false;
    counts_unref(f->counts);
    f->counts = NULL;
}

static void drop_figures(struct node_figures *f)
{
    for (int i = 0; i < FIGURE_COUNT; i++)
        column_drop(&f->figures[i]);
    f->has_best_roofs = false;
}

/* In captures only executions on matching devices count. Errors in the list are reported where rows
 * are matched. */
static void update_devices(struct node_figures *f, const struct query_run *run,
                           const struct profile *p)
{
    const struct programs *c = p->programs;
    const char *list = run->options->device_regexes;
    struct regexes *regexes;
    struct err err = {0};

    if (!c || (f->device_regexes && strcmp(f->device_regexes, list) == 0))
        return;
    drop_figures(f);
    column_drop(&f->counted_devices);
    free(f->device_regexes);
    f->device_regexes = xstrdup(list);
    regexes = regexes_new(list, &err);
    if (regexes && !regexes_is_wildcard(regexes)) {
        const struct intern *strings = &p->strings;

        f->counted_devices = column_new(run->pool, strings->n, sizeof(uint8_t));
        memset(f->counted_devices->data, 0, strings->n);
        for (size_t i = 0; i < c->n_devices; i++)
            COLUMN(f->counted_devices, uint8_t)[c->devices[i].name] =
                regexes_match(regexes, intern_text(strings, c->devices[i].name),
                              intern_len(strings, c->devices[i].name)) >= 0;
    }
    regexes_free(regexes);
    err_done(&err);
}

/* Drops figures that do not fit the options of RUN; the figures are those of P at STEP. */
static void node_figures_update(struct node_figures *f, const struct query_run *run,
                         const struct profile *p, int64_t asked_step)
{
    const struct options *o = run->options;
    const int64_t step =
        asked_step < 0 && asked_step > STEP_OUTSIDE ? STEP_AVERAGE : asked_step;
    const bool is_cut = !time_range_is_all(o->time_range);

    update_devices(f, run, p);
    if (f->counts && (f->step != step || f->rank != o->rank))
        drop_figures(f);
    if (f->is_cut != is_cut || (is_cut && f->cut && !cut_matches(f->cut, o->time_range, step)))
        drop_figures(f);
    if (f->counts && !counts_fits(f->counts, o))
        drop_counts(f);
    if (!f->counts)
        f->counts = counts_new(p, o);
    f->step = step;
    f->rank = o->rank;
    f->is_cut = is_cut;
}

void node_figures_share(struct node_figures *to, const struct node_figures *from)
{
    if (!to->counts)
        to->counts = counts_ref(from->counts);
    to->step = from->step;
    to->rank = from->rank;
    to->is_cut = from->is_cut;
    if (!to->cut && from->is_cut)
        to->cut = cut_ref(from->cut);
    if (!to->has_best_roofs)
        to->best_roofs = from->best_roofs;
    to->has_best_roofs = to->has_best_roofs || from->has_best_roofs;
    if (!to->counted_devices)
        to->counted_devices = column_ref(from->counted_devices);
    for (int i = 0; i < FIGURE_COUNT; i++)
        if (!to->figures[i]) {
            to->figures[i] = column_ref(from->figures[i]);
            to->saturated[i] = from->saturated[i];
        }
}

void node_figures_done(struct node_figures *f)
{
    drop_figures(f);
    column_drop(&f->counted_devices);
    free(f->device_regexes);
    f->device_regexes = NULL;
    counts_unref(f->counts);
    f->counts = NULL;
    cut_unref(f->cut);
    f->cut = NULL;
}

/* Drops row figures from FIRST on if the figures they were gathered from were dropped. */
static void update_side(const struct query_run *run, int set, const struct profile *p, int64_t step,
                        int first)
{
    struct node_figures *side = &run->nodes[set];
    struct column **gathered = &run->nodes[FIGURES_OF_ROWS].figures[first];

    node_figures_update(side, run, p, step);
    for (int m = 0; m < METRIC_COUNT; m++)
        if (!side->figures[m])
            column_drop(&gathered[m]);
}

static void update_sides(const struct query_run *run)
{
    const struct comparison *c = run->comparison;
    const struct options *o = run->options;
    struct node_figures *base = &run->nodes[FIGURES_OF_BASE];
    struct counts *counts = run->nodes[FIGURES_OF_ROWS].counts;

    if (c)
        update_side(run, FIGURES_OF_NOW, c->pairs.now, o->step, 0);
    if (!c && base->counts != counts) { /* two steps of the same profile */
        drop_counts(base);
        base->counts = counts_ref(counts);
    }
    update_side(run, FIGURES_OF_BASE, run_base(run),
                options_compare_steps(o) ? o->diff_step : o->step, FIGURE_BASE);
}

static bool make_counts(const struct query_run *run, int set, struct err *err)
{
    struct counts *counts = run->nodes[set].counts;

    return counts_column(counts) || counts_get(counts, run->cancel, err);
}

/* Restricts P, the profile of the figures SET, to -time_range. */
static bool make_cut(const struct query_run *run, int set, const struct profile *p, struct err *err)
{
    const struct time_range range = run->options->time_range;
    struct node_figures *f = &run->nodes[set];
    const struct node_figures *rows = &run->nodes[FIGURES_OF_ROWS];
    struct cut *cut;

    if (!f->is_cut || (f->cut && cut_matches(f->cut, range, f->step)))
        return true;
    if (p == run->profile && rows->cut && cut_matches(rows->cut, range, f->step))
        cut = cut_ref(rows->cut);
    else
        cut = cut_new(p, range, f->step, f->cut, run->workers, run->cancel);
    if (!cut)
        return err_set(err, ERR_CANCELLED, "cancelled");
    cut_unref(f->cut);
    f->cut = cut;
    return true;
}

static bool make_cuts(const struct query_run *run, struct err *err)
{
    const struct comparison *c = run->comparison;

    if (!c)
        return make_cut(run, FIGURES_OF_ROWS, run->profile, err) &&
               (!run_compares(run) || make_cut(run, FIGURES_OF_BASE, run->profile, err));
    return make_cut(run, FIGURES_OF_NOW, c->pairs.now, err) &&
           make_cut(run, FIGURES_OF_BASE, c->pairs.base, err);
}

/* Computes the -flops formulas of all nodes for a query of all figures, even if the counts were
 * recorded. A failure is not an error; returns false when cancelled. */
static bool make_formulas(const struct query_run *run, struct err *err)
{
    struct err why = {0};

    if (!run->more || counts_get(run->nodes[FIGURES_OF_ROWS].counts, run->cancel, &why))
        return true;
    err_done(&why);
    return !cancel_asked(run->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

bool figures_counts(const struct query_run *run, struct err *err)
{
    node_figures_update(&run->nodes[FIGURES_OF_ROWS], run, run->profile, run->options->step);
    if (run_compares(run))
        update_sides(run);
    if (!make_cuts(run, err))
        return false;
    if (!make_formulas(run, err))
        return false;
    if (!field_in(figures_needed(run), METRIC_FLOAT_OPS))
        return true;
    if (!run->comparison)
        return make_counts(run, FIGURES_OF_ROWS, err);
    return make_counts(run, FIGURES_OF_NOW, err) && make_counts(run, FIGURES_OF_BASE, err);
}

/* Metrics that are computed together, by node. */
struct filling {
    struct figures figures;
    struct node_figures *nodes;
    struct cancel_mark cancel;
    field_set metrics;
    _Atomic node_id saturated[METRIC_COUNT];
};

static void atomic_min(_Atomic node_id *min, node_id node)
{
    node_id before = atomic_load(min);

    while (node < before && !atomic_compare_exchange_weak(min, &before, node))
        ;
}

/* Computes all metrics for a few thousand nodes at a time, so that each execution record is decoded
 * only once. */
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
            values[m] = COLUMN(f->nodes->figures[m], int64_t);
    }
    metric_fill(&f->figures, values, (node_id)from, (node_id)to, saturated);
    for (int m = 0; m < METRIC_COUNT; m++)
        if (values[m])
            atomic_min(&f->saturated[m], saturated[m]);
}

static bool needs_outputs(const struct profile *p, field_set need)
{
    return field_in(need, METRIC_OUTPUT_BYTES) && profile_sizes_outputs(p);
}

/* If counts cannot be computed (reported by the query, see figures_counts()), uses recorded
 * ones. */
static const int64_t *float_ops(struct node_figures *nodes, const struct profile *p,
                                field_set need)
{
    const int64_t *column = counts_column(nodes->counts);
    struct err err = {0};

    if (!column && (field_in(need, METRIC_FLOAT_OPS) || needs_outputs(p, need))) {
        counts_get(nodes->counts, (struct cancel_mark){0}, &err);
        err_done(&err);
        column = counts_column(nodes->counts);
    }
    return column ? column : p->static_float_ops;
}

/* True when METRIC equals another metric of NEED and can share its column. */
static bool has_equal_metric(const struct profile *p, int metric, field_set need)
{
    const enum metric_id other = metric_equivalent(p, (enum metric_id)metric);

    return (int)other != metric && field_in(need, (int)other);
}

static void share_equal_metrics(struct node_figures *nodes, const struct profile *p, field_set need)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        const enum metric_id other = metric_equivalent(p, (enum metric_id)m);

        if (!field_in(need, m) || nodes->figures[m] || !has_equal_metric(p, m, need))
            continue;
        nodes->figures[m] = column_ref(nodes->figures[other]);
        nodes->saturated[m] = nodes->saturated[other];
    }
}

/* Computes the figures of the nodes of P for the metrics in NEED. */
static void fill_figures(const struct query_run *run, const struct profile *p,
                         struct node_figures *nodes, field_set need)
{
    enum { NODES_A_CHUNK = 4096 };
    struct filling f = {.nodes = nodes, .cancel = run->cancel};
    const struct flops *made;

    f.figures.profile = nodes->is_cut ? &nodes->cut->profile : p;
    f.figures.is_cut = nodes->is_cut;
    f.figures.static_float_ops = float_ops(nodes, p, need);
    made = counts_made(nodes->counts);
    if (made && needs_outputs(p, need))
        f.figures.output_bytes = made->output_bytes;
    if (made && field_in(need, METRIC_BYTES_ACCESSED) && p->n_parts)
        f.figures.part_bytes = made->bytes;
    if (field_in(need, METRIC_BYTES_ACCESSED))
        f.figures.tensor_bytes = counts_tensor_bytes(nodes->counts);
    f.figures.step = nodes->step;
    f.figures.rank = nodes->rank;
    f.figures.counted_devices = COLUMN(nodes->counted_devices, const uint8_t);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(need, m) || nodes->figures[m] || metric_is_row_only(m) || has_equal_metric(p, m, need))
            continue;
        if (metric_is_zero(p, (enum metric_id)m)) {
            nodes->figures[m] = column_zeros(run->pool, profile_n_ids(p), sizeof(int64_t));
            nodes->saturated[m] = NODE_NONE;
            continue;
        }
        f.metrics |= FIELD_BIT(m);
        atomic_init(&f.saturated[m], NODE_NONE);
        nodes->figures[m] = column_new(run->pool, profile_n_ids(p), sizeof(int64_t));
    }
    if (f.metrics)
        workers_run(run->workers, profile_n_ids(p), NODES_A_CHUNK, fill_nodes, &f);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(f.metrics, m))
            continue;
        nodes->saturated[m] = atomic_load(&f.saturated[m]);
        if (cancel_asked(run->cancel)) /* cancelled: some nodes are not filled */
            column_drop(&nodes->figures[m]);
    }
    share_equal_metrics(nodes, p, need);
}

/* Gathers figures of one side by ids of the merged profile; OF maps these to ids of the side. */
static void gather(const struct query_run *run, int figure, int set, const node_id *of)
{
    struct node_figures *rows = &run->nodes[FIGURES_OF_ROWS];
    const struct node_figures *side = &run->nodes[set];
    const int metric = figure < METRIC_COUNT ? figure : figure - FIGURE_BASE;
    const int64_t *from = COLUMN(side->figures[metric], const int64_t);
    const uint32_t n = profile_n_ids(run->profile);
    int64_t *to;

    if (rows->figures[figure] || !from)
        return;
    rows->figures[figure] = column_new(run->pool, n, sizeof *to);
    rows->saturated[figure] = NODE_NONE;
    to = COLUMN(rows->figures[figure], int64_t);
    for (node_id id = 0; id < n; id++)
        to[id] = of[id] == NODE_NONE ? 0 : from[of[id]];
    for (node_id id = n; side->saturated[metric] != NODE_NONE && id-- > 0;)
        if (of[id] == side->saturated[metric])
            rows->saturated[figure] = id;
}

static void figures_of_profiles(const struct query_run *run, field_set need)
{
    const struct comparison *c = run->comparison;

    fill_figures(run, c->pairs.now, &run->nodes[FIGURES_OF_NOW], need);
    fill_figures(run, c->pairs.base, &run->nodes[FIGURES_OF_BASE], need);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(need, m))
            continue;
        gather(run, m, FIGURES_OF_NOW, c->now_of);
        gather(run, FIGURE_BASE + m, FIGURES_OF_BASE, c->base_of);
    }
}

static void figures_of_steps(const struct query_run *run, field_set need)
{
    struct node_figures *rows = &run->nodes[FIGURES_OF_ROWS];
    struct node_figures *base = &run->nodes[FIGURES_OF_BASE];

    fill_figures(run, run->profile, base, need);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!field_in(need, m) || rows->figures[FIGURE_BASE + m])
            continue;
        rows->figures[FIGURE_BASE + m] = column_ref(base->figures[m]);
        rows->saturated[FIGURE_BASE + m] = base->saturated[m];
    }
}

void figures_nodes(const struct query_run *run, field_set asked)
{
    const field_set need = figures_with_parts(asked);

    if (run->comparison) {
        figures_of_profiles(run, need);
        return;
    }
    fill_figures(run, run->profile, &run->nodes[FIGURES_OF_ROWS], need);
    if (run_compares(run))
        figures_of_steps(run, need);
}

/* A new column for self figures, or shared zeros if there are no nodes. *NODES receives the figures
 * of the nodes, NULL when cancelled. */
static struct column *new_self(const struct query_run *run, int figure, const int64_t **nodes)
{
    struct node_figures *f = run->nodes;

    *nodes = COLUMN(f->figures[figure], const int64_t);
    if (!*nodes)
        return NULL;
    run->c->saturated[figure] = f->saturated[figure];
    if (f->figures[figure]->zeros || !profile_n_ids(run->profile))
        return column_zeros(run->pool, run->c->tree->n_rows, sizeof(int64_t));
    return column_new(run->pool, run->c->tree->n_rows, sizeof(int64_t));
}

struct column *figures_of_members(const struct query_run *run, int figure)
{
    const struct tree *t = run->c->tree;
    const uint8_t *accounted = COLUMN(run->c->node_accounted, uint8_t);
    node_id *first_saturated = &run->c->saturated[figure];
    const int64_t *nodes;
    struct column *column = new_self(run, figure, &nodes);
    int64_t *self = COLUMN(column, int64_t);

    if (!column || column->zeros)
        return column;
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
    return column;
}

/* Self figures of rows that are gathered together. */
struct gathering {
    const struct tree *tree;
    const int64_t *nodes[FIGURE_COUNT];
    int64_t *self[FIGURE_COUNT];
    int n;
};

/* A row without a node reads any node and masks its figures. */
static void gather_rows(void *arg, size_t from, size_t to)
{
    enum { ROWS_A_BLOCK = 256 };
    const struct gathering *g = arg;
    node_id node[ROWS_A_BLOCK];
    int64_t mask[ROWS_A_BLOCK];

    for (size_t at = from, n; at < to; at += n) {
        n = to - at < ROWS_A_BLOCK ? to - at : ROWS_A_BLOCK;
        for (size_t i = 0; i < n; i++) {
            const node_id own = tree_node(g->tree, (row_id)(at + i));

            mask[i] = -(int64_t)(own != NODE_NONE);
            node[i] = own & (node_id)mask[i];
        }
        for (int k = 0; k < g->n; k++)
            for (size_t i = 0; i < n; i++)
                g->self[k][at + i] = g->nodes[k][node[i]] & mask[i];
    }
}

void figures_of_node(const struct query_run *run, const struct figure_list *list)
{
    enum { ROWS_A_CHUNK = 8192 };
    struct gathering g = {.tree = run->c->tree};

    for (size_t i = 0; i < list->n; i++) {
        const int figure = list->figures[i];
        const int64_t *nodes;
        struct column *self;

        if (figures_share(list, run->nodes->figures, figure)) {
            run->c->saturated[figure] = run->nodes->saturated[figure];
            continue;
        }
        list->columns[figure] = self = new_self(run, figure, &nodes);
        if (!self || self->zeros)
            continue;
        g.nodes[g.n] = nodes;
        g.self[g.n++] = self->data;
    }
    workers_run(run->workers, g.n ? run->c->tree->n_rows : 0, ROWS_A_CHUNK, gather_rows, &g);
}
