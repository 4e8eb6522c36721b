/* match_neighbours.c: matches inputs and consumers of matched nodes. */
#include "match/pairs_priv.h"

/* Limit for consumers of a node: the search is quadratic in their number. */
enum { TAKERS_MOST = 64 };

static bool fit(const struct matching *m, node_id base, node_id now)
{
    return both_free(m, base, now) && same_op(m, base, now) &&
           m->leaf_of_base[base] == m->leaf_of_now[now];
}

/* Matches the inputs at equal positions, if both nodes have equally many. */
static void match_inputs(struct matching *m, node_id base, node_id now)
{
    const struct profile *b = m->pairs->base, *n = m->pairs->now;
    const uint32_t from_base = b->input_begin[base], from_now = n->input_begin[now];
    const uint32_t n_inputs = n->input_begin[now + 1] - from_now;

    if (b->input_begin[base + 1] - from_base != n_inputs)
        return;
    for (uint32_t i = 0; i < n_inputs; i++) {
        const struct node_input *old = &b->inputs[from_base + i], *new = &n->inputs[from_now + i];

        if (old->source != NODE_NONE && new->source != NODE_NONE &&
            old->own_index == new->own_index && fit(m, old->source, new->source))
            pairs_join(m, old->source, new->source, MATCH_NEIGHBOURS);
    }
}

/* How a consumer uses a node. */
struct taking {
    uint32_t op;
    uint64_t leaf;
    int32_t position;
};

/* One of the two profiles. */
struct side {
    const struct structure *s;
    const uint32_t *op_of;
    const uint64_t *leaf_of;
    const node_id *joined;
    bool is_now;
};

static struct taking taking_of(const struct side *side, uint32_t input)
{
    const struct profile *p = side->s->profile;
    const node_id taker = side->s->node_of_input[input];

    return (struct taking){side->op_of[p->op[taker]], side->leaf_of[taker],
                           profile_input_position(p, taker, input)};
}

static bool same_taking(struct taking a, struct taking b)
{
    return a.op == b.op && a.leaf == b.leaf && a.position == b.position;
}

static bool is_settled(const struct matching *m, const struct side *side, node_id node)
{
    return side->joined[node] != NODE_NONE &&
           !is_doubtful(m, side->is_now ? node : side->joined[node]);
}

/* The only unmatched consumer that uses NODE in this way; NODE_NONE if there are others, including
 * doubtful pairs. */
static node_id only_taker(const struct matching *m, const struct side *side, node_id node,
                          struct taking like)
{
    const struct structure *s = side->s;
    node_id found = NODE_NONE;

    for (uint32_t i = s->taker_begin[node]; i < s->taker_begin[node + 1]; i++) {
        const node_id taker = s->node_of_input[s->takers[i]];

        if (is_settled(m, side, taker) || taker == found ||
            !same_taking(taking_of(side, s->takers[i]), like))
            continue;
        if (found != NODE_NONE)
            return NODE_NONE;
        found = taker;
    }
    return found;
}

static void look_at_takers(struct matching *m, node_id base, node_id now)
{
    const struct structure *b = &m->base, *n = &m->now;
    const struct side of_base = {b, m->op_of_base, m->leaf_of_base, m->pairs->now_of, false};
    const struct side of_now = {n, m->op_of_now, m->leaf_of_now, m->pairs->base_of, true};

    if (n->taker_begin[now + 1] - n->taker_begin[now] > TAKERS_MOST ||
        b->taker_begin[base + 1] - b->taker_begin[base] > TAKERS_MOST)
        return;
    for (uint32_t i = n->taker_begin[now]; i < n->taker_begin[now + 1]; i++) {
        const node_id taker = n->node_of_input[n->takers[i]];
        struct taking like;
        node_id old;

        if (m->pairs->base_of[taker] != NODE_NONE)
            continue;
        like = taking_of(&of_now, n->takers[i]);
        if (only_taker(m, &of_now, now, like) != taker)
            continue;
        old = only_taker(m, &of_base, base, like);
        if (old != NODE_NONE && both_free(m, old, taker))
            pairs_join(m, old, taker, MATCH_NEIGHBOURS);
    }
}

void match_neighbours(struct matching *m)
{
    while (m->fresh.n) {
        const node_id now = m->fresh.data[--m->fresh.n];
        const node_id base = m->pairs->base_of[now];

        if (base == NODE_NONE || is_doubtful(m, now))
            continue;
        match_inputs(m, base, now);
        look_at_takers(m, base, now);
    }
}
