/* figure_choice.c: chooses the metric of a picture. */
#include "export/rows/figure_choice.h"

#include <string.h>

int figure_choice(const char *output, const struct result *r, struct err *err)
{
    int chosen = -1;

    for (int f = 0; f < METRIC_COUNT; f++) {
        if (!field_in(r->options.select, f) || metric_is_ratio(f))
            continue;
        if (chosen >= 0) {
            err_set(err, ERR_USAGE,
                    "-output %s: shows one figure, -select has %s and %s: use -select %s", output,
                    field_get(chosen)->name, field_get(f)->name, field_get(chosen)->name);
            return -1;
        }
        chosen = f;
    }
    if (chosen < 0)
        err_set(err, ERR_USAGE, "-output %s: shows one figure: use -select micros, or another one",
                output);
    return chosen;
}

int figure_main(const struct result *r)
{
    const enum metric_id ordered = options_order_metric(&r->options);
    int order[FIELD_COUNT];

    field_order(r->view->is_multi, order);
    if (ordered < METRIC_COUNT && field_in(r->options.select, (int)ordered) &&
        !metric_is_ratio((int)ordered))
        return (int)ordered;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (order[i] < METRIC_COUNT && field_in(r->options.select, order[i]) &&
            !metric_is_ratio(order[i]))
            return order[i];
    return -1;
}

int figure_to_draw(const char *output, const struct result *r, struct err *err)
{
    const int metric = figure_main(r);

    if (metric < 0) {
        err_set(err, ERR_USAGE, "-output %s: needs a figure to draw: use -select micros, params or "
                                "another one", output);
        return -1;
    }
    if (!metrics[metric].is_static && metric != METRIC_FLOAT_OPS && !r->profile->n_steps) {
        err_set(err, ERR_USAGE,
                "-output %s: no step was recorded, so %s is unknown: use "
                "-select params or float_ops, or name a --run_meta_path",
                output, field_get(metric)->name);
        return -1;
    }
    return metric;
}

double figure_share(int64_t part, int64_t whole)
{
    const double share = whole > 0 && part > 0 ? (double)part / (double)whole : 0.0;

    return share < 1.0 ? share : 1.0;
}

/* ---- the name of a row relative to its parent */

struct text row_short_name(const struct result *r, row_id row)
{
    struct text name = tree_text(r->tree, row);
    const row_id parent = r->shown_parent[row];
    struct text scope;

    if (r->view_id != VIEW_SCOPE || row == 0 || parent == ROW_NONE || parent == 0)
        return name;
    scope = tree_text(r->tree, parent);
    if (name.len > scope.len + 1 && memcmp(name.bytes, scope.bytes, scope.len) == 0) {
        name.bytes += scope.len + 1;
        name.len -= scope.len + 1;
    }
    return name;
}
