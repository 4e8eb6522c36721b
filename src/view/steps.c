/* steps.c: the steps of the views as rows, and what runs them. */
#include "view/steps.h"

#include <stddef.h>

#define OF(field) offsetof(struct columns, field)

static bool build_tree(const struct query_run *run, struct err *err)
{
    const struct tree_request request = {run->profile, run->options, run->workers, run->cancel};

    run->c->built = run->view->build(&request, err);
    return run->c->built != NULL;
}

static const struct step tree = {
    .options = STEP_TREE, .made = MADE_BUILT, .run = build_tree};
static const struct step twins = {
    .options = STEP_TWINS, .inputs = MADE_BUILT, .made = MADE_TREE, .run = twins_rows};
static const struct step nodes = {.run = account_nodes};
static const struct step account = {.options = STEP_ACCOUNT,
                                    .inputs = MADE_TREE,
                                    .made = MADE_ACCOUNT,
                                    .run = account_rows};
static const struct step names = {.inputs = MADE_TREE,
                                  .made = MADE_NAMES,
                                  .checks_itself = true,
                                  .run = match_names,
                                  .drop = match_drop_names};
static const struct step devices = {.inputs = MADE_TREE | MADE_ACCOUNT,
                                    .made = MADE_DEVICES,
                                    .checks_itself = true,
                                    .run = match_devices,
                                    .drop = match_drop_devices};
static const struct step sides = {.options = STEP_SELF,
                                  .inputs = MADE_ACCOUNT,
                                  .made = MADE_SIDES,
                                  .compares = true,
                                  .is_wanted = delta_is_wanted,
                                  .run = delta_sides};
static const struct step counts = {.run = figures_counts};
/* It depends on which figure is compared. */
static const struct step noise = {.options = STEP_SELF | STEP_SHOW | STEP_ORDER,
                                  .inputs = MADE_ACCOUNT | MADE_SELF | MADE_SIDES,
                                  .made = MADE_NOISE,
                                  .compares = true,
                                  .is_wanted = noise_is_wanted,
                                  .run = noise_rows};

static const struct step self_of_node = {.options = STEP_SELF,
                                         .inputs = MADE_TREE,
                                         .made = MADE_SELF,
                                         .run_list = figures_of_node,
                                         .columns = OF(self)};
static const struct step self_of_members = {.options = STEP_SELF,
                                            .inputs = MADE_TREE | MADE_ACCOUNT,
                                            .made = MADE_SELF,
                                            .run_figure = figures_of_members,
                                            .columns = OF(self)};

/* Trees. */
static const struct step total = {.inputs = MADE_ACCOUNT | MADE_SELF,
                                  .made = MADE_TOTAL,
                                  .run_list = total_kept,
                                  .columns = OF(total)};
static const struct step start = {.options = STEP_START,
                                  .inputs = MADE_ACCOUNT | MADE_NAMES,
                                  .made = MADE_START,
                                  .is_wanted = start_is_wanted,
                                  .run = start_rows};
static const struct step show = {.options = STEP_SHOW,
                                 .inputs = MADE_ACCOUNT | MADE_NAMES | MADE_DEVICES | MADE_START |
                                           MADE_SIDES,
                                 .inputs_by_figures = MADE_TOTAL,
                                 .made = MADE_SHOWN,
                                 .run = show_rows};
static const struct step shown_total = {.inputs = MADE_SELF | MADE_SHOWN,
                                        .made = MADE_SHOWN_TOTAL,
                                        .is_wanted = total_shown_is_wanted,
                                        .run_list = total_shown,
                                        .columns = OF(shown_total)};
static const struct step hidden = {.inputs = MADE_SHOWN,
                                   .made = MADE_HIDDEN,
                                   .is_wanted = total_hidden_is_wanted,
                                   .run = total_hidden};

/* The list: its order comes before totals, which run along it. */
static const struct step sequence = {.options = STEP_ORDER,
                                     .inputs = MADE_ACCOUNT | MADE_SELF | MADE_NOISE,
                                     .made = MADE_SEQUENCE,
                                     .run = list_order};
