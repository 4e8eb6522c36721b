/* shape_fixpoint.c: the fixed point of stronger inference: repeats loops and applies hints (shapes.md
 * sections 6.1 and 7). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "shapes/shape_graph.h"
#include "shapes/shape_graph_priv.h"
#include "shapes/shape_hints.h"

/* Hints and shapes depend on each other; more than two rounds are rare. */
#define ROUNDS_MAX 4

struct fixpoint {
    struct shape_graph *g;
    const struct graph_order *order;
    struct arena *scratch;
    node_id *queue; /* [n_nodes] a ring buffer without duplicates */
    uint32_t first, n_queued;
    uint8_t *queued;
    uint32_t round;
    VEC(struct tensor) before;
};

static bool is_merge(const struct shape_graph *g, node_id node)
{
    const char *op = profile_text(g->p, g->p->op[node]);

    return strcmp(op, "Merge") == 0 || strcmp(op, "RefMerge") == 0;
}

static void requeue(struct fixpoint *s, node_id node)
{
    const uint32_t n_nodes = s->g->p->n_nodes;
    const uint64_t at = (uint64_t)s->first + s->n_queued;

    if (s->queued[node] || s->g->visits[node] == 0)
        return;
    s->queued[node] = 1;
    s->queue[at < n_nodes ? at : at - n_nodes] = node;
    s->n_queued++;
}

static void queue_consumers(struct fixpoint *s, node_id node)
{
    const struct graph_order *o = s->order;

    for (uint32_t k = o->consumer_begin[node]; k < o->consumer_begin[node + 1]; k++)
        requeue(s, o->consumers[k]);
}

/* Visits queued nodes, and the consumers of changed outputs, until the queue is empty.  False when
 * the current node needs bodies. */
static bool run_queue(struct fixpoint *s)
{
    struct shape_graph *g = s->g;

    while (s->n_queued > 0 && !cancel_asked(g->request->budget.cancel)) {
        node_id node = s->queue[s->first];
        uint32_t begin = g->out_begin[node], n = g->out_begin[node + 1] - begin;

        vec_reserve(&s->before, n);
        memcpy(s->before.data, g->outs + begin, n * sizeof *s->before.data);
        if (!shape_graph_step(g, node, s->scratch)) {
            memcpy(g->outs + begin, s->before.data, n * sizeof *s->before.data);
            return false;
        }
        s->queued[node] = 0;
        s->first = s->first + 1 < g->p->n_nodes ? s->first + 1 : 0;
        s->n_queued--;
        if (g->visits[node] > VISITS_MAX && is_merge(g, node))
            g->outs[begin] = (struct tensor){.shape = shape_graph_recorded(g, node, 0)};
        if (!tensors_equal(s->before.data, g->outs + begin, n) &&
            g->visits[node] <= 3 * VISITS_MAX)
            queue_consumers(s, node);
    }
    return true;
}

/* Queues the Merge nodes, which at first knew only the initial values of their loops. */
static void queue_merges(struct fixpoint *s)
{
    for (node_id i = 0; i < s->g->p->n_nodes; i++)
        if (is_merge(s->g, i))
            requeue(s, i);
}

/* True when S adds to KNOWN; *MERGED is the combination of both. */
static bool is_more_specific(struct arena *keep, const struct dims *known, const struct dims *s,
                             const struct dims **merged)
{
    bool ok = true;

    *merged = s ? dims_merge(keep, known, s, &ok) : NULL;
    return s && ok && !dims_equal(*merged, known);
}

/* Information that a hint adds to an output. */
struct news {
    struct tensor *t;
    const struct dims *shape, *element;
    bool has_shape, has_element;
};

/* False when H adds nothing. */
static bool hint_additions(const struct fixpoint *s, const struct shape_hint *h, struct news *n)
{
    const struct shape_graph *g = s->g;
    struct arena *keep = g->request->keep;

    *n = (struct news){.t = shape_graph_tracked(g, h->node, h->output)};
    if (!n->t || g->visits[h->node] == 0)
        return false;
    n->has_shape = is_more_specific(keep, n->t->shape, h->shape, &n->shape);
    n->has_element = n->t->handle && n->t->handle->n == 1 &&
                     is_more_specific(keep, n->t->handle->shapes[0], h->element, &n->element);
    return n->has_shape || n->has_element;
}

/* Applies H, if it adds something. */
static void apply_hint(struct fixpoint *s, const struct shape_hint *h)
{
    struct shape_graph *g = s->g;
    struct constraint *known;
    struct news n;

    if (!hint_additions(s, h, &n))
        return;
    if (!g->constraints)
        g->constraints = xcalloc((size_t)g->out_begin[g->p->n_nodes] + 1, sizeof *g->constraints);
    known = &g->constraints[n.t - g->outs];
    if (n.has_shape) {
        known->shape = n.t->shape = n.shape;
        tensor_make_consistent(n.t);
    }
    if (n.has_element) {
        known->element = n.element;
        n.t->handle =
            handle_new(&(struct opctx){.keep = g->request->keep}, n.element, n.t->handle->length);
    }
    requeue(s, h->node);
    queue_consumers(s, h->node);
}

