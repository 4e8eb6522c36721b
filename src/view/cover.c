/* cover.c: the smallest set of rows that covers a given share of a metric. */
#include "view/cover.h"


#include "base/vec.h"

typedef VEC(int64_t) figure_list;

static int largest_first(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* Collects the positive figures of the accounted rows, largest first; returns their sum. */
static double collect(const struct result *r, enum metric_id metric, figure_list *figures)
{
    const int64_t *self = r->self[metric];
    double sum = 0;

    for (row_id row = 1; row < r->tree->n_rows; row++)
        if (r->accounted[row] && self[row] > 0) {
            vec_push(figures, self[row]);
            sum += (double)self[row];
        }
    vec_sort(figures, largest_first);
    return sum;
}

/* The largest -min_METRIC that keeps rows with FIGURE, which is positive. */
static int64_t keeping_min(enum metric_id metric, int64_t figure)
{
    const int64_t named = metric_to_named(metric, figure);

    return metric_of_named(metric, named) > figure ? named - 1 : named;
}

bool cover_find(struct result *r, enum metric_id metric, double percent, struct cover *cover)
{
    figure_list figures = {0};
    double whole, held = 0;
    uint32_t n = 0;

    result_need(r, FIELD_BIT(metric));
    whole = collect(r, metric, &figures);
    /* rows with equal figures pass a threshold together */
    while (n < figures.n &&
           (held < whole * percent / 100 || (n && figures.data[n] == figures.data[n - 1])))
        held += (double)figures.data[n++];
    if (n)
        *cover = (struct cover){keeping_min(metric, figures.data[n - 1]), n, 100 * held / whole};
    vec_done(&figures);
    return n > 0;
}
