/* shape_graph.c: infers one node of a graph: applies its rule and merges all evidence. */
#include "shapes/shape_graph.h"

#include <inttypes.h>
#include <string.h>

#include "shapes/shape_graph_priv.h"
#include "shapes/shape_rules.h"

const struct profile *shape_graph_profile(const struct shape_graph *g)
{
    return g->p;
}

int32_t shape_graph_producer(const struct shape_graph *g)
{
    return g->producer;
}

struct shape_request *shape_graph_request(const struct shape_graph *g)
{
    return g->request;
}

void shape_graph_note_step(const struct opctx *c, struct attr_bytes step)
{
    struct shape_request *r = c->graph->request;

    if (!r->unknown_step)
        note_add(r->notes, "node '%s': '%.*s' of a fused operation counts 0",
                 profile_text(c->profile, c->profile->name[c->node]), (int)step.len, step.bytes);
    r->unknown_step = true;
}

const struct op_entry *shape_graph_entry(const struct shape_graph *g, node_id node)
{
    return g->entries[node];
}

struct tensor shape_graph_tensor(const struct shape_graph *g, node_id node, int32_t index)
{
    const struct tensor *t = shape_graph_tracked(g, node, index);

    return t ? *t : (struct tensor){0};
}

void shape_graph_put(struct shape_graph *g, node_id node, const struct shape_graph *from,
                     node_id from_node)
{
    for (uint32_t k = g->out_begin[node]; k < g->out_begin[node + 1]; k++)
        g->outs[k] = shape_graph_tensor(from, from_node, (int32_t)g->out_index[k]);
    g->n_outs[node] = from->n_outs[from_node];
}

uint32_t shape_graph_n_outputs(const struct shape_graph *g, node_id node)
{
    return g->n_outs[node];
}

const struct function_body *shape_graph_body(const struct shape_graph *g)
{
    return g->body;
}

/* ---- recorded shapes */

static const struct dims *dims_of(const struct shape_graph *g, shape_id id)
{
    const struct shape *s = &g->p->shapes[id];

    if (id == SHAPE_UNKNOWN)
        return NULL;
    if (id == SHAPE_SCALAR)
        return &dims_scalar;
    if (!g->of_shape[id])
        g->of_shape[id] = dims_new(g->request->keep, s->n_dims, s->dims);
    return g->of_shape[id];
}

const struct dims *shape_graph_recorded(const struct shape_graph *g, node_id node, uint32_t index)
{
    if (g->not_inlined && node >= g->body->n_args)
        return NULL;
    return dims_of(g, profile_output_shape(g->p, node, (int32_t)index));
}

/* ---- one node */

struct tensor shape_graph_free_tensor(const struct shape_graph *g, uint32_t i)
{
    struct shape_request *r = g->request;
    const struct free_tensor *t =
        g->p->n_free_tensors ? profile_free_tensor(g->p, profile_input_name(g->p, i)) : NULL;
    const struct dims *s = t ? dims_of(g, t->shape) : NULL;

    for (uint32_t k = 0; s && r->batch > 0 && k < s->rank && k < 64; k++)
        if (s->d[k] < 0 && bit_at(t->batch_dims, k)) {
            s = dims_replace(r->keep, s, k, r->batch);
            r->n_batches++;
        }
    return (struct tensor){.shape = s};
}

void shape_graph_load(const struct shape_graph *g, node_id node, struct arena *scratch,
                      struct opctx *c)
{
    const struct profile *p = g->p;
    uint32_t begin = p->input_begin[node], n = p->input_begin[node + 1] - begin;

    arena_reset(scratch);
    *c = (struct opctx){
        .keep = g->request->keep, .scratch = scratch, .profile = p, .source = g->request->attrs,
        .graph = g, .stronger = g->request->stronger, .node = node,
        .transcendental = g->request->transcendental, .division = g->request->division,
        .stronger_loops = g->request->stronger || g->caller,
        .out = g->outs + g->out_begin[node],
        .out_index = g->out_index + g->out_begin[node],
        .n_out = g->out_begin[node + 1] - g->out_begin[node],
    };
    if (!n)
        return;
    c->in = ARENA_NEW(scratch, struct tensor, n);
    c->in_edge = ARENA_NEW(scratch, const struct node_input *, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct node_input *in = &p->inputs[begin + i];

        if (in->own_index == INPUT_CONTROL)
            continue;
        c->in[c->n_in] = in->source == NODE_NONE
                             ? shape_graph_free_tensor(g, begin + i)
                             : shape_graph_tensor(g, in->source, in->own_index);
        c->in_edge[c->n_in++] = in;
    }
}

