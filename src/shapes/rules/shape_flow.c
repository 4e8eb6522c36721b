/* shape_flow.c: shapes through control flow and function calls (shapes.md section 6). */
#include "shapes/shape_rules.h"

#include "shapes/shape_graph.h"

/* All outputs equal input 0. */
static void shape_switch_op(struct opctx *c)
{
    out_count(c, c->arg > 0 ? c->arg : opctx_int(c, "num_outs", 2));
    for (uint32_t i = 0; i < c->n_out; i++) {
        c->out[i].shape = in_shape(c, 0);
        c->out[i].handle = in_handle(c, 0);
    }
}

/* Combines two handles.  An array that is not written yet has a less specific element shape; later
 * writes refine it. */
static const struct handle *join_shapes(struct opctx *c, const struct handle *a, const struct handle *b)
{
    const struct dims *s;
    bool ok = true;

    if (!b || a == b)
        return a;
    if (!c->stronger)
        return NULL;
    if (!a)
        return b;
    if (a->n != 1 || b->n != 1)
        return NULL;
    s = dims_merge(c->keep, a->shapes[0], b->shapes[0], &ok);
    if (!ok)
        s = dims_weaken(c->keep, a->shapes[0], b->shapes[0]);
    if (dims_equal(s, a->shapes[0]) && a->length == b->length)
        return a;
    return handle_new(c, s, a->length == b->length ? a->length : DIM_UNKNOWN);
}

/* The common part of all inputs.  TensorFlow's result is unknown while one input is; stronger
 * inference uses the inputs known so far and applies the rule again when a loop adds others. */
static void shape_merge(struct opctx *c)
{
    const struct handle *handle = NULL;
    const struct dims *s = NULL;
    bool first = true;

    out_count(c, 2);
    out_set(c, 1, &dims_scalar);
    for (uint32_t i = 0; i < c->n_in; i++) {
        if (c->stronger && !shape_graph_known(c, i))
            continue;
        s = first ? in_shape(c, i) : dims_weaken(c->keep, s, in_shape(c, i));
        handle = first ? in_handle(c, i) : join_shapes(c, handle, in_handle(c, i));
        first = false;
    }
    out_set(c, 0, s);
    out_handle(c, 0, handle);
}

static void shape_ref_select(struct opctx *c)
{
    const struct dims *s = in_shape(c, 1);

    for (uint32_t i = 2; i < c->n_in; i++)
        if (!dims_equal(s, in_shape(c, i)))
            return;
    out_set(c, 0, s);
}

static void shape_enter(struct opctx *c)
{
    out_handle(c, 0, in_handle(c, 0));
    if (c->stronger || opctx_bool(c, "is_constant", false))
        out_set(c, 0, in_shape(c, 0));
}

static void shape_pass(struct opctx *c)
{
    out_set(c, 0, in_shape(c, 0));
    out_handle(c, 0, in_handle(c, 0));
}

/* Sets shapes from attribute output_shapes; false unless it is as long as TYPES. */
static bool attribute_shapes(struct opctx *c, const char *types)
{
    size_t n = opctx_n_items(c, "output_shapes"), n_types = opctx_n_items(c, types);

    out_count(c, (int64_t)n_types);
    if (n == 0 || n != n_types)
        return false;
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = opctx_shape_of_list(c, "output_shapes", c->out_index[i]);
    return true;
}

static void shape_branches(struct opctx *c)
{
    (void)attribute_shapes(c, "Tout");
    if (c->stronger_loops)
        shape_graph_branches(c);
}

static void shape_loop(struct opctx *c)
{
    out_count(c, c->n_in);
    for (uint32_t i = 0; i < c->n_in; i++)
        out_handle(c, i, in_handle(c, i));
    if (!attribute_shapes(c, "T")) {
        out_count(c, c->n_in);
        for (uint32_t i = 0; i < c->n_in; i++)
            out_set(c, i, in_shape(c, i));
    }
    if (c->stronger_loops)
        shape_graph_loop(c);
}

static void shape_call(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "Tout"));
    if (!opctx_bool(c, "_disable_call_shape_inference", false))
        shape_graph_call(c, opctx_string(c, "f", ""), 0);
}

/* TensorFlow infers nothing for these.  arg: leading inputs that are not passed to the function;
 * -1: nothing can be inferred. */
static void shape_remote_call(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "Tout"));
    if (c->stronger && c->arg >= 0)
        shape_graph_call(c, opctx_string(c, "f", ""), (uint32_t)c->arg);
}

/* The function gets a batch of requests of unknown size. */
static void shape_batch_call(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "Tout"));
    if (!c->stronger)
        return;
    shape_graph_call(c, opctx_string(c, "f", ""), 0);
    for (uint32_t i = 0; i < c->n_out; i++) {
        const struct dims *s = c->out[i].shape;

        c->out[i].value = NULL;
        if (s && s->rank > 0)
            c->out[i].shape = dims_replace(c->keep, s, 0, DIM_UNKNOWN);
    }
}

static void shape_symbolic_gradient(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "Tout"));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = in_shape(c, c->out_index[i]);
}

/* A loop; arg: leading inputs that are not loop variables. */
static void shape_inputs_back(struct opctx *c)
{
    const uint32_t first = (uint32_t)c->arg;

    out_count(c, c->n_in > first ? c->n_in - first : 0);
    for (uint32_t i = 0; i + first < c->n_in; i++)
        out_set(c, i, in_shape(c, i + first));
}

static void shape_compiled_call(struct opctx *c)
{
    (void)attribute_shapes(c, "Tout");
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = opctx_shape_of_list(c, "Sout", c->out_index[i]);
}

const struct op_rule shape_rules_flow[] = {
    {"Switch RefSwitch", shape_switch_op, 2},
    {"_SwitchN", shape_switch_op, 0},
    {"Merge RefMerge", shape_merge, 0},
    {"RefSelect", shape_ref_select, 0},
    {"Enter", shape_enter, 0},
    {"RefEnter Exit RefExit NextIteration RefNextIteration", shape_pass, 0},
    {"If StatelessIf _If Case StatelessCase", shape_branches, 0},
    {"While StatelessWhile _While", shape_loop, 0},
    {"PartitionedCall StatefulPartitionedCall", shape_call, 0},
    {"TPUPartitionedCall", shape_remote_call, 0},
    {"RemoteCall", shape_remote_call, 1},
    {"BatchFunction", shape_batch_call, 0},
    {"SymbolicGradient", shape_symbolic_gradient, 0},
    {"XlaCallModule", shape_compiled_call, 0},
    {"XlaWhile", shape_inputs_back, 0},
    {"For", shape_inputs_back, 3},
    {"XlaIf XlaLaunch", shape_remote_call, -1},
    {0},
};
