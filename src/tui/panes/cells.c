/* cells.c: figures of the displayed result as cells. */
#include "tui/panes/cells.h"

#include "model/profile_kind.h"
#include "tui/tasks/loading.h"

static bool is_of_runs(enum metric_id m)
{
    return !metrics[m].is_static && m != METRIC_FLOAT_OPS;
}

/* State of a zero figure of ROW: measured, or missing because nothing ran. */
static enum cell_state ran(const struct app *a, row_id row, enum cell_of of)
{
    const struct result *r = a->doc.result;
    const int64_t *runs = of == CELL_SELF ? r->self[METRIC_OCCURRENCE] : r->total[METRIC_OCCURRENCE];

    if (!r->profile->n_steps)
        return load_is_open(a) && !a->doc.loader.is_again ? CELL_COMING : CELL_NONE;
    if (!runs)
        return CELL_COMING;
    return runs[row] ? CELL_THERE : CELL_NONE;
}

enum cell_state cell_state(const struct app *a, row_id row, enum metric_id m, enum cell_of of)
{
    const struct result *r = a->doc.result;

    if (!r->self[m] || !r->total[m])
        return CELL_COMING;
    if ((of == CELL_SELF ? r->self[m] : r->total[m])[row] || m == METRIC_OCCURRENCE)
        return CELL_THERE;
    if (of == CELL_SELF && !result_has_self(r, row))
        return CELL_THERE; /* displayed as "--" */
    if (r->profile->kind >= PROFILE_TRACE && (!metric_is_ratio((int)m) || m == METRIC_STEP_PERCENT))
        return CELL_THERE;
    if (metric_is_ratio((int)m))
        return CELL_NONE; /* no time, so no rate */
    if (of == CELL_SELF && !r->view->is_multi && tree_node(r->tree, row) == NODE_NONE)
        return CELL_NONE; /* a name scope is not an operation */
    return is_of_runs(m) ? ran(a, row, of) : CELL_THERE;
}

void cell_add(const struct app *a, row_id row, enum metric_id m, enum cell_of of,
              struct strbuf *sb)
{
    switch (cell_state(a, row, m, of)) {
    case CELL_THERE:
        if (of == CELL_SELF)
            figure_self(sb, a->doc.result, row, m);
        else
            figure_known(sb, &a->doc.uncounted, a->doc.result, row, m);
        break;
    case CELL_COMING:
        sb_adds(sb, "\u2026");
        break;
    case CELL_NONE:
        break;
    }
}
