/* graph.c: the graph view: each node is below a consumer of its output (semantics.md section 4.2).
 *
 * Depth-first walk, children in input order; a node belongs to the first consumer that reaches it.
 * The tree does not depend on the options: accounting contracts the rows that are not kept, so one
 * tree serves all queries.
 *
 * The body of a function is below the call, as if the results of the body were inputs of the call:
 * the body nodes without consumers, in name order (a file may list functions and nodes in any
 * order). */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "view/build/builders.h"

enum { CANCEL_EVERY = 4096 };

/* Traversal state of a node whose inputs are being visited. */
struct frame_state {
    node_id node;
    uint32_t input; /* next input, index in profile->inputs */
    uint32_t last;  /* after the inputs: next result node, index in walk.results */
};

struct walk {
    const struct profile *profile;
    struct tree *tree;
    VEC(struct frame_state) stack;
    /* [n_nodes + 1] node of each row from row 1 on: the members of the tree */
    node_id *node_of_row;
    uint8_t *named;       /* [n_nodes] result of mark_sources() */
    /* CSR by call, NULL if there are no calls: body nodes without consumers, by name */
    uint32_t *result_begin;
    node_id *results;
};

static void enter(struct walk *w, node_id node, row_id parent)
{
    struct tree *t = w->tree;
    row_id row = t->n_rows++;
    struct frame_state frame = {node, w->profile->input_begin[node],
                                w->result_begin ? w->result_begin[node] : 0};

    t->parent[row] = parent;
    t->depth[row] = t->depth[parent] + 1;
    t->name[row] = w->profile->name[node];
    t->row_of_node[node] = row;
    w->node_of_row[row] = node;
    vec_push(&w->stack, frame);
}

/* The next result node of the function bodies that AT calls; NODE_NONE: no more. */
static node_id next_call_result(const struct walk *w, struct frame_state *at)
{
    return w->result_begin && at->last < w->result_begin[at->node + 1] ? w->results[at->last++]
                                                                   : NODE_NONE;
}

static void walk_from(struct walk *w, node_id top)
{
    const struct profile *p = w->profile;
    struct tree *t = w->tree;

    enter(w, top, 0);
    while (w->stack.n) {
        struct frame_state *at = &w->stack.data[w->stack.n - 1];
        const bool is_input = at->input < p->input_begin[at->node + 1];
        const node_id source = is_input ? p->inputs[at->input++].source : next_call_result(w, at);

        if (!is_input && source == NODE_NONE) {
            t->end[t->row_of_node[at->node]] = t->n_rows;
            w->stack.n--;
            continue;
        }
        if (source != NODE_NONE && t->row_of_node[source] == ROW_NONE)
            enter(w, source, t->row_of_node[at->node]);
    }
}

/* 1 for each node that some node, possibly itself, lists as an input. */
static uint8_t *mark_sources(const struct profile *p)
{
    uint8_t *named = xcalloc(p->n_nodes, 1);

    for (uint32_t i = 0; i < p->input_begin[p->n_nodes]; i++)
        if (p->inputs[i].source != NODE_NONE)
            named[p->inputs[i].source] = 1;
    return named;
}

/* The call whose function NODE is a result of, or NODE_NONE. */
static node_id call_of_result(const struct walk *w, node_id node)
{
    const struct call_site *site = w->named[node] ? NULL : profile_call_site_of(w->profile, node);

    return site ? site->call : NODE_NONE;
}

static void list_call_results(struct walk *w)
{
    const struct profile *p = w->profile;
    const uint32_t n = p->n_nodes;

    if (!p->n_call_sites)
        return;
    w->result_begin = xcalloc((size_t)n + 2, sizeof *w->result_begin);
    w->results = xcalloc((size_t)n + 1, sizeof *w->results);
    for (node_id i = 0; i < n; i++)
        if (call_of_result(w, i) != NODE_NONE)
            w->result_begin[call_of_result(w, i) + 2]++;
    for (uint32_t i = 2; i <= n; i++)
        w->result_begin[i + 1] += w->result_begin[i];
    for (uint32_t i = 0; i < n; i++) {
        const node_id call = call_of_result(w, p->by_name[i]);

        if (call != NODE_NONE)
            w->results[w->result_begin[call + 1]++] = p->by_name[i];
    }
}

/* True for a node without consumers that is not a result of a called function. */
static bool is_top(const struct walk *w, node_id node)
{
    return !w->named[node] && call_of_result(w, node) == NODE_NONE;
}

static void make_columns(struct tree *t, uint32_t max_rows)
{
    t->parent = ARENA_NEW(&t->arena, row_id, max_rows);
    t->end = ARENA_NEW(&t->arena, row_id, max_rows);
    t->depth = ARENA_NEW(&t->arena, uint32_t, max_rows);
    t->name = ARENA_NEW(&t->arena, strid, max_rows);
    t->own = ARENA_NEW(&t->arena, struct text, 1);
    t->own[0] = (struct text){ROOT_NAME, sizeof ROOT_NAME - 1};
    t->n_own = 1;
    t->row_of_node = ARENA_NEW(&t->arena, row_id, max_rows);
    memset(t->row_of_node, 0xff, max_rows * sizeof *t->row_of_node);
    t->parent[0] = ROW_NONE;
    t->depth[0] = 0;
    t->name[0] = t->n_base;
    t->n_rows = 1;
}

/* Each row except the root has one node. */
static void finish(struct walk *w)
{
    struct tree *t = w->tree;
    const struct profile *p = w->profile;

    t->end[0] = t->n_rows;
    t->rank = ARENA_NEW(&t->arena, uint32_t, t->n_rows);
    t->rank[0] = 0;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (t->row_of_node[p->by_name[i]] != ROW_NONE)
            t->rank[t->row_of_node[p->by_name[i]]] = i;
    t->member_begin = ARENA_NEW(&t->arena, uint32_t, (size_t)t->n_rows + 1);
    t->members = w->node_of_row + 1;
    t->member_begin[0] = 0;
    for (row_id row = 1; row <= t->n_rows; row++)
        t->member_begin[row] = row - 1;
    tree_mark_names(t);
}

struct tree *graph_build(const struct tree_request *request, struct err *err)
{
    const struct profile *p = request->profile;
    struct walk w = {.profile = p, .tree = tree_new(p), .named = mark_sources(p)};
    bool cancelled = false;

    list_call_results(&w);
    make_columns(w.tree, p->n_nodes + 1);
    w.node_of_row = ARENA_NEW(&w.tree->arena, node_id, (size_t)p->n_nodes + 1);
    for (uint32_t i = 0; i < p->n_nodes && !cancelled; i++) {
        node_id node = p->by_name[i];

        if (is_top(&w, node))
            walk_from(&w, node);
        cancelled = i % CANCEL_EVERY == 0 && cancel_asked(request->cancel);
    }
    if (!cancelled)
        finish(&w);
    EACH(free, w.named, w.result_begin, w.results);
    vec_done(&w.stack);
    if (!cancelled)
        return w.tree;
    tree_unref(w.tree);
    err_set(err, ERR_CANCELLED, "cancelled");
    return NULL;
}
