/* stages.c: tables of the views, their stages and their columns, and the code that runs the stages. */
#include "view/stages.h"

#include <stddef.h>
#include <string.h>

#include "view/build/builders.h"
#include "view/step_window.h"
#include "view/view.h"

#define OF(field) offsetof(struct columns, field)

static bool build_tree(const struct query_run *run, struct err *err)
{
    const struct tree_request request = {run->profile, run->options, run->workers, run->cancel};

    run->c->built = run->view->build(&request, err);
    if (run->c->built && outside_has_work(run->profile))
        outside_row_add(run->c->built);
    return run->c->built != NULL;
}

static const struct stage tree = {
    .options = STAGE_TREE, .made = MADE_BUILT, .run = build_tree};
static const struct stage repeats = {
    .options = STAGE_REPEATS, .inputs = MADE_BUILT, .made = MADE_TREE, .run = repeats_rows};
static const struct stage nodes = {.run = account_nodes};
static const struct stage account = {.options = STAGE_ACCOUNT,
                                    .inputs = MADE_TREE,
                                    .made = MADE_ACCOUNT,
                                    .make = account_rows};
static const struct stage names = {.inputs = MADE_TREE,
                                  .made = MADE_NAMES,
                                  .checks_itself = true,
                                  .run = match_names,
                                  .drop = match_drop_names};
static const struct stage devices = {.inputs = MADE_TREE | MADE_ACCOUNT,
                                    .made = MADE_DEVICES,
                                    .checks_itself = true,
                                    .run = match_devices,
                                    .drop = match_drop_devices};
static const struct stage sides = {.options = STAGE_SELF,
                                  .inputs = MADE_ACCOUNT,
                                  .made = MADE_SIDES,
                                  .compares = true,
                                  .is_wanted = delta_is_wanted,
                                  .make = delta_sides};
static const struct stage counts = {.run = figures_counts};
/* depends on the compared metric */
static const struct stage noise = {.options = STAGE_SELF | STAGE_SHOW | STAGE_ORDER,
                                  .inputs = MADE_ACCOUNT | MADE_SELF | MADE_SIDES,
                                  .made = MADE_NOISE,
                                  .compares = true,
                                  .is_wanted = noise_is_wanted,
                                  .make = noise_rows,
                                  .stops_early = true};

static const struct stage self_of_node = {.options = STAGE_SELF,
                                         .inputs = MADE_TREE,
                                         .made = MADE_SELF,
                                         .run_list = figures_of_node,
                                         .columns = OF(self)};
static const struct stage self_of_members = {.options = STAGE_SELF,
                                            .inputs = MADE_TREE | MADE_ACCOUNT,
                                            .made = MADE_SELF,
                                            .run_figure = figures_of_members,
                                            .columns = OF(self)};

/* for trees */
static const struct stage total = {.inputs = MADE_ACCOUNT | MADE_SELF,
                                  .made = MADE_TOTAL,
                                  .run_list = total_kept,
                                  .columns = OF(total)};
static const struct stage start = {.options = STAGE_START,
                                  .inputs = MADE_ACCOUNT | MADE_NAMES,
                                  .made = MADE_START,
                                  .is_wanted = start_is_wanted,
                                  .make = start_rows};
static const struct stage show = {.options = STAGE_SHOW,
                                 .inputs = MADE_ACCOUNT | MADE_NAMES | MADE_DEVICES | MADE_START |
                                           MADE_SIDES,
                                 .inputs_by_figures = MADE_TOTAL,
                                 .made = MADE_SHOWN,
                                 .make = show_rows};
static const struct stage shown_total = {.inputs = MADE_SELF | MADE_SHOWN,
                                        .made = MADE_SHOWN_TOTAL,
                                        .is_wanted = total_shown_is_wanted,
                                        .run_list = total_shown,
                                        .columns = OF(shown_total)};
static const struct stage hidden = {.inputs = MADE_SHOWN,
                                   .made = MADE_HIDDEN,
                                   .is_wanted = total_hidden_is_wanted,
                                   .make = total_hidden};

/* For the list: sorted before totals, which are running sums over it. */
static const struct stage sequence = {.options = STAGE_ORDER,
                                     .inputs = MADE_ACCOUNT | MADE_SELF | MADE_NOISE,
                                     .made = MADE_SEQUENCE,
                                     .make = list_order};
static const struct stage total_of_list = {.inputs = MADE_SELF | MADE_SEQUENCE,
                                          .made = MADE_TOTAL,
                                          .run_figure = list_total,
                                          .columns = OF(total)};
