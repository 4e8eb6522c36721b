/* shares.c: what shares of rows are shares of: roofs of rates, and the time of steps. */
#include "view/breakdown/step_window.h"
#include "view/stages.h"

static int64_t window_of(const struct query_run *run, int set, const struct profile *p)
{
    const struct node_figures *f = &run->nodes[set];

    return step_window_ps(p, f->step, f->rank, COLUMN(f->counted_devices, const uint8_t));
}

void figures_windows(const struct query_run *run, int64_t window_ps[2])
{
    const struct comparison *c = run->comparison;

    window_ps[0] = window_of(run, c ? FIGURES_OF_NOW : FIGURES_OF_ROWS, c ? c->pairs.now : run->profile);
    window_ps[1] = run_compares(run)
                       ? window_of(run, FIGURES_OF_BASE, c ? c->pairs.base : run->profile)
                       : 0;
}

struct roofs figures_roofs(const struct query_run *run)
{
    struct node_figures *rows = &run->nodes[FIGURES_OF_ROWS];
    struct column *const *columns = rows->figures;
    const struct roof_figures f = {COLUMN(columns[METRIC_FLOAT_OPS], const int64_t),
                                   COLUMN(columns[METRIC_BYTES_ACCESSED], const int64_t),
                                   COLUMN(columns[METRIC_MICROS], const int64_t)};

    if (!f.float_ops || !f.bytes_accessed || !f.micros_ps)
        return (struct roofs){0};
    if (!rows->has_best_roofs)
        rows->best_roofs = roofs_measure(run->profile, &f);
    rows->has_best_roofs = true;
    return roofs_choose(run->profile, run->options, rows->best_roofs);
}
