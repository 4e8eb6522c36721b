/* consumers.c: reverses the inputs by counting sort. */
#include "tui/rows/consumers.h"

#include <stdlib.h>

#include "base/xalloc.h"

void consumers_build(struct consumers *c, const struct profile *p)
{
    const uint32_t n_inputs = p->input_begin[p->n_nodes];
    uint32_t *next;

    c->begin = xcalloc((size_t)p->n_nodes + 2, sizeof *c->begin);
    c->nodes = xcalloc((size_t)n_inputs + 1, sizeof *c->nodes);
    next = c->begin + 1;
    for (uint32_t i = 0; i < n_inputs; i++)
        if (p->inputs[i].source != NODE_NONE)
            next[p->inputs[i].source + 1]++;
    for (node_id node = 0; node < p->n_nodes; node++)
        next[node + 1] += next[node];
    /* next[I] moves from the start of list I to its end, where begin[I + 1] has to point. */
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
            if (p->inputs[i].source != NODE_NONE)
                c->nodes[next[p->inputs[i].source]++] = node;
}

void consumers_done(struct consumers *c)
{
    EACH(free, c->begin, c->nodes);
    c->begin = NULL;
    c->nodes = NULL;
}
