/* by_step.c: computes the figures of all rows for each step, and statistics over steps. */
#include <math.h>

#include "base/nth_value.h"
#include "base/satmath.h"
#include "view/by_step.h"
#include "view/query.h"
#include "view/stages.h"
#include "view/step_times.h"

/* Limits: 128 MiB of figures and a few seconds of work. */
enum { POINTS_MOST = 1 << 14, TIMES_MOST = 1 << 12 };
static const uint64_t values_most = UINT64_C(1) << 24, work_most = UINT64_C(1) << 30;

/* ---- making */

enum metric_id by_step_metric(const struct options *o)
{
    int order[FIELD_COUNT];

    field_order(false, order);
    for (int i = 0; i < FIELD_COUNT && !field_in(o->select, METRIC_MICROS); i++)
        if (order[i] < METRIC_COUNT && field_in(o->select, order[i]) &&
            !metrics[order[i]].is_static && !metric_is_ratio(order[i]))
            return (enum metric_id)order[i];
    return METRIC_MICROS;
}

bool by_step_is_wanted(const struct query_run *run)
{
    return run_now(run)->n_steps > 1 &&
           (run->more || field_in(run->options->select, FIELD_BY_STEP));
}

static uint32_t limit_count(uint32_t n, uint64_t most)
{
    return n <= most ? n : most > 1 ? (uint32_t)most : 1;
}

static void set_shape(const struct query_run *run, struct by_step *b)
{
    *b = (struct by_step){.profile = run_now(run), .metric = by_step_metric(run->options),
                          .n_rows = run->c->tree->n_rows};
    b->n_read = limit_count(b->profile->n_steps, work_most / (profile_n_ids(run->profile) + UINT64_C(1)));
    b->n_points = limit_count(limit_count(b->n_read, POINTS_MOST), values_most / b->n_rows);
}

static void keep_maximum(int64_t *kept, const int64_t *values, uint32_t n, bool is_first)
{
    for (uint32_t row = 0; row < n; row++)
        if (is_first || values[row] > kept[row])
            kept[row] = values[row];
}

/* Reduces the times of all steps to at most as many points as the screen shows. */
static void reduce_times(const struct query_run *run, const struct step_times *t)
{
    struct step_times_seen *seen = &run->c->step_times_shape;
    const uint32_t n = t->profile->n_steps;
    struct column *scratch = column_new(run->pool, n, sizeof(double));

    *seen = (struct step_times_seen){.n_points = limit_count(n, TIMES_MOST)};
    run->c->step_times = column_new(run->pool, seen->n_points, sizeof(int64_t));
    seen->spread = step_spread_of(t->times_ps, n, scratch->data);
    column_unref(scratch);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t point = (uint32_t)((uint64_t)i * seen->n_points / n);
        int64_t *kept = COLUMN(run->c->step_times, int64_t) + point;

        seen->n_outliers += step_spread_is_outlier(&seen->spread, t->times_ps[i]);
        if (i == step_times_first(seen, t->profile, point) || t->times_ps[i] > *kept)
            *kept = t->times_ps[i];
    }
}

static void make_times(const struct query_run *run)
{
    struct step_times t = {.profile = NULL};

    if (step_times_update(&t, run_now(run), run->options->rank, run->cancel))
        reduce_times(run, &t);
    step_times_done(&t);
}

void by_step_rows(const struct query_run *run)
{
    const struct options *o = run->options;
    const bool displayed = o->account_displayed_op_only && run->view->displayed_only;
    struct by_step *b = &run->c->by_step_shape;
    struct column *values, *scratch;
    uint32_t last = UINT32_MAX;
    struct options at;

    set_shape(run, b);
    values = column_new(run->pool, (size_t)b->n_points * b->n_rows, sizeof(int64_t));
    scratch = column_new(run->pool, b->n_rows, sizeof(int64_t));
    options_copy(&at, o);
    for (uint32_t i = 0; i < b->n_read && !cancel_asked(run->cancel); i++) {
        const uint32_t point = (uint32_t)((uint64_t)i * b->n_points / b->n_read);

        at.step = b->profile->steps[(uint64_t)i * b->profile->n_steps / b->n_read];
        rows_at_step(run, &at, b->metric, displayed, scratch->data, NULL);
        keep_maximum(COLUMN(values, int64_t) + (size_t)point * b->n_rows, scratch->data, b->n_rows,
                 point != last);
        last = point;
    }
    options_done(&at);
    column_unref(scratch);
    run->c->by_step = values;
    make_times(run);
}

/* ---- reading */

uint32_t by_step_first(const struct by_step *b, uint32_t point)
{
    /* first evaluated step of this point */
    const uint64_t read = ((uint64_t)point * b->n_read + b->n_points - 1) / b->n_points;

    return (uint32_t)(read * b->profile->n_steps / b->n_read);
}

struct step_spread step_spread_of(const int64_t *values, uint32_t n, double *scratch)
{
    struct step_spread s = {.n = n};

    for (uint32_t i = 0; i < n; i++) {
        scratch[i] = (double)values[i];
        if (values[i] > values[s.worst])
            s.worst = i;
    }
    s.deviation = median_deviation(scratch, n, &s.median);
    return s;
}

bool step_spread_is_outlier(const struct step_spread *s, int64_t value)
{
    return s->n >= MEDIAN_FOR_OUTLIERS &&
           fabs((double)value - s->median) >
               MEDIAN_SIGMAS * MEDIAN_DEVIATION_TO_SIGMA * s->deviation;
}

/* ---- the figures of rows at one step */

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

static void copy_rows(const struct query_run *run, const struct columns *c, int figure,
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
    /* Counts exist already. The cut to a time range is computed again for the step, unless
     * cancelled. */
    if (figures_counts(&at, &err))
        stages_run_figures(&at, made, FIELD_BIT(metric));
    err_done(&err);
    copy_rows(run, &c, (int)metric, displayed, now);
    copy_rows(run, &c, FIGURE_BASE + (int)metric, displayed, base);
    for (int i = 0; i < FIGURE_COUNT; i++)
        EACH(column_unref, c.self[i], c.total[i], c.shown_total[i]);
    for (int set = 0; set < FIGURE_SETS; set++)
        node_figures_done(&nodes[set]);
}
