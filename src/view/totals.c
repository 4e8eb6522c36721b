/* totals.c: sums over heirs: each one scan from the last row to the first,
 * since a parent stands before its children. */
#include "base/satmath.h"
#include "view/steps.h"

/* The first node at or below ROW; a sum that is not 0 has one. */
static node_id first_node(const struct tree *t, row_id row)
{
    return t->members[t->member_begin[row]];
}

/* Adds every row's total to its heir-taker's; UP is the parent to add to. */
static void add_up(const struct run *run, const row_id *up, int64_t *total,
                   node_id *first_saturated)
{
    const struct tree *t = run->c->tree;

    for (row_id row = t->n_rows; row-- > 1;) {
        bool saturated = false;

        if (up[row] == ROW_NONE)
            continue;
        total[up[row]] = sat_add(total[up[row]], total[row], &saturated);
        if (saturated && *first_saturated == NODE_NONE)
            *first_saturated = first_node(t, row);
    }
}

/* What is summed over which rows. */
struct sum {
    const int64_t *self; /* NULL: 1 for each row */
    const uint8_t *flag; /* rows that count have the value PASS */
    uint8_t pass;
    const row_id *up;
};

/* A row that does not count adds nothing but hands its heirs' totals on. */
static struct column *sum_rows(const struct run *run, const struct sum *s,
                               node_id *first_saturated)
{
    const uint32_t n = run->c->tree->n_rows;
    struct column *column = column_new(run->pool, n, sizeof(int64_t));
    int64_t *total = column->data;

    for (row_id row = 0; row < n; row++) {
        int64_t self = s->self ? s->self[row] : 1;

        total[row] = s->flag[row] == s->pass ? self : 0;
    }
    /* The root counts as a definition only where displayed rows are counted. */
    if (!s->self && s->pass)
        total[0] = 0;
    add_up(run, s->up, total, first_saturated);
    return column;
}

static struct sum over_kept(const struct columns *c, const struct column *self)
{
    return (struct sum){COLUMN(self, int64_t), COLUMN(c->kept, uint8_t), 1, c->tree->parent};
}

static struct sum over_shown(const struct columns *c, const struct column *self)
{
    return (struct sum){COLUMN(self, int64_t), COLUMN(c->why, uint8_t), WHY_SHOWN,
                        COLUMN(c->shown_parent, row_id)};
}

static void sum_metric(const struct run *run, enum metric_id metric)
{
    struct columns *c = run->c;
    const struct sum sum = over_kept(c, c->self[metric]);

    if (!c->total[metric])
        c->total[metric] = sum_rows(run, &sum, &c->saturated[metric]);
}

static void sum_defs(const struct run *run)
{
    struct columns *c = run->c;
    const struct sum sum = over_kept(c, NULL);

    if (!c->defs)
        c->defs = sum_rows(run, &sum, &c->saturated[METRIC_OCCURRENCE]);
}

static void sum_shown_metric(const struct run *run, enum metric_id metric)
{
    struct columns *c = run->c;
    const struct sum sum = over_shown(c, c->self[metric]);

    if (!c->shown_total[metric])
        c->shown_total[metric] = sum_rows(run, &sum, &c->saturated[metric]);
}

static void sum_shown_defs(const struct run *run)
{
    struct columns *c = run->c;
    const struct sum sum = over_shown(c, NULL);

    if (!c->shown_defs)
        c->shown_defs = sum_rows(run, &sum, &c->saturated[METRIC_OCCURRENCE]);
}

void totals_hidden(const struct run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *why = COLUMN(c->why, uint8_t);
    const uint32_t *own = COLUMN(c->own, uint32_t);
    int64_t *hidden;

    if (c->hidden)
        return;
    c->hidden = column_new(run->pool, t->n_rows, sizeof *hidden);
    hidden = c->hidden->data;
    for (row_id row = 0; row < t->n_rows; row++)
        hidden[row] = 0;
    for (row_id row = t->n_rows; row-- > 1;)
        hidden[t->parent[row]] += hidden[row] + (why[row] == WHY_SHOWN ? 0 : own[row]);
}

static void make_metric(const struct run *run, enum metric_id metric)
{
    const bool displayed =
        run->options->account_displayed_op_only && run->view->displayed_only && run->c->why;

    figures_self(run, metric);
    if (!run->c->self[metric])
        return; /* cancelled */
    if (run->view->is_list) {
        list_total(run, metric);
        if (displayed)
            list_shown_total(run, metric);
    } else {
        sum_metric(run, metric);
        if (displayed)
            sum_shown_metric(run, metric);
    }
    if (metric == METRIC_OCCURRENCE && !run->view->is_multi) {
        sum_defs(run);
        if (displayed)
            sum_shown_defs(run);
    }
}

struct totals_work {
    const struct run *run;
    enum metric_id metrics[METRIC_COUNT];
};

static void make_metrics(void *arg, size_t from, size_t to)
{
    const struct totals_work *work = arg;

    for (size_t i = from; i < to && !cancel_asked(work->run->cancel); i++)
        make_metric(work->run, work->metrics[i]);
}

void totals_make(const struct run *run, field_set need)
{
    struct totals_work work = {.run = run};
    size_t n = 0;

    figures_nodes(run, need);
    /* Each metric has columns of its own: they can be made side by side. */
    for (int m = 0; m < METRIC_COUNT; m++)
        if (field_in(need, m))
            work.metrics[n++] = (enum metric_id)m;
    workers_run(run->workers, n, 1, make_metrics, &work);
}
