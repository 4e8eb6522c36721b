/* shape_infer.c: infers whole graphs: selects and orders the nodes, and infers bodies before their
 * callers. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "shapes/shape_graph.h"
#include "shapes/shape_graph_priv.h"
#include "shapes/shape_rules.h"

static const struct op_entry *find_entry(const struct shape_graph *g, strid op)
{
    const struct text name = intern_string(&g->p->strings, op);

    return profile_has_op_set(g->p) ? op_table_find_of_set(g->request->ops, g->p->op_set, name)
                                    : op_table_find(g->request->ops, name.bytes, name.len);
}

static void find_entries(struct shape_graph *g)
{
    const struct profile *p = g->p;
    const struct op_entry **by_string = xcalloc(p->strings.n + 1, sizeof(const struct op_entry *));

    g->entries = xcalloc((size_t)p->n_nodes + 1, sizeof(const struct op_entry *));
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const bool has_no_rule = profile_is_of_run(p, i) || p->def[i].form == NODE_FORM_OWN_CALL;
        const strid op = has_no_rule ? STRID_EMPTY : p->op[i];

        if (!by_string[op])
            by_string[op] = find_entry(g, op);
        g->entries[i] = by_string[op];
    }
    free(by_string);
}

/* Sets outputs from recorded shapes alone; true when all are fully known. */
static bool use_recorded(struct shape_graph *g, node_id node)
{
    bool full = true;

    for (uint32_t k = g->out_begin[node]; k < g->out_begin[node + 1]; k++) {
        g->outs[k].shape = shape_graph_recorded(g, node, g->out_index[k]);
        full &= dims_full(g->outs[k].shape);
    }
    return full || (g->entries[node]->outputs && !*g->entries[node]->outputs);
}

/* Marks NODE and its transitive inputs. */
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

/* Marks the nodes whose rules have to run. */
static uint8_t *wanted_nodes(struct shape_graph *g)
{
    const struct profile *p = g->p;
    uint8_t *wanted = xcalloc((size_t)p->n_nodes + 1, 1);
    bool all = p->n_nodes <= SHAPES_CHECKED_MAX || g->request->n_bindings > 0;

    for (node_id i = 0; i < p->n_nodes; i++)
        if (!use_recorded(g, i) && !wanted[i] && !all)
            mark_ancestors(g, i, wanted);
    if (all)
        memset(wanted, 1, p->n_nodes);
    for (node_id i = 0; !all && i < p->n_nodes; i++)
        g->request->n_unchecked += !wanted[i] && g->out_begin[i] < g->out_begin[i + 1];
    /* Bodies are inferred for their calls (function_counts.c). */
    for (uint32_t i = 0; i < p->n_call_sites; i++)
        memset(wanted + p->call_sites[i].first, 0, p->call_sites[i].n_nodes);
    return wanted;
}

/* ---- one graph */

/* The state of inferring a graph. */
struct inferring {
    struct requested_body requested;
    struct shape_graph *graph; /* NULL: not started */
    struct graph_order order;
    uint32_t at;                /* next position in order */
    struct fixpoint *fixpoint;  /* NULL: not started */
};

static struct shape_graph *graph_new(const struct profile *p, struct shape_request *request,
                                     const struct requested_body *requested)
{
    struct shape_graph *g = xcalloc(1, sizeof *g);

    g->p = p;
    g->request = request;
    g->producer = p->producer;
    if (requested) {
        g->caller = requested->caller;
        g->producer = g->caller->producer;
        g->depth = g->caller->depth + 1;
        g->body = requested->key.body;
        g->arguments = requested->key.arguments;
        g->n_arguments = requested->key.n_arguments;
        g->not_inlined = requested->key.not_inlined;
    }
    g->n_outs = xcalloc((size_t)p->n_nodes + 1, sizeof *g->n_outs);
    g->visits = xcalloc((size_t)p->n_nodes + 1, 1);
    g->noted = xcalloc((size_t)p->n_nodes + 1, 1);
    g->literals = xcalloc(1, sizeof *g->literals);
    g->of_shape = xcalloc((size_t)p->n_shapes + 1, sizeof(const struct dims *));
    shape_graph_list_outputs(g);
    find_entries(g);
    return g;
}

static void inferring_begin(struct inferring *f, struct shape_graph *g)
{
    uint8_t *wanted = wanted_nodes(g);

    f->graph = g;
    graph_order_init(&f->order, g->p, wanted, g->request->budget.cancel);
    free(wanted);
}

static void inferring_free(struct inferring *f)
{
    fixpoint_free(f->fixpoint);
    graph_order_done(&f->order);
    free(f);
}

