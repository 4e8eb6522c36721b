/* shape_given.c: ops whose output shape comes from an attribute or an input (shapes.md sections 5.7
 * and 5.9). */
#include "shapes/shape_rules.h"

#include <math.h>

#include "shapes/shape_graph.h"
#include "shapes/value_rules.h"

/* Sizes that TensorFlow fixes for the key and the counter of random number generators. */
enum { KEY_SIZE = 1, COUNTER_SIZE = 2 };

static void shape_random_crop(struct opctx *c)
{
    const struct value *size = in_const(c, 1);
    int64_t d[] = {DIM_UNKNOWN, DIM_UNKNOWN, dim_at(in_shape(c, 0), 2)};

    if (size && size->n == 2) {
        d[0] = size->v[0];
        d[1] = size->v[1];
    }
    out_set(c, 0, ctx_new(c, 3, d));
}

static void shape_constant(struct opctx *c)
{
    const struct attr_value *v = opctx_attr(c, "value");

    if (v && v->kind == ATTR_TENSOR)
        out_set(c, 0, opctx_dims(c, &v->v.tensor.shape));
}

/* Up to this producer version, graphs use rank 0 for an unknown shape. */
#define SCALAR_IS_ANY_UP_TO 21

/* arg 1: an argument of a function; its rank 0 means a scalar in all versions. */
static void shape_placeholder(struct opctx *c)
{
    const struct dims *s = opctx_shape(c, "shape");
    int32_t producer = shape_graph_producer(c->graph);

    if (c->arg == 0 && s && s->rank == 0 && producer > 0 && producer <= SCALAR_IS_ANY_UP_TO)
        s = NULL;
    out_set(c, 0, s);
    if (opctx_attr(c, "_handle_shapes"))
        out_handle(c, 0, handle_new(c, opctx_shape_of_list(c, "_handle_shapes", 0), DIM_UNKNOWN));
}

/* One output for each shape in the list attribute. */
static void shape_list(struct opctx *c)
{
    size_t n = opctx_n_items(c, "shapes");

    out_count(c, (int64_t)n);
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = opctx_shape_of_list(c, "shapes", c->out_index[i]);
}

/* ---- Range */

static int64_t range_ints(struct opctx *c, int64_t start, int64_t limit, int64_t delta)
{
    int64_t n;

    if (delta == 0 || (start < limit && delta < 0) || (start > limit && delta > 0)) {
        opctx_fail(c, "the range is infinite");
        return DIM_UNKNOWN;
    }
    n = steps_between(start, limit, delta);
    return n == INT64_MAX ? DIM_UNKNOWN : n;
}

static int64_t range_doubles(struct opctx *c, const double *v)
{
    double n = ceil(fabs((v[1] - v[0]) / v[2]));

    if (v[2] == 0 || (v[1] - v[0]) * v[2] < 0 || isnan(n)) {
        opctx_fail(c, "the range is infinite");
        return DIM_UNKNOWN;
    }
    return n < 9e18 ? (int64_t)n : DIM_UNKNOWN;
}

static void shape_range(struct opctx *c)
{
    int64_t v[3], size = DIM_UNKNOWN;
    double d[3];

    if (in_const_scalar(c, 0, &v[0]) && in_const_scalar(c, 1, &v[1]) &&
        in_const_scalar(c, 2, &v[2]))
        size = range_ints(c, v[0], v[1], v[2]);
    else if (in_real_scalar(c, 0, &d[0]) && in_real_scalar(c, 1, &d[1]) &&
             in_real_scalar(c, 2, &d[2]))
        size = range_doubles(c, d);
    out_set(c, 0, ctx_vector(c, size));
}

const struct op_rule shape_rules_given[] = {
    {"RandomCrop", shape_random_crop, 0},
    {"Placeholder PlaceholderV2", shape_placeholder, 0},
    {"_Arg", shape_placeholder, 1},
    {"InfeedDequeueTuple", shape_list, 0},
    {"Const HostConst", shape_constant, 0},
    {"Range", shape_range, 0},
    {0},
};
