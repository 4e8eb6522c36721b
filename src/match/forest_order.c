/* forest_order.c: execution order of the nodes of a graph. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "match/forest.h"

/* True when inputs precede their consumers in the file, as in most graphs. */
static bool is_in_order(const struct profile *p)
{
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
            if (p->inputs[i].source != NODE_NONE && p->inputs[i].source >= node)
                return false;
    return true;
}

/* Computes the length of the longest chain of inputs before each node. Nodes of cycles keep the
 * level that inputs outside the cycle give them. */
static void find_levels(const struct profile *p, uint32_t *level)
{
    uint32_t *waits = xcalloc((size_t)p->n_nodes + 1, sizeof *waits);
    uint32_t *begin = xcalloc((size_t)p->n_nodes + 2, sizeof *begin);
    node_id *consumers = xalloc_huge((size_t)p->input_begin[p->n_nodes] + 1, sizeof *consumers);
    node_id *queue = xalloc_huge((size_t)p->n_nodes + 1, sizeof *queue);
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->input_begin[p->n_nodes]; i++)
        if (p->inputs[i].source != NODE_NONE)
            begin[p->inputs[i].source + 2 > p->n_nodes ? p->n_nodes + 1 : p->inputs[i].source + 2]++;
    for (node_id node = 1; node < p->n_nodes + 2; node++)
        begin[node] += begin[node - 1];
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
            if (p->inputs[i].source != NODE_NONE) {
                consumers[begin[p->inputs[i].source + 1]++] = node;
                waits[node]++;
            }
    for (node_id node = 0; node < p->n_nodes; node++)
        if (!waits[node])
            queue[n++] = node;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t i = begin[queue[at]]; i < begin[queue[at] + 1]; i++) {
            const node_id consumer = consumers[i];

            if (level[consumer] <= level[queue[at]])
                level[consumer] = level[queue[at]] + 1;
            if (!--waits[consumer])
                queue[n++] = consumer;
        }
    EACH(free, waits, begin, consumers, queue);
}

uint32_t *forest_order(const struct profile *p)
{
    uint32_t *order = xalloc_huge((size_t)p->n_nodes + 1, sizeof *order);
    uint32_t *level, *begin;

    if (p->n_parts || is_in_order(p)) {
        for (node_id node = 0; node < p->n_nodes; node++)
            order[node] = node;
        return order;
    }
    level = xcalloc((size_t)p->n_nodes + 1, sizeof *level);
    begin = xcalloc((size_t)p->n_nodes + 2, sizeof *begin);
    find_levels(p, level);
    for (node_id node = 0; node < p->n_nodes; node++)
        begin[level[node] + 1]++;
    for (node_id node = 1; node < p->n_nodes + 2; node++)
        begin[node] += begin[node - 1];
    for (node_id node = 0; node < p->n_nodes; node++)
        order[node] = begin[level[node]]++;
    EACH(free, level, begin);
    return order;
}
