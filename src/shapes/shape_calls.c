/* shape_calls.c: shapes through calls of functions, branches and loops (shapes.md section 6).  A
 * body is a graph of its own, inferred for the arguments of the call. */
#include "shapes/shape_graph_priv.h"

#include <string.h>

#include "shapes/body_cache.h"
#include "shapes/shape_graph.h"

/* ---- which functions are being called */

static void count_open(struct shape_calls *calls, const struct shape_graph *g, uint32_t more)
{
    const uint32_t function = g->body->index;

    if (function >= calls->n_open.n)
        vec_resize_zero(&calls->n_open, (size_t)function + 1);
    calls->n_open.data[function] += more;
}

/* Sets n_open for G: leaves the callers of the previous graph up to the common one, and enters
 * those of G. */
static void enter_graph(struct shape_calls *calls, const struct shape_graph *g)
{
    const struct shape_graph *from = calls->open_in, *to = g;
    uint64_t n_steps = 0;

    while (from != to) {
        n_steps++;
        if (!from || (to && to->depth > from->depth)) {
            if (to->body)
                count_open(calls, to, 1);
            to = to->caller;
        } else {
            if (from->body)
                count_open(calls, from, UINT32_MAX); /* - 1 */
            from = from->caller;
        }
    }
    calls->open_in = g;
    budget_charge(&g->request->budget, 0, n_steps);
}

/* True when calling FUNCTION in G is a recursion. */
static bool is_open(const struct shape_graph *g, const struct function_body *function)
{
    struct shape_calls *calls = g->request->calls;

    enter_graph(calls, g);
    return function->index < calls->n_open.n && calls->n_open.data[function->index] > 0;
}

/* ---- bodies */

bool shape_graph_has_functions(const struct shape_graph *g)
{
    return g->request->functions.find != NULL;
}

const struct function_body *shape_graph_function(const struct shape_graph *g,
                                                 struct attr_bytes name)
{
    const struct function_source *f = &g->request->functions;

    return f->find && name.len > 0
               ? f->find(f->context, name.bytes, name.len, &g->request->budget)
               : NULL;
}

uint32_t shape_graph_number(const struct shape_graph *g)
{
    return g->number;
}

/* Requests the body of KEY for a call in G. */
static void request_body(const struct shape_graph *g, const struct body_key *key)
{
    struct shape_request *r = g->request;
    struct requested_body requested = {.caller = g, .key = *key};

    if (!budget_take(&r->budget, key->n_arguments * sizeof *key->arguments, key->n_arguments))
        return;
    requested.key.arguments =
        arena_copy(r->keep, key->arguments, key->n_arguments, sizeof *key->arguments);
    vec_push(&r->calls->requested, requested);
}

bool shape_graph_has_requests(const struct shape_graph *g)
{
    return g->request->calls->requested.n > 0;
}

void shape_graph_drop_requests(struct shape_request *r)
{
    r->calls->requested.n = 0;
}

struct shape_graph *shape_graph_enter_with(const struct opctx *c, struct attr_bytes name,
                                           const struct tensor *arguments, uint32_t n, bool not_inlined)
{
    const struct shape_graph *g = c->graph;
    struct body_key key = {.body = shape_graph_function(g, name), .arguments = arguments,
                           .n_arguments = n, .not_inlined = !g->request->stronger && (not_inlined || g->not_inlined)};
    struct shape_graph *body;

    if (!key.body || is_open(g, key.body))
        return NULL;
    body = body_cache_find(g->request->calls->cache, &key);
    if (!body && !g->request->budget.is_short)
        request_body(g, &key);
    return body;
}

struct shape_graph *shape_graph_enter(struct opctx *c, struct attr_bytes name, uint32_t first,
                                      bool values, bool not_inlined)
{
    const uint32_t n = c->n_in > first ? c->n_in - first : 0;
    struct tensor *arguments = ARENA_NEW(c->scratch, struct tensor, (size_t)n + 1);

    for (uint32_t i = 0; i < n; i++) {
        arguments[i] = c->in[first + i];
        if (!values || (arguments[i].value && !arguments[i].value->folded))
            arguments[i].value = NULL;
        if (!values)
            arguments[i].reals = NULL;
    }
    return shape_graph_enter_with(c, name, arguments, n, not_inlined);
}

