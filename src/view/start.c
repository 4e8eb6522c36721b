/* start.c: evaluates -start_name_regexes: on each branch the first matching rows and everything
 * below them. */
#include "view/stages.h"

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
        started[row] = started[t->parent[row]] | (uint8_t)(match && match[row] && kept[row] && !tree_n_repeats(t, row));
    return true;
}
