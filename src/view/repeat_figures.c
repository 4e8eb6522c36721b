/* repeat_figures.c: statistics over the figures of repeated layers. */
#include "view/repeat_figures.h"

#include <math.h>
#include <stdlib.h>

#include "base/nth_value.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "view/delta.h"

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
