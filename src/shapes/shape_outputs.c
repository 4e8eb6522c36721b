/* shape_outputs.c: selects the outputs of each node to track: those that are read. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/offsets.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "shapes/shape_graph_priv.h"

/* Output INDEX of NODE, which is read, recorded or a result of the function. */
struct use {
    node_id node;
    uint32_t index;
};

/* All uses except those of output 0, with repetitions. */
struct uses {
    VEC(struct use) list;
};

static void take(struct uses *uses, node_id node, int32_t index)
{
    vec_push(&uses->list, ((struct use){node, (uint32_t)index}));
}

static void find_uses(const struct shape_graph *g, struct uses *uses)
{
    const struct profile *p = g->p;

    for (node_id i = 0; i < p->n_nodes; i++)
        for (uint32_t k = p->output_begin[i]; k < p->output_begin[i + 1]; k++)
            if (p->outputs[k].index > 0)
                take(uses, i, p->outputs[k].index);
    for (uint32_t k = 0; k < p->input_begin[p->n_nodes]; k++)
        if (p->inputs[k].own_index > 0 && p->inputs[k].source != NODE_NONE)
            take(uses, p->inputs[k].source, p->inputs[k].own_index);
    for (uint32_t k = 0; g->body && k < g->body->n_results; k++)
        if (g->body->results[k].node < p->n_nodes && g->body->results[k].output > 0)
            take(uses, g->body->results[k].node, g->body->results[k].output);
}

COMPARE_VALUES(compare_indexes, uint32_t)

/* Sorts the uses of each node and removes repetitions. */
static void sort_uses(struct shape_graph *g)
{
    const uint32_t n_nodes = g->p->n_nodes;
    uint32_t kept = 0, first = 0;

    for (node_id i = 0; i < n_nodes; i++) {
        const uint32_t end = g->out_begin[i + 1];
        const uint32_t begin = kept;

        if (end - first > 1)
            qsort(g->out_index + first, end - first, sizeof *g->out_index, compare_indexes);
        for (uint32_t k = first; k < end; k++)
            if (kept == begin || g->out_index[kept - 1] != g->out_index[k])
                g->out_index[kept++] = g->out_index[k];
        g->out_begin[i] = begin;
        first = end;
    }
    g->out_begin[n_nodes] = kept;
}

/* Sets the start of each node's list, which includes output 0; false on overflow. */
static bool count_uses(struct shape_graph *g, const struct uses *uses)
{
    for (node_id i = 0; i < g->p->n_nodes; i++)
        g->out_begin[i + 1] = 1;
    for (size_t i = 0; i < uses->list.n; i++)
        g->out_begin[uses->list.data[i].node + 1]++;
    return offsets_sum(g->out_begin, g->p->n_nodes);
}

void shape_graph_list_outputs(struct shape_graph *g)
{
    const struct profile *p = g->p;
    struct uses uses = {{0}};

    g->out_begin = xcalloc((size_t)p->n_nodes + 1, sizeof *g->out_begin);
    find_uses(g, &uses);
    if (!count_uses(g, &uses)) {
        memset(g->out_begin, 0, ((size_t)p->n_nodes + 1) * sizeof *g->out_begin);
        uses.list.n = 0;
        count_uses(g, &uses); /* cannot overflow: one per node */
    }
    g->out_index = xcalloc((size_t)g->out_begin[p->n_nodes] + 1, sizeof *g->out_index);
    for (node_id i = 0; i < p->n_nodes; i++)
        g->out_index[g->out_begin[i]++] = 0;
    for (size_t i = 0; i < uses.list.n; i++)
        g->out_index[g->out_begin[uses.list.data[i].node]++] = uses.list.data[i].index;
    vec_done(&uses.list);
    offsets_rewind(g->out_begin, p->n_nodes);
    sort_uses(g);
    g->outs = xcalloc((size_t)g->out_begin[p->n_nodes] + 1, sizeof *g->outs);
}

struct tensor *shape_graph_tracked(const struct shape_graph *g, node_id node, int64_t index)
{
    uint32_t at;

    if (node == NODE_NONE || index < 0 || index > UINT32_MAX)
        return NULL;
    at = g->out_begin[node];
    if (index == 0) /* already counted for every node */
        return &g->outs[at];
    at += index_slot(g->out_index + at, g->out_begin[node + 1] - at, (uint32_t)index);
    return at < g->out_begin[node + 1] ? &g->outs[at] : NULL;
}
