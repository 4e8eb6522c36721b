/* repeat_rows.c: stages for rows of repeated layers: the tree with these rows, and which of them
 * are displayed (semantics.md section 4.7). */
#include "view/build/repeats.h"
#include "view/stages.h"

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
