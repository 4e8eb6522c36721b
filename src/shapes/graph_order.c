/* graph_order.c: topological order by counting inputs (Kahn's algorithm), and the loop depth of
 * nodes. */
#include "shapes/shape_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/offsets.h"
#include "base/xalloc.h"

/* True when the producer of IN precedes the node that reads it.  Outside TensorFlow's op set, the
 * control inputs of a node that holds bodies are the bodies' results, so they count too. */
static bool is_before(const struct profile *p, const struct node_input *in)
{
    return in->source != NODE_NONE && (in->own_index != INPUT_CONTROL || profile_has_op_set(p));
}

static strid op_id(const struct profile *p, const char *op)
{
    return intern_find(&p->strings, op, strlen(op));
}

static void list_consumers(struct graph_order *o, const struct profile *p)
{
    uint32_t *begin = xcalloc((size_t)p->n_nodes + 1, sizeof *begin);

    o->consumers = xcalloc((size_t)p->input_begin[p->n_nodes] + 1, sizeof *o->consumers);
    for (uint32_t k = 0; k < p->input_begin[p->n_nodes]; k++)
        if (is_before(p, &p->inputs[k]))
            begin[p->inputs[k].source + 1]++;
    (void)offsets_sum(begin, p->n_nodes); /* cannot overflow: not more than the inputs, whose number
                                           * is 32 bits */
    for (node_id i = 0; i < p->n_nodes; i++)
        for (uint32_t k = p->input_begin[i]; k < p->input_begin[i + 1]; k++)
            if (is_before(p, &p->inputs[k]))
                o->consumers[begin[p->inputs[k].source]++] = i;
    offsets_rewind(begin, p->n_nodes);
    o->consumer_begin = begin;
}

bool graph_order_init(struct graph_order *o, const struct profile *p, const uint8_t *wanted,
                      struct cancel_mark cancel)
{
    const strid next[] = {op_id(p, "NextIteration"), op_id(p, "RefNextIteration")};
    const strid merge[] = {op_id(p, "Merge"), op_id(p, "RefMerge")};
    uint32_t *waits = xcalloc((size_t)p->n_nodes + 1, sizeof *waits), n = 0;

    *o = (struct graph_order){0};
    o->nodes = xcalloc((size_t)p->n_nodes + 1, sizeof *o->nodes);
    list_consumers(o, p);
    for (node_id i = 0; i < p->n_nodes; i++) {
        bool head = p->op[i] == merge[0] || p->op[i] == merge[1];

        for (uint32_t k = p->input_begin[i]; wanted[i] && k < p->input_begin[i + 1]; k++) {
            const struct node_input *in = &p->inputs[k];

            if (!is_before(p, in))
                continue;
            if (head && (p->op[in->source] == next[0] || p->op[in->source] == next[1]))
                o->has_cycles = true;
            else
                waits[i] += wanted[in->source];
        }
        n += wanted[i];
        if (wanted[i] && waits[i] == 0)
            o->nodes[o->n++] = i;
    }
    for (uint32_t at = 0; at < o->n; at++) {
        node_id node = o->nodes[at];
        bool back = p->op[node] == next[0] || p->op[node] == next[1];

        if (at % 65536 == 0 && cancel_asked(cancel))
            break;
        for (uint32_t k = o->consumer_begin[node]; k < o->consumer_begin[node + 1]; k++) {
            node_id to = o->consumers[k];

            if (!wanted[to] || (back && (p->op[to] == merge[0] || p->op[to] == merge[1])))
                continue;
            if (--waits[to] == 0)
                o->nodes[o->n++] = to;
        }
    }
    if (o->n < n) {
        o->has_cycles = true;
        for (node_id i = 0; i < p->n_nodes; i++)
            if (wanted[i] && waits[i] > 0)
                o->nodes[o->n++] = i;
    }
    free(waits);
    return !cancel_asked(cancel);
}

void graph_order_done(struct graph_order *o)
{
    EACH(free, o->nodes, o->consumer_begin, o->consumers);
}

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