bool shape_graph_known(const struct opctx *c, uint32_t i)
{
    node_id source = c->in_edge[i]->source;

    return source != NODE_NONE && c->graph->visits[source] > 0;
}

static int compare_contradictions(const struct contradiction *a, const struct contradiction *b)
{
    int order = strcmp(a->node, b->node);

    if (order == 0)
        order = strcmp(a->op, b->op);
    return order ? order : strcmp(a->what, b->what);
}

/* Counts a contradiction, once for each node.  The order of visits depends on the file, so the
 * named ones are the smallest. */
static void note_contradiction(struct shape_graph *g, node_id node, const char *what)
{
    struct shape_request *r = g->request;
    const struct profile *p = g->p;
    const struct contradiction c = {profile_text(p, p->name[node]), profile_text(p, p->op[node]),
                                    what};
    uint32_t at = r->n_contradictions;

    if (g->noted[node])
        return;
    g->noted[node] = 1;
    r->n_contradictions++;
    at = at < CONTRADICTIONS_NAMED ? at : CONTRADICTIONS_NAMED;
    for (; at > 0 && compare_contradictions(&c, &r->named[at - 1]) < 0; at--)
        if (at < CONTRADICTIONS_NAMED)
            r->named[at] = r->named[at - 1];
    if (at < CONTRADICTIONS_NAMED)
        r->named[at] = c;
}

void shape_graph_note_contradictions(const struct shape_request *r, struct notes *notes)
{
    for (uint32_t i = 0; i < r->n_contradictions && i < CONTRADICTIONS_NAMED; i++)
        note_add(notes, "node '%s' (%s): %s", r->named[i].node, r->named[i].op, r->named[i].what);
    if (r->n_contradictions > CONTRADICTIONS_NAMED)
        note_add(notes, "%" PRIu32 " nodes have shapes that contradict each other",
                 r->n_contradictions);
    if (r->n_unchecked)
        note_add(notes,
                 "the recorded shapes of %" PRIu32 " nodes are shown unchecked: the graph has more than %d",
                 r->n_unchecked, SHAPES_CHECKED_MAX);
}

static const struct dims *argument_shape(const struct shape_graph *g, node_id node)
{
    return g->body && node < g->body->n_args && node < g->n_arguments ? g->arguments[node].shape
                                                                      : NULL;
}

/* Sets the output of a node that is an argument to what the caller passes. */
static void set_argument(const struct shape_graph *g, struct opctx *c)
{
    const struct tensor *a;

    if (!g->body || c->node >= g->body->n_args || c->node >= g->n_arguments || c->n_out == 0)
        return;
    a = &g->arguments[c->node];
    if (a->handle)
        c->out[0].handle = a->handle;
    c->out[0].value = a->value;
    c->out[0].reals = a->reals;
}

static bool is_input_op(const struct shape_graph *g, node_id node)
{
    static const char *const ops[] = {
        "Placeholder", "PlaceholderV2", "PlaceholderWithDefault", "_Arg", "IteratorGetNext",
        "IteratorGetNextSync", "QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpToV2",
    };
    const char *op = profile_text(g->p, g->p->op[node]);

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(op, ops[i]) == 0)
            return true;
    return false;
}

/* Applies -bind and -batch, which have priority over all other evidence. */
static void bind(const struct shape_graph *g, struct opctx *c)
{
    struct shape_request *r = g->request;

    /* A body has the shapes of its call; a function listed as a row of its own has none. */
    if (g->caller && g->n_arguments > 0)
        return;
    for (size_t i = 0; !g->caller && i < r->n_bindings && c->n_out > 0; i++)
        if (r->bindings[i].node == c->node)
            c->out[0].shape = r->bindings[i].shape;
    if (r->batch <= 0 || !is_input_op(g, c->node))
        return;
    for (uint32_t i = 0; i < c->n_out; i++) {
        const struct dims *s = c->out[i].shape;

        if (s && s->rank > 0 && s->d[0] < 0) {
            c->out[i].shape = dims_replace(c->keep, s, 0, r->batch);
            r->n_batches++;
        }
    }
}