static const struct step total_of_list = {.inputs = MADE_SELF | MADE_SEQUENCE,
                                          .made = MADE_TOTAL,
                                          .run_figure = list_total,
                                          .columns = OF(total)};
static const struct step show_list = {.options = STEP_START | STEP_SHOW,
                                      .inputs = MADE_NAMES | MADE_DEVICES | MADE_SEQUENCE |
                                                MADE_SIDES,
                                      .inputs_by_figures = MADE_TOTAL,
                                      .made = MADE_SHOWN,
                                      .run = list_show};
static const struct step shown_total_of_list = {.inputs = MADE_SELF | MADE_SEQUENCE |
                                                          MADE_SHOWN,
                                                .made = MADE_SHOWN_TOTAL,
                                                .is_wanted = total_shown_is_wanted,
                                                .run_figure = list_shown_total,
                                                .columns = OF(shown_total)};

/* What is displayed is no input, though figures can be of that alone: query.c looks to it. */
static const struct step by_step = {.options = STEP_BY_STEP,
                                    .inputs = MADE_ACCOUNT,
                                    .made = MADE_BY_STEP,
                                    .is_wanted = by_step_is_wanted,
                                    .run = by_step_rows};

const struct step *const node_steps[] = {
    &tree,   &twins,        &nodes, &account, &sides, &names, &devices,
    &counts, &self_of_node, &total, &noise,   &start, &show,  &shown_total, &hidden,
    &by_step, NULL};
/* -account_displayed_op_only is for nodes. */
const struct step *const code_steps[] = {
    &tree,   &twins,           &nodes, &account, &sides, &names, &devices,
    &counts, &self_of_members, &total, &noise,   &start, &show,  &hidden,  &by_step, NULL};
const struct step *const list_steps[] = {
    &tree,   &twins,    &nodes,         &account, &sides,     &names, &devices, &counts, &self_of_members,
    &noise,  &sequence, &total_of_list, &show_list, &shown_total_of_list, &by_step, NULL};

/* True when figures decide which rows show. */
static bool figures_filter(const struct query_run *run)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        if (show_min_active(run, (enum metric_id)m))
            return true;
    return run_compares(run);
}

