/* shape_list.c: shapes of tensor arrays and tensor lists (shapes.md section 5.21). */
#include "shapes/shape_rules.h"

static int64_t list_length(const struct opctx *c, uint32_t in)
{
    const struct handle *h = in_handle(c, in);

    return h && c->stronger_loops ? h->length : DIM_UNKNOWN;
}

/* Sets output I to the scalar handle of a list: LENGTH elements of shape ELEMENT. */
static void set_list(struct opctx *c, uint32_t i, const struct dims *element, int64_t length)
{
    out_set(c, i, &dims_scalar);
    out_handle(c, i, handle_new(c, element, length));
}

/* [N] + ELEMENT. */
static const struct dims *stacked(struct opctx *c, int64_t n, const struct dims *element)
{
    return dims_concat(c->keep, ctx_vector(c, n), element);
}

static const struct dims *rest_of(struct opctx *c, const struct dims *s)
{
    return dims_slice(c->keep, ctx_rank_at_least(c, s, 1), 1, DIMS_MAX_RANK);
}

/* ---- TensorArray */

/* The length of an array of fixed size. */
static int64_t array_length(struct opctx *c)
{
    if (!c->stronger || opctx_bool(c, "dynamic_size", false))
        return DIM_UNKNOWN;
    return in_const_dim(c, 0);
}

/* The contents of an array.  TensorFlow uses the attribute if it is fully known or the elements are
 * declared identical, and else infers nothing. */
static const struct handle *array_handle(struct opctx *c)
{
    const struct dims *element = opctx_shape(c, "element_shape");

    if (!c->stronger && !dims_full(element) && !opctx_bool(c, "identical_element_shapes", false))
        return NULL;
    return handle_new(c, element, array_length(c));
}

/* Handle [2] and flow, both with the elements; arg 1: with those of the handle at input 0. */
static void shape_array_new(struct opctx *c)
{
    const struct handle *h = c->arg == 1 ? in_handle(c, 0) : array_handle(c);

    out_count(c, 2);
    out_set(c, 0, ctx_vector(c, 2));
    out_set(c, 1, &dims_scalar);
    out_handle(c, 0, h);
    out_handle(c, 1, h);
}

/* The resulting flow.  What was written refines the shape of all elements, which TensorFlow does
 * not track. */
static void set_flow(struct opctx *c, const struct dims *element)
{
    bool ok = true;

    out_set(c, 0, &dims_scalar);
    out_handle(c, 0, in_handle(c, 0));
    if (!c->stronger || !in_handle(c, 0))
        return;
    element = dims_merge(c->keep, handle_shape(c, 0, 0), element, &ok);
    out_handle(c, 0, handle_new(c, ok ? element : handle_shape(c, 0, 0), list_length(c, 0)));
}

/* Inputs: handle, index, value, flow. */
static void shape_array_write(struct opctx *c)
{
    set_flow(c, in_shape(c, 2));
}

/* Inputs: handle, indices, value, flow. */
static void shape_array_scatter(struct opctx *c)
{
    set_flow(c, rest_of(c, in_shape(c, 2)));
}

/* Inputs: handle, value, lengths, flow; pieces have any length. */
static void shape_array_split(struct opctx *c)
{
    set_flow(c, stacked(c, DIM_UNKNOWN, rest_of(c, in_shape(c, 1))));
}

/* The element shape of the handle at input 0, refined by the flow at input FLOW. */
static const struct dims *array_elements(struct opctx *c, uint32_t flow)
{
    const struct dims *s = handle_shape(c, 0, 0), *both;
    bool ok = true;

    both = c->stronger ? dims_merge(c->keep, s, handle_shape(c, flow, 0), &ok) : s;
    return ok ? both : s;
}

/* Inputs: handle, index, flow. */
static void shape_array_read(struct opctx *c)
{
    out_set(c, 0, array_elements(c, 2));
}

/* Inputs: handle, indices, flow.  TensorFlow reads the attribute only if nothing is known about the
 * handle. */
static void shape_array_gather(struct opctx *c)
{
    const struct dims *element = opctx_shape(c, "element_shape"), *known = array_elements(c, 2);
    bool ok = true;

    if (c->stronger && element)
        known = dims_merge(c->keep, element, known, &ok);
    if (!ok || (!c->stronger && !in_handle(c, 0)))
        known = element;
    out_set(c, 0, stacked(c, dim_at(in_shape(c, 1), 0), known));
}

/* Inputs: handle, flow.  TensorFlow ignores the elements. */
static void shape_array_concat(struct opctx *c)
{
    const struct dims *rest = opctx_shape(c, "element_shape_except0");

    out_count(c, 2);
    if (c->stronger)
        out_set(c, 0, stacked(c, DIM_UNKNOWN, rest ? rest : rest_of(c, array_elements(c, 1))));
    out_set(c, 1, ctx_vector(c, DIM_UNKNOWN));
}