/* Merges recorded shapes, which have priority, with the result of the rule. */
static void merge_evidence(struct shape_graph *g, struct opctx *c)
{
    bool contradiction = false;

    for (uint32_t i = 0; i < c->n_out; i++) {
        const struct dims *known = shape_graph_recorded(g, c->node, c->out_index[i]);
        const struct dims *given = NULL;
        bool ok = true;

        if (i == 0)
            given = argument_shape(g, c->node);
        if (given) {
            c->out[i].shape = dims_merge(c->keep, given, known, &ok);
            if (!ok)
                c->out[i].shape = given;
            continue;
        }
        /* A stored profile has scalars as [1]. */
        if (known && c->out[i].shape && c->out[i].shape->rank == 0 && known->rank == 1 &&
            known->d[0] == 1 && g->p->def[c->node].form == NODE_FORM_PROFILENODE)
            continue;
        c->out[i].shape = dims_merge(c->keep, known, c->out[i].shape, &ok);
        if (!ok) {
            c->out[i].shape = known;
            contradiction = true;
        }
    }
    if (contradiction)
        note_contradiction(g, c->node,
                           "its recorded shape contradicts the inferred one and is kept");
}

static bool ends_in_dataset(const struct shape_graph *g, node_id node)
{
    const char *op = profile_text(g->p, g->p->op[node]), *at = strstr(op, "Dataset");

    return at && (at[7] == '\0' || (at[7] == 'V' && at[8] >= '1' && at[8] <= '9' && !at[9]));
}