/* Hints for nodes that are not visited yet. */
struct pending {
    struct shape_hint hint;
    uint32_t next; /* next hint of the same node, + 1 */
};

struct pending_hints {
    VEC(struct pending) list;
    uint32_t *first; /* [n_nodes] first hint + 1 */
    VEC(struct shape_hint) of_node;
};

/* Stores H until its node is visited, if it adds something; most hints do not. */
static void defer_hint(const struct fixpoint *s, struct pending_hints *p,
                       const struct shape_hint *h)
{
    struct news n;

    if (!hint_additions(s, h, &n))
        return;
    vec_push(&p->list, ((struct pending){*h, p->first[h->node]}));
    p->first[h->node] = (uint32_t)p->list.n;
}

COMPARE_BY(by_output, struct shape_hint, output)

/* Merges all hints from *AT on about one output; contradicting hints are all dropped, so that their
 * order makes no difference. */
static struct shape_hint merge_hints(const struct pending_hints *p, size_t *at, struct arena *keep)
{
    const struct shape_hint *of = &p->of_node.data[*at];
    struct shape_hint all = {.node = of->node, .output = of->output};
    bool shape_ok = true, element_ok = true;

    for (; *at < p->of_node.n && p->of_node.data[*at].output == all.output; ++*at) {
        all.shape = dims_merge(keep, all.shape, p->of_node.data[*at].shape, &shape_ok);
        all.element = dims_merge(keep, all.element, p->of_node.data[*at].element, &element_ok);
    }
    all.shape = shape_ok ? all.shape : NULL;
    all.element = element_ok ? all.element : NULL;
    return all;
}

static void merge_pending(struct fixpoint *s, struct pending_hints *p, node_id node)
{
    p->of_node.n = 0;
    for (uint32_t k = p->first[node]; k; k = p->list.data[k - 1].next)
        vec_push(&p->of_node, p->list.data[k - 1].hint);
    p->first[node] = 0;
    vec_sort(&p->of_node, by_output);
    for (size_t at = 0; at < p->of_node.n;) {
        const struct shape_hint all = merge_hints(p, &at, s->g->request->keep);

        apply_hint(s, &all);
    }
}

/* Applies the hints of all nodes, consumers before producers, so that a producer has the hints of
 * all its consumers. */
static void apply_hints(struct fixpoint *s)
{
    const uint32_t n_nodes = s->g->p->n_nodes;
    struct pending_hints pending = {.first = xcalloc((size_t)n_nodes + 1, sizeof(uint32_t))};
    struct shape_hints hints;
    struct opctx c;

    shape_hints_init(&hints);
    for (uint32_t i = s->order->n; i-- > 0 && !cancel_asked(s->g->request->budget.cancel);) {
        const node_id node = s->order->nodes[i];
        const struct op_rule *rule = s->g->entries[node]->hint;

        if (pending.first[node]) /* most nodes have none */
            merge_pending(s, &pending, node);
        if (!rule)
            continue;
        shape_graph_load(s->g, node, s->scratch, &c);
        c.arg = rule->arg;
        c.hints = &hints;
        rule->apply(&c);
        for (size_t k = 0; k < hints.list.n; k++)
            defer_hint(s, &pending, &hints.list.data[k]);
        hints.list.n = 0;
    }
    shape_hints_deliver(&hints, &s->g->request->budget, s->g->request->keep);
    for (size_t k = 0; k < hints.list.n; k++)
        defer_hint(s, &pending, &hints.list.data[k]);
    for (node_id i = 0; pending.list.n > 0 && i < n_nodes; i++)
        if (pending.first[i])
            merge_pending(s, &pending, i);
    shape_hints_done(&hints);
    EACH(vec_done, &pending.list, &pending.of_node);
    free(pending.first);
}

/* True while a shape is not fully known. */
static bool is_open(const struct shape_graph *g)
{
    for (node_id i = 0; i < g->p->n_nodes; i++)
        for (uint32_t k = g->out_begin[i]; g->visits[i] > 0 && k < g->out_begin[i + 1]; k++)
            if (!dims_full(g->outs[k].shape) ||
                (g->outs[k].handle && g->outs[k].handle->n == 1 &&
                 !dims_full(g->outs[k].handle->shapes[0])))
                return true;
    return false;
}

struct fixpoint *fixpoint_new(struct shape_graph *g, const struct graph_order *order,
                              struct arena *scratch)
{
    struct fixpoint *s = xcalloc(1, sizeof *s);

    s->g = g;
    s->order = order;
    s->scratch = scratch;
    s->queue = xcalloc((size_t)g->p->n_nodes + 1, sizeof *s->queue);
    s->queued = xcalloc((size_t)g->p->n_nodes + 1, 1);
    if (order->has_cycles)
        queue_merges(s);
    return s;
}

bool fixpoint_run(struct fixpoint *s)
{
    while (run_queue(s)) {
        if (s->round++ == ROUNDS_MAX || !is_open(s->g))
            return true;
        apply_hints(s);
        if (s->n_queued == 0)
            return true;
    }
    return false;
}

void fixpoint_free(struct fixpoint *s)
{
    if (!s)
        return;
    vec_done(&s->before);
    EACH(free, s->queue, s->queued, s);
}