void steps_drop(const struct query_run *run, unsigned *made, unsigned changed)
{
    const bool by_figures = figures_filter(run);
    unsigned stale = 0;

    for (const struct step *const *at = run->view->steps; *at; at++) {
        const struct step *s = *at;
        const unsigned inputs = s->inputs | (by_figures ? s->inputs_by_figures : 0);

        if (!(s->options & changed) && !(inputs & stale))
            continue;
        if (s->compares && !run_compares(run) && !(*made & s->made))
            continue; /* none before, none now */
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
    const struct step *step;
    struct roofs roofs; /* where figures are of roofs */
    struct figure_list list;
};

/* A ratio of rows: of what COLUMNS have of its two metrics.  In a list, whose totals are running
 * sums, a row's own figures are its ratio, and the sums those of all. */
static struct column *ratio_of(const struct query_run *run, struct column *const *columns,
                               int figure)
{
    const int side = figure < METRIC_COUNT ? 0 : FIGURE_BASE;
    const enum metric_id ratio = (enum metric_id)(figure - side);
    const int of = side + (int)metrics[ratio].of, per = side + (int)metrics[ratio].per;
    struct column *const *rows = run->view->is_list ? run->c->self : columns;
    const uint32_t n = run->c->tree->n_rows;
    struct column *column;
    int64_t *values;

    if (!columns[of] || !columns[per] || !rows[of] || !rows[per])
        return NULL; /* cancelled */
    column = column_new(run->pool, n, sizeof *values);
    values = column->data;
    for (row_id row = 1; row < n; row++)
        values[row] = metric_ratio(ratio, COLUMN(rows[of], const int64_t)[row],
                                   COLUMN(rows[per], const int64_t)[row]);
    values[0] = metric_ratio(ratio, COLUMN(columns[of], const int64_t)[0],
                             COLUMN(columns[per], const int64_t)[0]);
    return column;
}

/* The share of the roofs of W: of rates of rows that COLUMNS have, ratios already. */
static struct column *share_of_roofs(const struct figure_work *w, struct column *const *columns,
                                     int figure)
{
    const int side = figure < METRIC_COUNT ? 0 : FIGURE_BASE;
    const struct metric *m = &metrics[figure - side];
    const int64_t *of = COLUMN(columns[side + (int)m->of], const int64_t);
    const int64_t *per = COLUMN(columns[side + (int)m->per], const int64_t);
    const uint32_t n = w->run->c->tree->n_rows;
    struct column *column;

    if (!of || !per)
        return NULL; /* cancelled */
    column = column_new(w->run->pool, n, sizeof(int64_t));
    for (row_id row = 0; row < n; row++)
        COLUMN(column, int64_t)[row] = roofs_percent(&w->roofs, of[row], per[row]);
    return column;
}

static int metric_of(int figure)
{
    return figure < FIGURE_BASE ? figure : figure - FIGURE_BASE;
}

static struct column *make_figure(const struct figure_work *w, struct column *const *columns,
                                  int figure)
{
    if (!metric_is_ratio(metric_of(figure)))
        return w->step->run_figure(w->run, figure);
    return metric_is_of_roofs(metric_of(figure)) ? share_of_roofs(w, columns, figure)
                                                 : ratio_of(w->run, columns, figure);
}

static void run_figures(void *arg, size_t from, size_t to)
{
    const struct figure_work *w = arg;
    struct column **columns = w->list.columns;

    for (size_t i = from; i < to && !cancel_asked(w->run->cancel); i++)
        columns[w->list.figures[i]] = make_figure(w, columns, w->list.figures[i]);
}

static void add_figure(struct figure_list *list, int figure)
{
    if (!list->columns[figure])
        list->figures[list->n++] = figure;
}

/* Lists the metrics of NEED that are not made, nothing else. */
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

/* Each figure has a column of its own: they can be made side by side. */
static void run_each(struct figure_work *w, field_set need)
{
    list_figures(w, need);
    workers_run(w->run->workers, w->list.n, 1, run_figures, w);
}

/* Ratios come after what they are made of, and what is of roofs after these. */
static void run_step_figures(const struct query_run *run, const struct step *step, field_set need)
{
    const field_set of_roofs = FIELD_BIT(METRIC_ROOF_PERCENT);
    struct figure_work w = {.run = run, .step = step};

    if (step->is_wanted && !step->is_wanted(run))
        return;
    w.list.columns = (struct column **)(void *)((char *)run->c + step->columns);
    if (step->run_list) {
        list_figures(&w, need & ~RATIOS);
        /* A row that is a node is a definition; it has no self figure to say so. */
        if (field_in(need, METRIC_OCCURRENCE) && !run->view->is_multi && !(step->made & MADE_SELF))
            add_figure(&w.list, FIGURE_DEFINITIONS);
        step->run_list(run, &w.list);
    } else {
        run_each(&w, need & ~RATIOS);
    }
    run_each(&w, need & RATIOS & ~of_roofs);
    if (need & of_roofs)
        w.roofs = figures_roofs(run);
    run_each(&w, need & of_roofs);
}

static bool makes_figures(const struct step *s)
{
    return s->run_figure || s->run_list;
}

void steps_run_figures(const struct query_run *run, unsigned made, field_set asked)
{
    const field_set need = figures_with_parts(asked);

    figures_nodes(run, need & ~RATIOS);
    for (const struct step *const *at = run->view->steps; *at; at++)
        if (makes_figures(*at) && !((*at)->inputs & ~made))
            run_step_figures(run, *at, need);
}

bool steps_run(const struct query_run *run, unsigned *made, struct err *err)
{
    const field_set need = figures_needed(run);

    for (const struct step *const *at = run->view->steps; *at; at++) {
        const struct step *s = *at;
        const bool is_made = s->made && !s->checks_itself && (*made & s->made) == s->made;

        if (cancel_asked(run->cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (makes_figures(s)) {
            figures_nodes(run, need & ~RATIOS);
            run_step_figures(run, s, need);
        } else if (!is_made && (!s->is_wanted || s->is_wanted(run))) {
            if (!s->run(run, err))
                return false;
            *made |= s->made;
        }
    }
    return !cancel_asked(run->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}
