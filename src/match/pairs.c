/* pairs.c: matches the nodes of two profiles. */
#include "match/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "match/text_order.h"

static node_id *new_partners(uint32_t n)
{
    node_id *partners = xalloc_huge((size_t)n + 1, sizeof *partners);

    memset(partners, 0xff, n * sizeof *partners);
    return partners;
}

static void join(struct pairs *pairs, node_id base, node_id now, enum match_reason reason)
{
    pairs->now_of[base] = now;
    pairs->base_of[now] = base;
    pairs->reason[now] = (uint8_t)reason;
}

/* Both have their nodes in the order of names. */
static void match_names(struct pairs *pairs)
{
    const struct profile *base = pairs->base, *now = pairs->now;

    for (uint32_t b = 0, n = 0; b < base->n_nodes && n < now->n_nodes;) {
        const node_id old = base->by_name[b], new = now->by_name[n];
        const int order = text_order(base, base->name[old], now, now->name[new]);

        if (order == 0 && text_order(base, base->op[old], now, now->op[new]) == 0)
            join(pairs, old, new, MATCH_NAME);
        b += order <= 0;
        n += order >= 0;
    }
}

void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now)
{
    *pairs = (struct pairs){.base = base,
                            .now = now,
                            .now_of = new_partners(base->n_nodes),
                            .base_of = new_partners(now->n_nodes),
                            .reason = xcalloc((size_t)now->n_nodes + 1, 1)};
    match_names(pairs);
}

void pairs_done(struct pairs *pairs)
{
    free(pairs->now_of);
    free(pairs->base_of);
    free(pairs->reason);
    memset(pairs, 0, sizeof *pairs);
}