/* ---- TensorList */

static void shape_list_reserve(struct opctx *c)
{
    set_list(c, 0, in_as_shape(c, 0), c->arg == 1 ? in_const_dim(c, 1) : DIM_UNKNOWN);
}

static void shape_list_from_tensor(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);

    set_list(c, 0, ctx_merge(c, rest_of(c, s), in_as_shape(c, 1)), dim_at(s, 0));
}

/* The modified list.  arg: the input with an item, whose shape all items have (stronger inference);
 * 0: none.  Setting an item (arg 2) keeps the length, pushing does not. */
static void shape_list_changed(struct opctx *c)
{
    const struct dims *element = handle_shape(c, 0, 0);

    if (c->stronger_loops && c->arg > 0)
        element = ctx_merge(c, element, in_shape(c, (uint32_t)c->arg));
    set_list(c, 0, element, c->arg == 2 ? list_length(c, 0) : DIM_UNKNOWN);
}

/* A list whose element shape is the value of input arg. */
static void shape_list_from_shape(struct opctx *c)
{
    set_list(c, 0, in_as_shape(c, (uint32_t)c->arg), DIM_UNKNOWN);
}

static void shape_list_pop(struct opctx *c)
{
    const struct dims *element = handle_shape(c, 0, 0);

    out_count(c, 2);
    set_list(c, 0, element, DIM_UNKNOWN);
    out_set(c, 1, c->stronger ? ctx_merge(c, element, in_as_shape(c, 1)) : element);
}

static void shape_list_get(struct opctx *c)
{
    out_set(c, 0, ctx_merge(c, handle_shape(c, 0, 0), in_as_shape(c, 2)));
}

static void shape_list_stack(struct opctx *c)
{
    int64_t n = opctx_int(c, "num_elements", -1);

    if (n < 0)
        n = list_length(c, 0);
    out_set(c, 0, stacked(c, n, ctx_merge(c, handle_shape(c, 0, 0), in_as_shape(c, 1))));
}

static void shape_list_gather(struct opctx *c)
{
    out_set(c, 0, stacked(c, dim_at(in_shape(c, 1), 0),
                          ctx_merge(c, handle_shape(c, 0, 0), in_as_shape(c, 2))));
}

/* The element shape is the value of input 1 (arg 1), or an attribute (arg 0). */
static void shape_list_concat(struct opctx *c)
{
    const struct dims *element = c->arg == 1 ? in_as_shape(c, 1) : opctx_shape(c, "element_shape");

    out_count(c, 2);
    element = ctx_merge(c, handle_shape(c, 0, 0), element);
    out_set(c, 0, stacked(c, DIM_UNKNOWN, rest_of(c, element)));
    out_set(c, 1, ctx_vector(c, DIM_UNKNOWN));
}

static void shape_list_element_shape(struct opctx *c)
{
    const struct dims *element = handle_shape(c, 0, 0);

    out_set(c, 0, element ? ctx_vector(c, element->rank) : NULL);
}

const struct op_rule shape_rules_list[] = {
    {"TensorArrayV3", shape_array_new, 0},
    {"TensorArrayGradV3 TensorArrayGradWithShape", shape_array_new, 1},
    {"TensorArrayWriteV3", shape_array_write, 0},
    {"TensorArrayScatterV3", shape_array_scatter, 0},
    {"TensorArraySplitV3", shape_array_split, 0},
    {"TensorArrayReadV3", shape_array_read, 0},
    {"TensorArrayGatherV3", shape_array_gather, 0},
    {"TensorArrayConcatV3", shape_array_concat, 0},
    {"EmptyTensorList", shape_list_reserve, 0},
    {"TensorListReserve", shape_list_reserve, 1},
    {"TensorListFromTensor", shape_list_from_tensor, 0},
    {"TensorListResize TensorListConcatLists TensorListPushBackBatch "
     "TensorListScatterIntoExistingList",
     shape_list_changed, 0},
    {"TensorListPushBack", shape_list_changed, 1},
    {"TensorListSetItem", shape_list_changed, 2},
    {"TensorListScatter TensorListScatterV2", shape_list_from_shape, 2},
    {"TensorListSplit", shape_list_from_shape, 1},
    {"TensorListPopBack", shape_list_pop, 0},
    {"TensorListGetItem", shape_list_get, 0},
    {"TensorListStack", shape_list_stack, 0},
    {"TensorListGather", shape_list_gather, 0},
    {"TensorListConcat", shape_list_concat, 0},
    {"TensorListConcatV2", shape_list_concat, 1},
    {"TensorListElementShape", shape_list_element_shape, 0},
    {0},
};
