/* match_structure.c: matches nodes by the structure of the graph around them. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "match/pairs_priv.h"

/* Minimum length of the chain through a node, which counts the node itself twice; shorter ones are
 * weak evidence. */
enum { DEPTH_LEAST = 4 };

/* Number of nodes of each side with KEY, and one node of each. */
struct bucket {
    uint64_t key;
    node_id base, now;
    uint32_t n_base, n_now;
};

struct table {
    struct bucket *buckets;
    size_t mask;
};

static struct bucket *find(const struct table *t, uint64_t key)
{
    size_t at = (size_t)key & t->mask;

    while ((t->buckets[at].n_base || t->buckets[at].n_now) && t->buckets[at].key != key)
        at = (at + 1) & t->mask;
    t->buckets[at].key = key;
    return &t->buckets[at];
}

/* Counts all nodes: a key that is unique among unmatched nodes need not be unique. */
static void fill(struct table *t, const struct matching *m)
{
    const struct pairs *pairs = m->pairs;
    const uint32_t n_base = pairs->base->n_nodes, n_now = pairs->now->n_nodes;
    size_t size = 2;

    while (size < 2 * ((size_t)n_base + n_now))
        size *= 2;
    t->mask = size - 1;
    t->buckets = xcalloc(size, sizeof *t->buckets);
    for (node_id node = 0; node < n_base; node++) {
        struct bucket *b = find(t, m->base.whole[node]);

        b->base = node;
        b->n_base++;
    }
    for (node_id node = 0; node < n_now; node++) {
        struct bucket *b = find(t, m->now.whole[node]);

        b->now = node;
        b->n_now++;
    }
}

static bool has_equals(const struct bucket *b)
{
    return b->n_base && b->n_base == b->n_now;
}

/* Separates pairs of equal names if structure contradicts them: both nodes have other surroundings,
 * which equally many nodes of the other side share. */
static void separate_contradicted(struct matching *m, const struct table *t)
{
    struct pairs *pairs = m->pairs;

    for (node_id now = 0; now < pairs->now->n_nodes; now++) {
        const node_id base = pairs->base_of[now];

        if (base == NODE_NONE || m->base.whole[base] == m->now.whole[now] ||
            m->base.depth[base] < DEPTH_LEAST || m->now.depth[now] < DEPTH_LEAST)
            continue;
        if (!has_equals(find(t, m->base.whole[base])) || !has_equals(find(t, m->now.whole[now])))
            continue;
        pairs_separate(m, base);
        m->n_parted++;
    }
}

void match_structure(struct matching *m, bool with_shapes)
{
    struct table t;

    structure_fill(&m->base, with_shapes);
    structure_fill(&m->now, with_shapes);
    fill(&t, m);
    if (with_shapes)
        separate_contradicted(m, &t);
    for (node_id node = 0; node < m->pairs->now->n_nodes; node++) {
        const struct bucket *b = find(&t, m->now.whole[node]);

        if (b->n_base != 1 || b->n_now != 1 || m->now.depth[node] < DEPTH_LEAST ||
            b->now != node)
            continue;
        m->is_sure[node] |= m->pairs->base_of[node] == b->base;
        if (both_free(m, b->base, node) && same_op(m, b->base, node))
            pairs_join(m, b->base, node, MATCH_STRUCTURE);
    }
    free(t.buckets);
}