/* Continues until a node needs a body that is not inferred yet; then returns false. */
static bool continue_inference(struct inferring *f)
{
    struct shape_graph *g = f->graph;
    struct arena *scratch = &g->request->calls->scratch;

    for (; f->at < f->order.n; f->at++) {
        const node_id node = f->order.nodes[f->at];

        if (f->at % 4096 == 0 && cancel_asked(g->request->budget.cancel))
            return true;
        if (!shape_graph_step(g, node, scratch)) {
            use_recorded(g, node); /* restores it */
            return false;
        }
    }
    if (!g->request->stronger)
        return true;
    if (!f->fixpoint)
        f->fixpoint = fixpoint_new(g, &f->order, scratch);
    return fixpoint_run(f->fixpoint);
}

/* ---- graphs that wait for each other */

/* Charges the memory and time of starting a graph, without the results of its nodes. */
static bool charge_graph(struct shape_request *r, const struct profile *p)
{
    enum { NODE_BYTES = 80, EDGE_BYTES = 48 };
    const uint64_t edges = (uint64_t)p->input_begin[p->n_nodes] + p->output_begin[p->n_nodes];

    return budget_take(&r->budget,
                       512 + (uint64_t)p->n_nodes * NODE_BYTES + edges * EDGE_BYTES +
                           (uint64_t)p->n_shapes * sizeof(void *),
                       64 + (uint64_t)p->n_nodes * 8 + edges * 2 + p->strings.n);
}

/* Pushes the requested bodies, above the graph that waits for them. */
static void push_requested(struct shape_calls *calls)
{
    for (size_t i = 0; i < calls->requested.n; i++) {
        struct inferring *f = xcalloc(1, sizeof *f);

        f->requested = calls->requested.data[i];
        vec_push(&calls->stack, f);
    }
    calls->requested.n = 0;
}

/* Starts the body on top of the stack; false when it was inferred meanwhile, or exceeds the
 * budget. */
static bool begin_body(struct shape_request *r, struct inferring *f)
{
    const struct profile *p = f->requested.key.body->graph;

    if (body_cache_find(r->calls->cache, &f->requested.key) || !charge_graph(r, p))
        return false;
    inferring_begin(f, graph_new(p, r, &f->requested));
    return true;
}

/* Completes a graph; bodies go into the cache. */
static void finish(struct shape_request *r, struct inferring *f)
{
    struct shape_graph *g = f->graph;

    for (node_id i = 0; g->p->run_output_begin && i < g->p->n_nodes; i++)
        shape_graph_apply_run(g, i);
    if (g->caller)
        g->number = body_cache_add(r->calls->cache, &f->requested.key, g);
}

static void drop_stack(struct shape_calls *calls)
{
    while (calls->stack.n > 0) {
        struct inferring *f = calls->stack.data[--calls->stack.n];

        if (f->graph && f->graph->caller)
            shape_graph_free(f->graph);
        inferring_free(f);
    }
    calls->requested.n = 0;
    calls->open_in = NULL;
    calls->n_open.n = 0;
}

/* Infers everything on the stack; false when cancelled. */
static bool run_stack(struct shape_request *r)
{
    struct shape_calls *calls = r->calls;

    while (calls->stack.n > 0) {
        struct inferring *f = calls->stack.data[calls->stack.n - 1];
        const bool is_open = f->graph || begin_body(r, f);

        if (is_open && !continue_inference(f)) {
            push_requested(calls);
            continue;
        }
        if (cancel_asked(r->budget.cancel)) {
            drop_stack(calls);
            return false;
        }
        if (is_open)
            finish(r, f);
        calls->stack.n--;
        inferring_free(f);
    }
    return true;
}

bool shape_graph_infer_requested(struct shape_request *r)
{
    if (r->calls->requested.n == 0)
        return false;
    push_requested(r->calls);
    return run_stack(r);
}

/* ---- all graphs */

static struct shape_calls *calls_new(void)
{
    struct shape_calls *calls = xcalloc(1, sizeof *calls);

    calls->cache = body_cache_new();
    return calls;
}

static void calls_free(struct shape_calls *calls)
{
    body_cache_free(calls->cache);
    EACH(vec_done, &calls->requested, &calls->stack, &calls->n_open);
    arena_done(&calls->scratch);
    free(calls);
}

struct shape_graph *shape_graph_new(const struct profile *p, struct shape_request *request)
{
    struct inferring *f = xcalloc(1, sizeof *f);
    struct shape_graph *g;

    request->calls = calls_new();
    g = graph_new(p, request, NULL);
    inferring_begin(f, g);
    vec_push(&request->calls->stack, f);
    if (run_stack(request))
        return g;
    shape_graph_free(g);
    return NULL;
}

void shape_graph_free(struct shape_graph *g)
{
    if (!g)
        return;
    if (!g->caller)
        calls_free(g->request->calls);
    EACH(free, g->out_begin, g->out_index, g->outs, g->n_outs, g->entries, g->visits, g->noted,
         g->constraints, g->of_shape);
    literals_free(g->literals);
    free(g);
}
