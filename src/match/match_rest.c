/* match_rest.c: pairs nodes that scopes and neighbours leave. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "match/matching.h"
#include "match/text_order.h"

/* True when the enclosing scopes allow a pair: they are partners, or one has none. */
static bool scopes_allow(const struct matching *m, node_id a, node_id b)
{
    const scope_id x = m->a.f.scopes.data[m->a.f.scope_of[a]].parent;
    const scope_id y = m->b.f.scopes.data[m->b.f.scope_of[b]].parent;

    return m->a.scope_partner[x] == y || (m->a.scope_partner[x] == SCOPE_NONE && m->b.scope_partner[y] == SCOPE_NONE);
}

/* Free nodes of equal names: a merge join in the order of names. */
static void match_names(struct matching *m)
{
    const struct profile *x = m->a.p, *y = m->b.p;

    for (uint32_t i = 0, k = 0; i < x->n_nodes && k < y->n_nodes;) {
        const node_id a = x->by_name[i], b = y->by_name[k];
        const int order = text_order(x, x->name[a], y, y->name[b]);

        if (order == 0 && both_free(m, a, b) && same_type(m, a, b) && matching_shapes_agree(m, a, b) &&
            scopes_allow(m, a, b) && !matching_inputs_contradict(m, a, b))
            matching_join(m, a, b, MATCH_NAME, MATCH_LOW);
        i += order <= 0;
        k += order >= 0;
    }
}

void match_rest(struct matching *m)
{
    if (m->n_pairs == m->a.p->n_nodes || m->n_pairs == m->b.p->n_nodes)
        return;
    match_names(m);
    match_neighbours(m);
}