static const struct stage show_list = {.options = STAGE_START | STAGE_SHOW,
                                      .inputs = MADE_NAMES | MADE_DEVICES | MADE_SEQUENCE |
                                                MADE_SIDES,
                                      .inputs_by_figures = MADE_TOTAL,
                                      .made = MADE_SHOWN,
                                      .make = list_show};
static const struct stage shown_total_of_list = {.inputs = MADE_SELF | MADE_SEQUENCE |
                                                          MADE_SHOWN,
                                                .made = MADE_SHOWN_TOTAL,
                                                .is_wanted = total_shown_is_wanted,
                                                .run_figure = list_shown_total,
                                                .columns = OF(shown_total)};

/* Displayed rows are not an input, although figures may depend on them; query.c handles this
 * case. */
static const struct stage by_step = {.options = STAGE_BY_STEP,
                                    .inputs = MADE_ACCOUNT,
                                    .made = MADE_BY_STEP,
                                    .is_wanted = by_step_is_wanted,
                                    .make = by_step_rows,
                                    .stops_early = true};

const struct stage *const node_stages[] = {
    &tree,   &repeats,        &nodes, &account, &sides, &names, &devices,
    &counts, &self_of_node, &total, &noise,   &start, &show,  &shown_total, &hidden,
    &by_step, NULL};
/* without shown_total: the code view does not support -account_displayed_op_only */
const struct stage *const code_stages[] = {
    &tree,   &repeats,           &nodes, &account, &sides, &names, &devices,
    &counts, &self_of_members, &total, &noise,   &start, &show,  &hidden,  &by_step, NULL};
const struct stage *const list_stages[] = {
    &tree,   &repeats,    &nodes,         &account, &sides,     &names, &devices, &counts, &self_of_members,
    &noise,  &sequence, &total_of_list, &show_list, &shown_total_of_list, &by_step, NULL};

/* True when figures decide which rows are displayed. */
static bool figures_filter(const struct query_run *run)
{
    if (run->c->tree && run->c->tree->outside)
        return true; /* the row outside of steps is displayed for some steps only */
    for (int m = 0; m < METRIC_COUNT; m++)
        if (show_min_active(run, (enum metric_id)m))
            return true;
    return run_compares(run);
}

void stages_drop(const struct query_run *run, unsigned *made, unsigned changed)
{
    const bool by_figures = figures_filter(run);
    unsigned stale = 0;

    for (const struct stage *const *at = run->view->stages; *at; at++) {
        const struct stage *s = *at;
        const unsigned inputs = s->inputs | (by_figures ? s->inputs_by_figures : 0);

        if (!(s->options & changed) && !(inputs & stale))
            continue;
        if (s->compares && !run_compares(run) && !(*made & s->made))
            continue; /* skipped: there is no comparison, neither before nor now */
        stale |= s->made;
        if (s->drop)
            s->drop(run);
    }
    columns_drop(run->c, stale);
    *made &= ~stale;
}

bool figures_share(const struct figure_list *list, struct column *const *from, int figure)
{
    for (int other = 0; other < FIGURE_COUNT && from[figure]; other++)
        if (other != figure && from[other] == from[figure] && list->columns[other]) {
            list->columns[figure] = column_ref(list->columns[other]);
            return true;
        }
    return false;
}

void figures_share_limits(const struct figure_list *list, node_id *saturated)
{
    for (size_t i = 0; i < list->n; i++) {
        const int figure = list->figures[i];
        const struct column *column = list->columns[figure];

        for (int other = 0; other < FIGURE_COUNT && column && !column->zeros; other++)
            if (saturated[figure] == NODE_NONE && list->columns[other] == column)
                saturated[figure] = saturated[other];
    }
}

struct figure_work {
    const struct query_run *run;
    const struct stage *stage;
    struct roofs roofs; /* for shares of the roofline */
    int64_t window_ps[2]; /* see figures_step_windows() */
    struct figure_list list;
};

static int metric_of(int figure)
{
    return figure < FIGURE_BASE ? figure : figure - FIGURE_BASE;
}

/* Value of the ratio FIGURE from its parts. */
static int64_t ratio_value(const struct figure_work *w, int figure, int64_t of, int64_t per)
{
    const int metric = metric_of(figure);

    if (metric == METRIC_STEP_PERCENT)
        return step_window_percent(of, w->window_ps[figure >= FIGURE_BASE]);
    return metric_needs_roofs(metric) ? roofs_percent(&w->roofs, of, per)
                                      : metric_ratio((enum metric_id)metric, of, per);
}

/* Ratio of two figures in COLUMNS, by row. In a list, whose totals are running sums, a ratio of
 * metrics uses the self figures of a row, and for the root the sums over all rows. */