/* The number of outputs of an op without a rule, from its attributes. */
static int64_t unlisted_outputs(struct opctx *c)
{
    static const char *const lists[] = {"Tout", "output_types", "dtypes", "output_shapes",
                                        "shapes"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (opctx_n_items(c, lists[i]) > 0)
            return (int64_t)opctx_n_items(c, lists[i]);
    return 1;
}

/* An op type without a rule: a function, a dataset, or unknown. */
static void apply_without_rule(const struct shape_graph *g, struct opctx *c)
{
    struct attr_bytes name = {profile_text(g->p, g->p->op[c->node]),
                              intern_len(&g->p->strings, g->p->op[c->node])};

    if (shape_graph_function(g, name)) {
        shape_graph_call(c, name, 0);
    } else if (ends_in_dataset(g, c->node)) {
        out_count(c, 1);
        out_set(c, 0, &dims_scalar);
    } else {
        out_count(c, unlisted_outputs(c));
        for (uint32_t i = 0; i < c->n_out; i++)
            if (opctx_n_items(c, "output_shapes") == c->n_declared)
                c->out[i].shape = opctx_shape_of_list(c, "output_shapes", c->out_index[i]);
    }
}

/* Applies the hints of other nodes that do not conflict. */
static void apply_constraints(struct shape_graph *g, struct opctx *c)
{
    const struct constraint *known = g->constraints ? g->constraints + g->out_begin[c->node] : NULL;

    for (uint32_t i = 0; known && i < c->n_out; i++) {
        const struct handle *h = c->out[i].handle;
        const struct dims *s;
        bool ok = true;

        s = dims_merge(c->keep, c->out[i].shape, known[i].shape, &ok);
        if (ok)
            c->out[i].shape = s;
        ok = true;
        s = h && h->n == 1 ? dims_merge(c->keep, h->shapes[0], known[i].element, &ok) : NULL;
        if (ok && s && s != h->shapes[0])
            c->out[i].handle = handle_new(c, s, h->length);
    }
}

/* True for reads of variables in functions that are not inlined: freezing a model replaces
 * variables by constants, or there by arguments of unknown shape. */
static bool is_lost_by_freezing(const struct shape_graph *g, node_id node)
{
    static const char *const ops[] = {"ReadVariableOp", "ResourceGather", "ResourceGatherNd"};
    const char *op = profile_text(g->p, g->p->op[node]);

    for (size_t i = 0; g->not_inlined && i < sizeof ops / sizeof *ops; i++)
        if (strcmp(op, ops[i]) == 0)
            return true;
    return false;
}

/* Charges the budget for applying a rule: its attributes are decoded again, and the result is at
 * most as large as all inputs together plus the largest of them for each output. */
static bool charge_node(const struct shape_graph *g, const struct opctx *c)
{
    const struct node_def *def = &g->p->def[c->node];
    struct budget *budget = &g->request->budget;
    uint64_t in_bytes = 0, largest = 0;

    array_each(const struct tensor, t, c->in, c->n_in) {
        uint64_t bytes = sizeof *t + (t->shape ? t->shape->rank * sizeof *t->shape->d : 0) +
                         (t->value ? t->value->n * sizeof *t->value->v : 0) +
                         (t->reals ? t->reals->n * sizeof *t->reals->v : 0);

        in_bytes += bytes;
        largest = bytes > largest ? bytes : largest;
    }
    in_bytes += c->n_out * largest;
    if (in_bytes > budget->bytes_left)
        return budget_take(budget, in_bytes, 0);
    return budget_take(budget, 0,
                       16 + in_bytes / 8 +
                           def->len_bytes / (def->form == NODE_FORM_NODEDEF_TEXT ? 1 : 16));
}

/* Sets the outputs by the rule alone. */
static void apply_rule(struct shape_graph *g, struct opctx *c)
{
    const struct op_entry *e = g->entries[c->node];

    memset(c->out, 0, c->n_out * sizeof *c->out);
    c->n_declared = 1;
    if (op_entry_apply_shape(e, c))
        return;
    if (profile_has_op_set(g->p))
        shape_results(c);
    else
        apply_without_rule(g, c);
}

/* The number of outputs of the node of C after its rule: of an op set of its own, those in the file. */
static uint32_t n_outputs(const struct shape_graph *g, const struct opctx *c)
{
    const struct profile *p = g->p;
    const uint32_t end = p->output_begin[c->node + 1];

    return profile_has_op_set(p) && p->output_begin[c->node] < end && p->outputs[end - 1].index >= 0
               ? (uint32_t)p->outputs[end - 1].index + 1
               : c->n_declared;
}

static bool infer_node(struct shape_graph *g, node_id node, struct arena *scratch)
{
    const struct op_entry *e = g->entries[node];
    struct opctx c;

    shape_graph_load(g, node, scratch, &c);
    if (!charge_node(g, &c))
        return true;
    apply_rule(g, &c);
    if (shape_graph_has_requests(g))
        return false;
    g->n_outs[node] = n_outputs(g, &c);
    c.n_out = g->out_begin[node + 1] - g->out_begin[node];
    if (is_lost_by_freezing(g, node))
        memset(c.out, 0, c.n_out * sizeof *c.out);
    if (c.failed) {
        memset(c.out, 0, c.n_out * sizeof *c.out);
        note_contradiction(g, node, c.why);
    }
    merge_evidence(g, &c);
    bind(g, &c);
    apply_constraints(g, &c);
    if (e->value && !c.failed) {
        c.arg = e->value->arg;
        e->value->apply(&c);
    }
    set_argument(g, &c);
    for (uint32_t i = 0; i < c.n_out; i++)
        tensor_make_consistent(&c.out[i]);
    if (g->visits[node] < UINT8_MAX)
        g->visits[node]++;
    return true;
}

/* ---- runs */

const struct dims *shape_graph_of_run(const struct shape_graph *g,
                                      const struct run_output *output)
{
    if (output->shape == SHAPE_UNKNOWN && !g->request->stronger)
        return &dims_scalar;
    return dims_of(g, output->shape);
}

void shape_graph_apply_run(struct shape_graph *g, node_id node)
{
    const struct profile *p = g->p;
    uint32_t begin = p->run_output_begin[node], n = p->run_output_begin[node + 1] - begin;
    struct tensor *t;
    const struct dims *s;
    bool ok;

    if (n == 0 || (n != g->n_outs[node] && !g->request->stronger))
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct run_output *r = &p->run_outputs[begin + i];

        t = shape_graph_tracked(g, node, n == g->n_outs[node] ? (int64_t)i : r->slot);
        if (!t || dims_full(t->shape))
            continue;
        ok = true;
        s = dims_merge(g->request->keep, t->shape, shape_graph_of_run(g, r), &ok);
        if (ok) {
            t->shape = s;
            tensor_make_consistent(t);
        } else {
            note_contradiction(g, node,
                               "the shape in a run contradicts the graph's and is not used");
        }
    }
}

bool shape_graph_step(struct shape_graph *g, node_id node, struct arena *scratch)
{
    const size_t before = arena_requested_bytes(g->request->keep);
    const bool done = infer_node(g, node, scratch);

    budget_charge(&g->request->budget, arena_requested_bytes(g->request->keep) - before, 0);
    if (done && g->request->stronger && g->p->run_output_begin)
        shape_graph_apply_run(g, node);
    return done;
}
