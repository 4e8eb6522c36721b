/* shape_infer.c: infers whole graphs: which nodes need it, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "shapes/graph_order.h"
#include "shapes/rules/shape_rules.h"
#include "shapes/shape_graph_priv.h"

/* Beyond this many nodes only what leads to unknown shapes is inferred: the
 * rest is recorded, and checking it would cost more than it tells. */
#define CHECK_ALL_MAX 200000

static void find_entries(struct shape_graph *g)
{
    const struct profile *p = g->p;
    const struct op_entry **by_string = xcalloc(p->strings.n + 1, sizeof(const struct op_entry *));

    g->entries = xcalloc((size_t)p->n_nodes + 1, sizeof(const struct op_entry *));
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        strid op = profile_is_of_run(p, i) ? STRID_EMPTY : p->op[i];

        if (!by_string[op])
            by_string[op] = op_table_find(g->request->ops, intern_text(&p->strings, op),
                                          intern_len(&p->strings, op));
        g->entries[i] = by_string[op];
    }
    free(by_string);
}

/* Fills outputs from recorded shapes alone; true when all are complete. */
static bool take_recorded(struct shape_graph *g, node_id node)
{
    bool full = true;

    for (uint32_t k = g->out_begin[node]; k < g->out_begin[node + 1]; k++) {
        g->outs[k].shape = shape_graph_recorded(g, node, g->out_index[k]);
        full &= dims_full(g->outs[k].shape);
    }
    return full || (g->entries[node]->shape && g->entries[node]->shape->apply == shape_none);
}

/* Marks NODE and what leads to it. */
static void mark_ancestors(const struct shape_graph *g, node_id node, uint8_t *wanted)
{
    VEC(node_id) stack = {0};
    const struct profile *p = g->p;

    wanted[node] = 1;
    vec_push(&stack, node);
    while (stack.n > 0) {
        node_id at = stack.data[--stack.n];

        for (uint32_t k = p->input_begin[at]; k < p->input_begin[at + 1]; k++) {
            node_id source = p->inputs[k].source;

            if (source == NODE_NONE || wanted[source] || p->inputs[k].own_index == INPUT_CONTROL)
                continue;
            wanted[source] = 1;
            vec_push(&stack, source);
        }
    }
    vec_done(&stack);
}

/* The nodes whose rules must run. */
static uint8_t *wanted_nodes(struct shape_graph *g)
{
    const struct profile *p = g->p;
    uint8_t *wanted = xcalloc((size_t)p->n_nodes + 1, 1);
    bool all = p->n_nodes <= CHECK_ALL_MAX || g->request->n_bindings > 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        if (!take_recorded(g, i) && !wanted[i] && !all)
            mark_ancestors(g, i, wanted);
    if (all)
        memset(wanted, 1, p->n_nodes);
    /* Bodies are inferred for their calls, see bodies.c. */
    for (uint32_t i = 0; i < p->n_call_sites; i++)
        memset(wanted + p->call_sites[i].first, 0, p->call_sites[i].n_nodes);
    return wanted;
}

static bool infer_all(struct shape_graph *g)
{
    struct graph_order order;
    struct arena scratch = {0};
    uint8_t *wanted = wanted_nodes(g);
    bool done = graph_order_init(&order, g->p, wanted, g->request->budget.cancel);

    for (uint32_t i = 0; done && i < order.n; i++) {
        if (i % 4096 == 0 && cancel_asked(g->request->budget.cancel))
            done = false;
        shape_graph_step(g, order.nodes[i], &scratch);
    }
    if (done && g->request->stronger)
        shape_graph_settle(g, &order, &scratch);
    for (node_id i = 0; done && g->p->run_output_begin && i < g->p->n_nodes; i++)
        shape_graph_take_run(g, i);
    free(wanted);
    graph_order_done(&order);
    arena_done(&scratch);
    return done && !cancel_asked(g->request->budget.cancel);
}

struct shape_graph *shape_graph_infer(const struct profile *p, struct shape_request *request,
                                      const struct shape_graph *caller,
                                      const struct body_key *call)
{
    struct shape_graph *g = xcalloc(1, sizeof *g);

    g->p = p;
    g->request = request;
    g->caller = caller;
    g->depth = caller ? caller->depth + 1 : 0;
    if (call) {
        g->body = call->body;
        g->arguments = call->arguments;
        g->n_arguments = call->n_arguments;
        g->stays = call->stays;
    }
    g->n_outs = xcalloc((size_t)p->n_nodes + 1, sizeof *g->n_outs);
    g->visits = xcalloc((size_t)p->n_nodes + 1, 1);
    g->noted = xcalloc((size_t)p->n_nodes + 1, 1);
    g->literals = xcalloc(1, sizeof *g->literals);
    g->of_shape = xcalloc((size_t)p->n_shapes + 1, sizeof(const struct dims *));
    shape_graph_list_outputs(g);
    find_entries(g);
    if (infer_all(g))
        return g;
    shape_graph_free(g);
    return NULL;
}

struct shape_graph *shape_graph_new(const struct profile *p, struct shape_request *request)
{
    request->bodies = body_cache_new();
    return shape_graph_infer(p, request, NULL, NULL);
}

void shape_graph_free(struct shape_graph *g)
{
    if (!g)
        return;
    if (!g->caller)
        body_cache_free(g->request->bodies);
    free(g->out_begin);
    free(g->out_index);
    free(g->outs);
    free(g->n_outs);
    free(g->entries);
    free(g->visits);
    free(g->noted);
    free(g->told);
    free(g->of_shape);
    literals_free(g->literals);
    free(g);
}