static struct column *ratio_of(const struct figure_work *w, struct column *const *columns,
                               int figure)
{
    const int metric = metric_of(figure), side = figure - metric;
    const int of = side + (int)metrics[metric].of, per = side + (int)metrics[metric].per;
    const bool uses_self = w->run->view->is_list && !metric_is_row_only(metric);
    struct column *const *rows = uses_self ? w->run->c->self : columns;
    const uint32_t n = w->run->c->tree->n_rows;
    struct column *column;
    int64_t *values;

    if (!columns[of] || !columns[per] || !rows[of] || !rows[per])
        return NULL; /* cancelled */
    column = column_new(w->run->pool, n, sizeof *values);
    values = column->data;
    for (row_id row = 1; row < n; row++)
        values[row] = ratio_value(w, figure, COLUMN(rows[of], const int64_t)[row],
                                  COLUMN(rows[per], const int64_t)[row]);
    values[0] = ratio_value(w, figure, COLUMN(columns[of], const int64_t)[0],
                            COLUMN(columns[per], const int64_t)[0]);
    return column;
}

static void run_figures(void *arg, size_t from, size_t to)
{
    const struct figure_work *w = arg;
    struct column **columns = w->list.columns;

    for (size_t i = from; i < to && !cancel_asked(w->run->cancel); i++)
        columns[w->list.figures[i]] = metric_is_ratio(metric_of(w->list.figures[i]))
                                          ? ratio_of(w, columns, w->list.figures[i])
                                          : w->stage->run_figure(w->run, w->list.figures[i]);
}

static void add_figure(struct figure_list *list, int figure)
{
    if (!list->columns[figure])
        list->figures[list->n++] = figure;
}

/* Lists the metrics of NEED that have no columns yet. */
static void list_figures(struct figure_work *w, field_set need)
{
    w->list.n = 0;
    for (int m = 0; m < METRIC_COUNT; m++)
        if (field_in(need, m)) {
            add_figure(&w->list, m);
            if (run_compares(w->run))
                add_figure(&w->list, FIGURE_BASE + m);
        }
}

/* Each figure has its own column, so figures are computed in parallel. */
static void run_each(struct figure_work *w, field_set need)
{
    list_figures(w, need);
    workers_run(w->run->workers, w->list.n, 1, run_figures, w);
}

/* Ratios are computed after their parts, and shares of the roofline after ratios. */
static void run_stage_figures(const struct query_run *run, const struct stage *stage, field_set need)
{
    const field_set of_roofs = FIELD_BIT(METRIC_ROOF_PERCENT);
    struct figure_work w = {.run = run, .stage = stage};

    if (stage->is_wanted && !stage->is_wanted(run))
        return;
    w.list.columns = (struct column **)(void *)((char *)run->c + stage->columns);
    if (stage->run_list) {
        list_figures(&w, need & ~RATIOS);
        /* a row of a node counts as a definition without a self figure */
        if (field_in(need, METRIC_OCCURRENCE) && !run->view->is_multi && !(stage->made & MADE_SELF))
            add_figure(&w.list, FIGURE_DEFINITIONS);
        stage->run_list(run, &w.list);
    } else {
        run_each(&w, need & ~RATIOS);
    }
    if (run->c->tree->outside)
        outside_set_figures(run, &w.list, stage->made);
    if (field_in(need, METRIC_STEP_PERCENT) && !w.list.columns[METRIC_STEP_PERCENT])
        figures_step_windows(run, w.window_ps);
    run_each(&w, need & RATIOS & ~of_roofs);
    if (need & of_roofs)
        w.roofs = figures_roofs(run);
    run_each(&w, need & of_roofs);
}

static bool makes_figures(const struct stage *s)
{
    return s->run_figure || s->run_list;
}

void stages_run_figures(const struct query_run *run, unsigned made, field_set asked)
{
    const field_set need = figures_with_parts(asked);

    figures_nodes(run, need & ~RATIOS);
    for (const struct stage *const *at = run->view->stages; *at; at++)
        if (makes_figures(*at) && !((*at)->inputs & ~made))
            run_stage_figures(run, *at, need);
}

