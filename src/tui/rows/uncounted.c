/* uncounted.c: operations without a count below each row. */
#include "tui/rows/uncounted.h"

#include <stdlib.h>

#include "base/xalloc.h"

void uncounted_make(struct uncounted *g, const struct result *r)
{
    const struct flops *flops = result_flops_made(r);
    const struct tree *t = r->tree;
    uint32_t n_members = t->member_begin[t->n_rows], n = 0;

    *g = (struct uncounted){.tree = t, .accounted = r->node_accounted, .flops = flops};
    if (!flops || !flops_by_rules(flops) || flops->n_state[FLOPS_UNKNOWN_SHAPE] == 0)
        return;
    g->before = xcalloc((size_t)n_members + 1, sizeof *g->before);
    for (uint32_t i = 0; i < n_members; i++) {
        const node_id node = t->members[i];

        g->before[i] = n;
        n += r->node_accounted[node] && flops->state[node] == FLOPS_UNKNOWN_SHAPE;
    }
    g->before[n_members] = n;
}

bool uncounted_fit(const struct uncounted *g, const struct result *r)
{
    return g->tree == r->tree && g->accounted == r->node_accounted &&
           g->flops == result_flops_made(r);
}

void uncounted_done(struct uncounted *g)
{
    free(g->before);
    *g = (struct uncounted){0};
}

uint32_t uncounted_below(const struct uncounted *g, row_id row)
{
    const struct tree *t = g->tree;

    if (!g->before)
        return 0;
    return g->before[t->member_begin[t->end[row]]] - g->before[t->member_begin[row]];
}