static struct tensor result(const struct shape_graph *g, uint32_t i)
{
    if (i >= g->body->n_results)
        return (struct tensor){0};
    return shape_graph_tensor(g, g->body->results[i].node, g->body->results[i].output);
}

void shape_graph_call(struct opctx *c, struct attr_bytes name, uint32_t first)
{
    const struct shape_graph *body = shape_graph_enter(c, name, first, true, false);

    if (!body)
        return;
    out_count(c, body->body->n_results);
    for (uint32_t i = 0; i < c->n_out; i++) {
        c->out[i] = result(body, c->out_index[i]);
        if (!c->stronger_loops) {
            c->out[i].value = NULL;
            c->out[i].reals = NULL;
        }
    }
}

/* The functions of Case or If (then, else); returns their number. */
static size_t branch_names(struct opctx *c, const struct attr_bytes **names)
{
    const struct attr_value *list = opctx_attr(c, "branches");
    struct attr_bytes *both;

    if (list && list->kind == ATTR_LIST && list->item_kind == ATTR_FUNC) {
        *names = list->v.list_s;
        return list->n_items;
    }
    *names = both = ARENA_NEW(c->scratch, struct attr_bytes, 2);
    both[0] = opctx_string(c, "then_branch", "");
    both[1] = opctx_string(c, "else_branch", "");
    return 2;
}

void shape_graph_branches(struct opctx *c)
{
    const struct attr_bytes *names;
    const size_t n = branch_names(c, &names);
    struct tensor *common = ARENA_NEW(c->scratch, struct tensor, (size_t)c->n_out + 1);
    bool ok = true;

    memset(common, 0, c->n_out * sizeof *common);
    for (size_t k = 0; k < n; k++) {
        struct shape_graph *body = shape_graph_enter(c, names[k], 1, true, false);

        if (!body && !shape_graph_has_requests(c->graph))
            return;
        for (uint32_t i = 0; body && i < c->n_out; i++) {
            struct tensor t = result(body, c->out_index[i]);

            common[i].shape = k == 0 ? t.shape : dims_weaken(c->keep, common[i].shape, t.shape);
            common[i].handle = t.handle;
        }
    }
    if (shape_graph_has_requests(c->graph))
        return;
    for (uint32_t i = 0; n > 0 && i < c->n_out; i++, ok = true) {
        const struct dims *s = dims_merge(c->keep, c->out[i].shape, common[i].shape, &ok);

        if (ok)
            c->out[i].shape = s;
        c->out[i].handle = common[i].handle;
    }
}

/* One iteration of a loop: reduces the arguments in IN to their common part with the results of the
 * body.  False when nothing changed (or nothing is known). */
static bool weaken_arguments(struct opctx *c, struct attr_bytes name)
{
    struct shape_graph *body = shape_graph_enter(c, name, 0, false, false);
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
            /* an item that the body adds to a list has the shape of all items */
            changed |= c->in[i].handle->shapes[0] == NULL;
            c->in[i].handle = handle_new(c, t.handle->shapes[0], c->in[i].handle->length);
        }
    }
    return changed;
}

/* Makes loop variables unknown except the invariant ones, for a loop that does not converge. */
static void clear_changing(struct opctx *c, const struct function_body *body)
{
    for (uint32_t i = 0; i < c->n_in; i++) {
        if (body && loop_input_is_invariant(c, body, i))
            continue;
        c->in[i].shape = NULL;
        if (c->in[i].handle)
            c->in[i].handle = handle_new(c, NULL, c->in[i].handle->length);
    }
}

void shape_graph_weaken_inputs(struct opctx *c)
{
    struct attr_bytes name = opctx_string(c, "body", "");

    for (uint32_t k = 0; k < VISITS_MAX; k++)
        if (!weaken_arguments(c, name))
            return;
    clear_changing(c, shape_graph_function(c->graph, name));
}

void shape_graph_loop(struct opctx *c)
{
    bool ok = true;

    shape_graph_weaken_inputs(c);
    for (uint32_t k = 0; k < c->n_out && c->out_index[k] < c->n_in; k++, ok = true) {
        const struct tensor *in = &c->in[c->out_index[k]];
        const struct dims *s = dims_merge(c->keep, c->out[k].shape, in->shape, &ok);

        if (ok)
            c->out[k].shape = s;
        c->out[k].handle = in->handle;
    }
}