bool stages_run(const struct query_run *run, unsigned *made, struct err *err)
{
    const field_set need = figures_needed(run);

    for (const struct stage *const *at = run->view->stages; *at; at++) {
        const struct stage *s = *at;
        const bool is_made = s->made && !s->checks_itself && (*made & s->made) == s->made;

        if (cancel_asked(run->cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (makes_figures(s)) {
            figures_nodes(run, need & ~RATIOS);
            run_stage_figures(run, s, need);
        } else if (!is_made && (!s->is_wanted || s->is_wanted(run))) {
            if (s->make)
                s->make(run);
            else if (!s->run(run, err))
                return false;
            if (s->stops_early && cancel_asked(run->cancel)) {
                columns_drop(run->c, s->made);
                return err_set(err, ERR_CANCELLED, "cancelled");
            }
            *made |= s->made;
        }
    }
    return !cancel_asked(run->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

/* ---- views (semantics.md section 4) */

const struct view views[VIEW_ADVISE] = {
    [VIEW_SCOPE] = {.kept = KEPT_WITH_DESCENDANTS,
                    .trim = TRIM_DESCENDANTS, .min_static_on_self = true, .min_occurrence = true,
                    .displayed_only = true, .synthetic_type = "_kTFScopeParent",
                    .accounts_synthetic = true, .build = scope_build, .stages = node_stages},
    [VIEW_GRAPH] = {.kept = KEPT_ACCOUNTED,
                    .trim = TRIM_DESCENDANTS, .min_static_on_self = true, .min_occurrence = true,
                    .displayed_only = true, .synthetic_type = "_TFGraphParent",
                    .build = graph_build, .stages = node_stages},
    [VIEW_OP] = {.is_multi = true, .is_list = true,
                 .kept = KEPT_ACCOUNTED, .trim = TRIM_ROW_AND_DESCENDANTS, .min_occurrence = true,
                 .displayed_only = true, .build = op_build, .stages = list_stages},
    [VIEW_CODE] = {.is_multi = true,
                   .kept = KEPT_WITH_DESCENDANTS, .trim = TRIM_ROW_AND_DESCENDANTS,
                   .needs_stacks = true, .accounts_synthetic = true, .build = code_build,
                   .stages = code_stages},
};

/* ---- the columns that the stages fill, and which stage drops which of them */

#define COLUMNS(made, field)                                                                       \
    {                                                                                              \
        made, offsetof(struct columns, field),                                                     \
            sizeof(((struct columns *)0)->field) / sizeof(struct column *)                         \
    }

/* All column references in struct columns. */
static const struct {
    unsigned made; /* enum made bit */
    size_t offset, n;
} column_table[] = {
    COLUMNS(0, node_accounted),
    COLUMNS(MADE_ACCOUNT, accounted),
    COLUMNS(MADE_ACCOUNT, own),
    COLUMNS(MADE_ACCOUNT, kept),
    COLUMNS(MADE_NAMES, match),
    COLUMNS(MADE_DEVICES, device_match),
    COLUMNS(MADE_SELF, self),
    COLUMNS(MADE_SEQUENCE, sequence),
    COLUMNS(MADE_TOTAL, total),
    COLUMNS(MADE_START, started),
    COLUMNS(MADE_SHOWN, why),
    COLUMNS(MADE_SHOWN, shown_parent),
    COLUMNS(MADE_SHOWN, tested),
    COLUMNS(MADE_SHOWN_TOTAL, shown_total),
    COLUMNS(MADE_HIDDEN, hidden),
    COLUMNS(MADE_SIDES, sides),
    COLUMNS(MADE_NOISE, noise),
    COLUMNS(MADE_NOISE, noise_values),
    COLUMNS(MADE_NOISE, noise_rates),
    COLUMNS(MADE_BY_STEP, by_step),
    COLUMNS(MADE_BY_STEP, step_times),
};

enum { N_TABLE = sizeof column_table / sizeof *column_table };

static struct column **columns_at(struct columns *c, size_t entry)
{
    return (struct column **)(void *)((char *)c + column_table[entry].offset);
}

void columns_init(struct columns *c)
{
    memset(c, 0, sizeof *c);
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        c->saturated[figure] = NODE_NONE;
}

void columns_copy(struct columns *to, const struct columns *from)
{
    *to = *from;
    if (to->built)
        tree_ref(to->built);
    if (to->tree)
        tree_ref(to->tree);
    for (size_t i = 0; i < N_TABLE; i++)
        for (size_t k = 0; k < column_table[i].n; k++)
            column_ref(columns_at(to, i)[k]);
}

void columns_drop(struct columns *c, unsigned made)
{
    for (size_t i = 0; i < N_TABLE; i++)
        for (size_t k = 0; k < column_table[i].n && (column_table[i].made & made); k++)
            column_drop(&columns_at(c, i)[k]);
    if (made & MADE_BUILT) {
        tree_unref(c->built);
        c->built = NULL;
    }
    if (made & MADE_TREE) {
        tree_unref(c->tree);
        c->tree = NULL;
    }
}

void columns_done(struct columns *c)
{
    columns_drop(c, ~0U);
    column_drop(&c->node_accounted);
    columns_init(c);
}
