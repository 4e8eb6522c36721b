/* bodies.c: counts of function bodies, call by call.
 *
 * A body stands in the graph once for each call, its nodes in the order of the
 * function.  The same function gets other shapes from every call, so it is
 * inferred anew, and what is found is put where its nodes stand. */
#include "flops/bodies.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "flops/count_calls.h"

/* A body under way; kept to the end, because bodies called by it look back. */
struct open_body {
    struct shape_graph *graph;
    const struct call_site *site;
    bool silent; /* nothing in here counts */
};

struct bodies {
    struct shape_graph *main;
    const struct profile *p;
    bool full, loops, macs;
    int64_t *count;
    uint8_t *state;
    uint32_t *first_site; /* [n_nodes] first call site of a node + 1 */
    uint32_t *next_site;  /* [n_call_sites] the next one of the same node + 1 */
    VEC(struct open_body) open;
    struct arena scratch;
};

static struct attr_bytes function_of(const struct bodies *b, const struct call_site *site)
{
    return (struct attr_bytes){profile_text(b->p, site->function),
                               intern_len(&b->p->strings, site->function)};
}

static void list_sites(struct bodies *b)
{
    const struct profile *p = b->p;

    b->first_site = xcalloc((size_t)p->n_nodes + 1, sizeof *b->first_site);
    b->next_site = xcalloc((size_t)p->n_call_sites + 1, sizeof *b->next_site);
    for (uint32_t i = p->n_call_sites; i-- > 0;)
        if (p->call_sites[i].call < p->n_nodes) {
            b->next_site[i] = b->first_site[p->call_sites[i].call];
            b->first_site[p->call_sites[i].call] = i + 1;
        }
}

/* Opens the body at SITE, called by node CALL of OUTER. */
static void open_site(struct bodies *b, const struct shape_graph *outer, node_id call,
                      const struct call_site *site, bool silent)
{
    bool in_loop;
    struct shape_graph *g =
        shape_graph_enter_site(outer, call, function_of(b, site), &b->scratch, &in_loop);
    const struct function_body *body = g ? shape_graph_body(g) : NULL;

    /* What is not inferred is not counted, and says so. */
    for (uint32_t i = 0; i < site->n_nodes; i++)
        b->state[site->first + i] = FLOPS_NO_RULE;
    if (!body || body->graph->n_nodes - body->n_args != site->n_nodes) {
        shape_graph_free(g);
        return;
    }
    silent |= (in_loop && !b->loops) || (body->no_inline && !b->full);
    vec_push(&b->open, ((struct open_body){g, site, silent}));
}

/* All bodies that NODE of G calls; WHERE it stands in the profile. */
static void open_calls(struct bodies *b, const struct shape_graph *g, node_id node, node_id where,
                       bool silent)
{
    size_t before = b->open.n;

    for (uint32_t i = b->first_site[where]; i > 0; i = b->next_site[i - 1])
        open_site(b, g, node, &b->p->call_sites[i - 1], silent);
    if (b->open.n > before && !silent) {
        b->count[where] = 0;
        b->state[where] = FLOPS_NO_COMPUTE;
    }
}

/* The nodes that the results of G need; with FULL also what is done for its
 * effect, which has no outputs. */
static uint8_t *needed_nodes(const struct bodies *b, const struct shape_graph *g)
{
    const struct function_body *body = shape_graph_body(g);
    const struct profile *p = body->graph;
    uint8_t *needed = xcalloc((size_t)p->n_nodes + 1, 1);
    VEC(node_id) stack = {0};

    for (uint32_t i = 0; i < body->n_results; i++)
        if (body->results[i].node < p->n_nodes)
            vec_push(&stack, body->results[i].node);
    for (node_id i = 0; b->full && i < p->n_nodes; i++)
        if (shape_graph_n_outputs(g, i) == 0)
            vec_push(&stack, i);
    while (stack.n > 0) {
        node_id node = stack.data[--stack.n];

        if (needed[node])
            continue;
        needed[node] = 1;
        for (uint32_t k = p->input_begin[node]; k < p->input_begin[node + 1]; k++)
            if (p->inputs[k].own_index != INPUT_CONTROL && p->inputs[k].source != NODE_NONE)
                vec_push(&stack, p->inputs[k].source);
    }
    vec_done(&stack);
    return needed;
}

static void count_body(struct bodies *b, const struct open_body *o)
{
    const struct function_body *body = shape_graph_body(o->graph);
    /* A function that stands for itself counts whole. */
    uint8_t *needed = o->site->call == NODE_NONE ? NULL : needed_nodes(b, o->graph);

    for (node_id i = body->n_args; i < body->graph->n_nodes; i++) {
        node_id where = o->site->first + (i - body->n_args);
        struct tally t;

        shape_graph_put(b->main, where, o->graph, i);
        if (needed && !needed[i]) {
            b->state[where] = FLOPS_NO_COMPUTE;
        } else {
            tally_init(&t, b->macs, NULL);
            count_node(o->graph, i, b->full, &b->scratch, &t);
            b->state[where] = (uint8_t)t.state;
            if (!o->silent)
                b->count[where] = tally_finish(&t);
            else if (t.state != FLOPS_NO_COMPUTE)
                b->state[where] = FLOPS_NO_RULE;
        }
        if (!needed || needed[i])
            open_calls(b, o->graph, i, where, o->silent);
    }
    free(needed);
}

/* Nothing counts that no call opens: what stands below a call that nothing
 * needs stays so. */
static void leave_out(struct bodies *b)
{
    for (uint32_t i = 0; i < b->p->n_call_sites; i++)
        for (uint32_t k = 0; k < b->p->call_sites[i].n_nodes; k++) {
            b->count[b->p->call_sites[i].first + k] = 0;
            b->state[b->p->call_sites[i].first + k] = FLOPS_NO_COMPUTE;
        }
}

bool bodies_count(struct shape_graph *g, bool full, bool loops, bool macs, int64_t *count,
                  uint8_t *state, struct cancel_mark cancel)
{
    const struct profile *p = shape_graph_profile(g);
    struct bodies b = {.main = g, .p = p, .full = full, .loops = loops, .macs = macs,
                       .count = count, .state = state};
    bool done = true;

    if (p->n_call_sites == 0)
        return true;
    list_sites(&b);
    leave_out(&b);
    for (uint32_t i = 0; i < p->n_call_sites; i++) {
        const struct call_site *site = &p->call_sites[i];

        if (site->call == NODE_NONE)
            open_site(&b, g, NODE_NONE, site, false);
        else if (!profile_call_site_of(p, site->call) && b.first_site[site->call] == i + 1)
            open_calls(&b, g, site->call, site->call, false);
    }
    for (size_t at = 0; done && at < b.open.n; at++) {
        struct open_body o = b.open.data[at];

        count_body(&b, &o);
        done = !cancel_asked(cancel);
    }
    for (size_t i = 0; i < b.open.n; i++)
        shape_graph_free(b.open.data[i].graph);
    vec_done(&b.open);
    arena_done(&b.scratch);
    free(b.first_site);
    free(b.next_site);
    return done;
}
