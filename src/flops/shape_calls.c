/* shape_calls.c: shapes through calls of functions, branches and loops: the
 * body is a graph of its own, inferred for the arguments of the call; shapes.md
 * section 6. */
#include "flops/shape_graph_priv.h"

#include <string.h>

#define DEPTH_MAX 50
#define BODY_NODES_MAX 4000000

static bool is_open(const struct shape_graph *g, const struct function_body *body)
{
    for (; g; g = g->caller)
        if (g->body == body)
            return true;
    return false;
}

struct shape_graph *shape_graph_enter(struct opctx *c, struct attr_bytes name, uint32_t first,
                                      bool values)
{
    const struct shape_graph *g = c->graph;
    struct shape_request *r = g->request;
    const struct function_body *body;
    struct tensor *arguments;
    uint32_t n = c->n_in > first ? c->n_in - first : 0;

    if (!r->functions.find || name.len == 0 || g->depth >= DEPTH_MAX)
        return NULL;
    body = r->functions.find(r->functions.context, name.bytes, name.len);
    if (!body || is_open(g, body))
        return NULL;
    r->body_nodes += body->graph->n_nodes;
    if (r->body_nodes > BODY_NODES_MAX)
        return NULL;
    arguments = ARENA_NEW(r->keep, struct tensor, n);
    for (uint32_t i = 0; i < n; i++) {
        arguments[i] = c->in[first + i];
        if (!values || (arguments[i].value && !arguments[i].value->folded))
            arguments[i].value = NULL;
    }
    return shape_graph_infer(body->graph, r, g, body, arguments, n);
}

static struct tensor result(const struct shape_graph *g, uint32_t i)
{
    if (i >= g->body->n_results)
        return (struct tensor){0};
    return shape_graph_tensor(g, g->body->results[i].node, g->body->results[i].output);
}

void shape_graph_call(struct opctx *c, struct attr_bytes name)
{
    struct shape_graph *body = shape_graph_enter(c, name, 0, true);

    if (!body)
        return;
    out_count(c, body->body->n_results);
    for (uint32_t i = 0; i < c->n_out; i++) {
        c->out[i] = result(body, i);
        if (!c->stronger_loops)
            c->out[i].value = NULL;
    }
    shape_graph_free(body);
}

size_t shape_graph_branch_names(struct opctx *c, struct attr_bytes *names)
{
    const struct attr_value *list = opctx_attr(c, "branches");
    size_t n = 0;

    if (list && list->kind == ATTR_LIST && list->item_kind == ATTR_FUNC) {
        for (; n < list->n_items && n < SHAPE_BRANCHES_MAX; n++)
            names[n] = list->v.list_s[n];
        return n;
    }
    names[0] = opctx_string(c, "then_branch", "");
    names[1] = opctx_string(c, "else_branch", "");
    return 2;
}

void shape_graph_branches(struct opctx *c)
{
    struct attr_bytes names[SHAPE_BRANCHES_MAX];
    size_t n = shape_graph_branch_names(c, names);
    struct tensor *common = ARENA_NEW(c->scratch, struct tensor, (size_t)c->n_out + 1);
    bool ok = true;

    for (size_t k = 0; k < n; k++) {
        struct shape_graph *body = shape_graph_enter(c, names[k], 1, true);

        if (!body)
            return;
        for (uint32_t i = 0; i < c->n_out; i++) {
            struct tensor t = result(body, i);

            common[i].shape = k == 0 ? t.shape : dims_weaken(c->keep, common[i].shape, t.shape);
            common[i].handle = t.handle;
        }
        shape_graph_free(body);
    }
    for (uint32_t i = 0; n > 0 && i < c->n_out; i++, ok = true) {
        const struct dims *s = dims_merge(c->keep, c->out[i].shape, common[i].shape, &ok);

        if (ok)
            out_set(c, i, s);
        out_handle(c, i, common[i].handle);
    }
}

/* One round of a loop: arguments in IN, which weaken where the body returns
 * something else.  False when nothing changed any more (or nothing is known). */
static bool loop_round(struct opctx *c, struct attr_bytes name)
{
    struct shape_graph *body = shape_graph_enter(c, name, 0, false);
    bool changed = false;

    if (!body)
        return false;
    for (uint32_t i = 0; i < c->n_in; i++) {
        struct tensor t = result(body, i);
        const struct dims *s = dims_weaken(c->keep, c->in[i].shape, t.shape);

        changed |= !dims_equal(s, c->in[i].shape);
        c->in[i].shape = s;
        if (t.handle && c->in[i].handle && t.handle->n > 0 && c->in[i].handle->n > 0 &&
            !dims_equal(t.handle->shapes[0], c->in[i].handle->shapes[0])) {
            /* what the body puts into a list tells the shape of all of it */
            changed |= c->in[i].handle->shapes[0] == NULL;
            c->in[i].handle = handle_new(c, t.handle->shapes[0], c->in[i].handle->length);
        }
    }
    shape_graph_free(body);
    return changed;
}

void shape_graph_settle_inputs(struct opctx *c)
{
    struct attr_bytes name = opctx_string(c, "body", "");

    for (uint32_t k = 0; k < VISITS_MAX && loop_round(c, name); k++) {
    }
}

void shape_graph_loop(struct opctx *c)
{
    bool ok = true;

    shape_graph_settle_inputs(c);
    for (uint32_t i = 0; i < c->n_out && i < c->n_in; i++, ok = true) {
        const struct dims *s = dims_merge(c->keep, c->out[i].shape, c->in[i].shape, &ok);

        if (ok)
            out_set(c, i, s);
        out_handle(c, i, c->in[i].handle);
    }
}

/* True when attribute NAME of C is function F. */
static bool names_function(struct opctx *c, const char *name, struct attr_bytes f)
{
    struct attr_bytes s = opctx_string(c, name, "");

    return f.len > 0 && s.len == f.len && memcmp(s.bytes, f.bytes, f.len) == 0;
}

struct shape_graph *shape_graph_enter_site(const struct shape_graph *g, node_id node,
                                           struct attr_bytes function, struct arena *scratch,
                                           bool *in_loop)
{
    struct opctx c;

    *in_loop = false;
    if (node == NODE_NONE) {
        c = (struct opctx){.graph = g, .keep = g->request->keep, .scratch = scratch};
        return shape_graph_enter(&c, function, 0, false);
    }
    shape_graph_load(g, node, scratch, &c);
    if (names_function(&c, "body", function) || names_function(&c, "cond", function)) {
        *in_loop = true;
        shape_graph_settle_inputs(&c);
        return shape_graph_enter(&c, function, 0, false);
    }
    if (opctx_attr(&c, "then_branch") || opctx_attr(&c, "branches")) {
        *in_loop = opctx_attr(&c, "then_branch") != NULL;
        return shape_graph_enter(&c, function, 1, true);
    }
    return shape_graph_enter(&c, function, 0, true);
}
