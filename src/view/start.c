/* start.c: where the display starts: the first rows on each branch that match
 * -start_name_regexes, and all that is below them. */
#include "view/steps.h"

bool start_is_wanted(const struct query_run *run)
{
    return run->c->kind[NAMES_START] != FILTER_ALL;
}

bool start_rows(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *kept = COLUMN(c->kept, uint8_t);
    const uint8_t *match = COLUMN(c->match[NAMES_START], uint8_t);
    uint8_t *started;

    (void)err;
    c->started = column_new(run->pool, t->n_rows, sizeof *started);
    started = c->started->data;
    started[0] = 0;
    for (row_id row = 1; row < t->n_rows; row++)
        started[row] = started[t->parent[row]] | (uint8_t)(match && match[row] && kept[row] && !tree_n_twins(t, row));
    return true;
}
