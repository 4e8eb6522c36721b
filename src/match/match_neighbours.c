/* match_neighbours.c: pairs inputs and consumers of pairs. */
#include "match/matching.h"

#include "base/xalloc.h"

/* Limit for consumers of a node, because the search is quadratic in their number. */
enum { TAKERS_MOST = 64 };

static uint64_t leaf_of(const struct side *side, node_id node)
{
    return side->f.scopes.data[side->f.scope_of[node]].canonical;
}

bool matching_inputs_contradict(const struct matching *m, node_id a, node_id b)
{
    const struct profile *x = m->a.p, *y = m->b.p;
    const uint32_t n_a = x->input_begin[a + 1] - x->input_begin[a];
    const uint32_t n_b = y->input_begin[b + 1] - y->input_begin[b];

    for (uint32_t i = 0; i < n_a && i < n_b; i++) {
        const node_id p = x->inputs[x->input_begin[a] + i].source;
        const node_id q = y->inputs[y->input_begin[b] + i].source;

        if (p != NODE_NONE && q != NODE_NONE && m->a.partner[p] != q &&
            (m->a.partner[p] != NODE_NONE || m->b.partner[q] != NODE_NONE))
            return true;
    }
    return false;
}

static bool fit(const struct matching *m, node_id a, node_id b)
{
    return both_free(m, a, b) && same_type(m, a, b) && leaf_of(&m->a, a) == leaf_of(&m->b, b) &&
           matching_shapes_agree(m, a, b) && !matching_inputs_contradict(m, a, b);
}

static void list_consumers(struct side *side)
{
    const struct profile *p = side->p;
    const uint32_t n_inputs = p->input_begin[p->n_nodes];

    side->consumer_begin = xcalloc((size_t)p->n_nodes + 2, sizeof *side->consumer_begin);
    side->consumers = xalloc_huge((size_t)n_inputs + 1, sizeof *side->consumers);
    side->node_of_input = xalloc_huge((size_t)n_inputs + 1, sizeof *side->node_of_input);
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
            side->node_of_input[i] = node;
            if (p->inputs[i].source != NODE_NONE)
                side->consumer_begin[p->inputs[i].source + 2]++;
        }
    for (uint32_t i = 1; i < p->n_nodes + 2; i++)
        side->consumer_begin[i] += side->consumer_begin[i - 1];
    for (uint32_t i = 0; i < n_inputs; i++)
        if (p->inputs[i].source != NODE_NONE)
            side->consumers[side->consumer_begin[p->inputs[i].source + 1]++] = i;
}

/* Pairs the inputs at equal positions, if both nodes have equally many. */
static void match_inputs(struct matching *m, node_id a, node_id b)
{
    const struct profile *x = m->a.p, *y = m->b.p;
    const uint32_t from_a = x->input_begin[a], from_b = y->input_begin[b];
    const uint32_t n_inputs = y->input_begin[b + 1] - from_b;

    if (x->input_begin[a + 1] - from_a != n_inputs)
        return;
    for (uint32_t i = 0; i < n_inputs; i++) {
        const struct node_input *old = &x->inputs[from_a + i], *new = &y->inputs[from_b + i];

        if (old->source != NODE_NONE && new->source != NODE_NONE &&
            old->own_index == new->own_index && fit(m, old->source, new->source))
            matching_join(m, old->source, new->source, MATCH_NEIGHBOURS, MATCH_MEDIUM);
    }
}

/* The way in which a consumer uses a node. */
struct taking {
    uint64_t type, leaf;
    int32_t position;
};

static struct taking use_of(const struct side *side, uint32_t input)
{
    const node_id consumer = side->node_of_input[input];

    return (struct taking){side->f.type_of[consumer], leaf_of(side, consumer),
                           profile_input_position(side->p, consumer, input)};
}

static bool same_use(struct taking a, struct taking b)
{
    return a.type == b.type && a.leaf == b.leaf && a.position == b.position;
}

/* The only free consumer that uses NODE like LIKE; NODE_NONE if there are several or none. */
static node_id only_consumer(const struct side *side, node_id node, struct taking like)
{
    node_id found = NODE_NONE;

    for (uint32_t i = side->consumer_begin[node]; i < side->consumer_begin[node + 1]; i++) {
        const node_id consumer = side->node_of_input[side->consumers[i]];

        if (side->partner[consumer] != NODE_NONE || consumer == found ||
            !same_use(use_of(side, side->consumers[i]), like))
            continue;
        if (found != NODE_NONE)
            return NODE_NONE;
        found = consumer;
    }
    return found;
}

static void match_consumers(struct matching *m, node_id a, node_id b)
{
    const struct side *x = &m->a, *y = &m->b;

    if (x->consumer_begin[a + 1] - x->consumer_begin[a] > TAKERS_MOST ||
        y->consumer_begin[b + 1] - y->consumer_begin[b] > TAKERS_MOST)
        return;
    for (uint32_t i = x->consumer_begin[a]; i < x->consumer_begin[a + 1]; i++) {
        const node_id consumer = x->node_of_input[x->consumers[i]];
        struct taking like;
        node_id other;

        if (x->partner[consumer] != NODE_NONE)
            continue;
        like = use_of(x, x->consumers[i]);
        if (only_consumer(x, a, like) != consumer)
            continue;
        other = only_consumer(y, b, like);
        if (other != NODE_NONE && fit(m, consumer, other))
            matching_join(m, consumer, other, MATCH_NEIGHBOURS, MATCH_MEDIUM);
    }
}

void match_neighbours(struct matching *m)
{
    if (m->n_pairs == m->a.p->n_nodes || m->n_pairs == m->b.p->n_nodes)
        m->fresh.n = 0;
    if (m->fresh.n && !m->a.consumers) {
        list_consumers(&m->a);
        list_consumers(&m->b);
    }
    for (size_t i = 0; i < m->fresh.n; i++) {
        const node_id a = m->fresh.data[i], b = m->a.partner[a];

        if (i % 4096 == 0 && cancel_asked(m->cancel))
            break;
        if (b == NODE_NONE)
            continue;
        match_inputs(m, a, b);
        match_consumers(m, a, b);
    }
    m->fresh.n = 0;
}
