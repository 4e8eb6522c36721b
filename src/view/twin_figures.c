/* twin_figures.c: how the figures of twins differ. */
#include "view/twin_figures.h"

#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/delta.h"

int64_t twin_figure(const struct result *r, enum metric_id metric, row_id row)
{
    return result_compares(r) ? delta_of(r, metric, row).delta : r->total[metric][row];
}

bool twin_is_outlier(const struct twin_figures *f, int64_t figure)
{
    return f->n >= MEDIAN_FOR_OUTLIERS && fabs((double)figure - f->median) > f->limit;
}

static void take(struct twin_figures *f, row_id row, int64_t figure)
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

struct twin_figures twin_figures_of(const struct result *r, enum metric_id metric, row_id row)
{
    const struct tree *t = r->tree;
    struct twin_figures f = {.n = 0};
    double *values = xcalloc((size_t)tree_n_twins(t, row) + 1, sizeof *values);
    int64_t sum = 0;
    bool saturated = false;

    for (row_id twin = row + 1; tree_n_twins(t, row) && twin < t->end[row]; twin = t->end[twin]) {
        const int64_t figure = twin_figure(r, metric, twin);

        if (!r->kept[twin])
            continue;
        values[f.n] = (double)figure;
        sum = sat_add(sum, figure, &saturated);
        take(&f, twin, figure);
    }
    if (f.n) {
        f.mean = sum / f.n;
        f.limit = MEDIAN_SIGMAS * MEDIAN_DEVIATION_TO_SIGMA *
                  median_deviation(values, f.n, &f.median);
    }
    for (row_id twin = row + 1; f.n && twin < t->end[row]; twin = t->end[twin])
        f.n_outliers += r->kept[twin] && twin_is_outlier(&f, twin_figure(r, metric, twin));
    free(values);
    return f;
}
