/* repeat_figures.c: statistics over the figures of repeated layers. */
#include <math.h>
#include <stdlib.h>

#include "base/nth_value.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/build/repeats.h"
#include "view/delta.h"
#include "view/repeat_figures.h"
#include "view/stages.h"

int64_t repeat_figure(const struct result *r, enum metric_id metric, row_id row)
{
    return result_compares(r) ? delta_of(r, metric, row).delta : r->total[metric][row];
}

bool repeat_is_outlier(const struct repeat_figures *f, int64_t figure)
{
    return f->n >= MEDIAN_FOR_OUTLIERS && fabs((double)figure - f->median) > f->limit;
}

static void take(struct repeat_figures *f, row_id row, int64_t figure)
{
    if (f->n == 0 || figure < f->min) {
        f->min = figure;
        f->min_row = row;
    }
    if (f->n == 0 || figure > f->max) {
        f->max = figure;
        f->max_row = row;
    }
    f->n++;
}

struct repeat_figures repeat_figures_of(const struct result *r, enum metric_id metric, row_id row)
{
    const struct tree *t = r->tree;
    struct repeat_figures f = {.n = 0};
    double *values = xcalloc((size_t)tree_n_repeats(t, row) + 1, sizeof *values);
    int64_t sum = 0;
    bool saturated = false;

    for (row_id repeat = row + 1; tree_n_repeats(t, row) && repeat < t->end[row]; repeat = t->end[repeat]) {
        const int64_t figure = repeat_figure(r, metric, repeat);

        if (!r->kept[repeat])
            continue;
        values[f.n] = (double)figure;
        sum = sat_add(sum, figure, &saturated);
        take(&f, repeat, figure);
    }
    if (f.n) {
        f.mean = sum / f.n;
        f.limit = MEDIAN_SIGMAS * MEDIAN_DEVIATION_TO_SIGMA *
                  median_deviation(values, f.n, &f.median);
    }
    for (row_id repeat = row + 1; f.n && repeat < t->end[row]; repeat = t->end[repeat])
        f.n_outliers += r->kept[repeat] && repeat_is_outlier(&f, repeat_figure(r, metric, repeat));
    free(values);
    return f;
}

/* ---- stages for rows of repeated layers */

bool repeats_rows(const struct query_run *run, struct err *err)
{
    const struct view *v = run->view;
    struct tree *built = run->c->built;

    run->c->tree = run->options->fold_twins && !v->is_list
                       ? repeats_fold(built, (enum view_id)(v - views), run->cancel, err)
                       : tree_ref(built);
    return run->c->tree != NULL;
}

/* Filters on names and devices apply to the layers; thresholds apply to the sum over the layers,
 * unless they look at self figures. */
void repeats_test(const struct query_run *run, uint8_t *test)
{
    const struct tree *t = run->c->tree;

    for (row_id row = 1; t->n_repeats && row < t->n_rows; row++) {
        if (!t->n_repeats[row])
            continue;
        show_test_figures(run, test, row, row + 1);
        if (test[row] >= WHY_MIN &&
            show_min_base(run, (enum metric_id)(test[row] - WHY_MIN)) != MIN_TOTAL)
            test[row] = WHY_REPEATS;
    }
}

/* True for reasons that depend on figures only. */
static bool is_below_threshold(uint8_t why)
{
    return why == WHY_DELTA || why == WHY_PERCENT || why >= WHY_MIN;
}

static uint8_t why_of_set(const struct tree *t, row_id set, const uint8_t *why, uint8_t test)
{
    uint32_t n_shown = 0, n_too_little = 0;

    for (row_id row = set + 1; row < t->end[set]; row = t->end[row]) {
        n_shown += why[row] == WHY_SHOWN;
        n_too_little += is_below_threshold(why[row]);
    }
    if (test == WHY_REPEATS)
        return n_shown > 1 ? WHY_SHOWN : WHY_REPEATS;
    return n_shown + n_too_little > 1 ? test : WHY_REPEATS;
}

void repeats_show(const struct query_run *run, const uint8_t *test)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    uint8_t *why = c->why->data;
    row_id *up = c->shown_parent->data;

    for (row_id row = 1; row < t->n_rows; row++) {
        const row_id parent = t->parent[row];

        if (t->n_repeats[row]) {
            why[row] = why_of_set(t, row, why, test[row]);
            c->n_shown += why[row] == WHY_SHOWN;
        }
        up[row] = why[parent] == WHY_SHOWN ? parent : up[parent];
    }
}
