/* loop_frames.c: the loop depth of nodes: Enter increments it, Exit decrements it. */
#include "shapes/shape_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* True when the node's op is OP or its Ref form. */
static bool is_op(const struct profile *p, node_id node, const char *op)
{
    const char *text = profile_text(p, p->op[node]);

    return strcmp(strncmp(text, "Ref", 3) == 0 ? text + 3 : text, op) == 0;
}

static bool has_loops(const struct profile *p)
{
    return intern_find(&p->strings, "Enter", 5) != STRID_NONE ||
           intern_find(&p->strings, "RefEnter", 8) != STRID_NONE;
}

uint8_t *loop_frames(const struct profile *p, struct cancel_mark cancel)
{
    struct graph_order order;
    uint8_t *depth, *all;

    if (!has_loops(p))
        return NULL;
    depth = xcalloc((size_t)p->n_nodes + 1, 1);
    all = xcalloc((size_t)p->n_nodes + 1, 1);
    memset(all, 1, p->n_nodes);
    if (!graph_order_init(&order, p, all, cancel))
        order.n = 0;
    for (uint32_t i = 0; i < order.n; i++) {
        const node_id node = order.nodes[i];

        for (uint32_t k = p->input_begin[node]; k < p->input_begin[node + 1]; k++) {
            const struct node_input *in = &p->inputs[k];
            uint8_t from;

            if (in->source == NODE_NONE || in->own_index == INPUT_CONTROL)
                continue;
            from = depth[in->source];
            if (from > 0 && is_op(p, in->source, "Exit"))
                from--;
            KEEP_MAX(depth[node], from);
        }
        if (depth[node] < UINT8_MAX && is_op(p, node, "Enter"))
            depth[node]++;
    }
    graph_order_done(&order);
    free(all);
    return depth;
}
