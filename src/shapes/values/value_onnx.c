/* value_onnx.c: values of small integer tensors in ONNX graphs, from which shapes are computed
 * (formats-onnx.md section 5). */
#include <string.h>

#include "shapes/shape_onnx.h"
#include "shapes/value_rules.h"

static void put(struct opctx *c, struct value *v)
{
    out_value(c, 0, value_seal(c, v, true));
}

/* Numbers in attributes of a Constant. */
static void value_listed(struct opctx *c)
{
    const struct attr_value *one = opctx_attr(c, "value_int");
    size_t n;
    const int64_t *list = opctx_ints(c, "value_ints", &n);
    struct value *v;

    if (one && one->kind == ATTR_INT) {
        v = value_new(c, 1, true);
        v->v[0] = one->v.i;
        put(c, v);
    } else if (list && n <= VALUE_MAX) {
        v = value_new(c, (uint32_t)n, false);
        memcpy(v->v, list, n * sizeof *list);
        put(c, v);
    } else {
        value_literal(c);
    }
}

static void value_shape(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t from = opctx_int(c, "start", 0), to = opctx_int(c, "end", INT64_MAX), n;
    struct value *v;

    if (!s)
        return;
    n = onnx_slice_size(s->rank, &from, to, 1);
    v = value_new(c, (uint32_t)n, false);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = s->d[(uint64_t)from + i] < 0 ? VALUE_UNKNOWN : s->d[(uint64_t)from + i];
    put(c, v);
}

static void value_cast(struct opctx *c)
{
    const int64_t to = opctx_int(c, "to", 0);
    const bool is_integer = (to >= 2 && to <= 7) || to == 9 || to == 12 || to == 13;
    /* DataType numbers of TensorFlow */
    const int dtype = to == 1 ? 1 : to == 11 ? 2 : is_integer ? 9 : 0;

    if (!reals_cast(c, dtype) && is_integer)
        out_value(c, 0, in_known(c, 0));
}

static void value_gather(struct opctx *c)
{
    const struct value *x = in_known(c, 0), *at = in_const(c, 1);
    struct value *v;

    if (!x || x->scalar || !at || opctx_int(c, "axis", 0) != 0)
        return;
    v = value_new(c, at->n, at->scalar);
    for (uint32_t i = 0; i < at->n; i++) {
        const int64_t k = at->v[i] < 0 ? clamp_add(at->v[i], x->n) : at->v[i];

        if (k < 0 || k >= (int64_t)x->n)
            return;
        v->v[i] = x->v[k];
    }
    put(c, v);
}

static void value_concat(struct opctx *c)
{
    value_join(c, 0, c->n_in);
}

/* Attribute NAME or the only element of input I, else ABSENT; false when it is not known. */
static bool one_of(struct opctx *c, const char *name, uint32_t i, int64_t absent, int64_t *out)
{
    size_t n;
    const int64_t *list = opctx_ints(c, name, &n);

    *out = list && n == 1 ? list[0] : absent;
    if (list)
        return n == 1;
    if (i >= c->n_in || c->in_edge[i]->source == NODE_NONE)
        return true;
    return in_const_scalar(c, i, out);
}

static void value_slice(struct opctx *c)
{
    const struct value *x = in_known(c, 0);
    int64_t from, to, axis, step, n;

    if (!x || x->scalar || !one_of(c, "starts", 1, 0, &from) || !one_of(c, "ends", 2, 0, &to) ||
        !one_of(c, "axes", 3, 0, &axis) || !one_of(c, "steps", 4, 1, &step) || step == 0)
        return;
    n = onnx_slice_size(x->n, &from, to, step);
    put(c, value_pieces(c, x, from, step, (uint32_t)n));
}

static void value_of_shape(struct opctx *c)
{
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    const struct attr_value *a = opctx_attr(c, "value");
    const int64_t n = dims_elements(s);
    struct attr_int64s one = {.n = 0};
    struct value *v;

    if (!s || s->rank > 1 || n < 0 || n > VALUE_MAX || !a || a->kind != ATTR_TENSOR ||
        !value_is_integer(a->v.tensor.dtype))
        return;
    one = c->source->int64s(&a->v.tensor, 1, c->scratch);
    if (one.n != 1)
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = one.v[0];
    put(c, v);
}

static void value_where(struct opctx *c)
{
    const struct value *which = in_const(c, 0), *x = in_known(c, 1), *y = in_known(c, 2);
    uint32_t n;
    struct value *v;

    if (!which || !x || !y)
        return;
    n = which->n > x->n ? which->n : x->n;
    n = n > y->n ? n : y->n;
    if ((which->n != 1 && which->n != n) || (x->n != 1 && x->n != n) || (y->n != 1 && y->n != n))
        return;
    v = value_new(c, n, which->scalar && x->scalar && y->scalar);
    for (uint32_t i = 0; i < n; i++) {
        const struct value *from = which->v[which->n == 1 ? 0 : i] ? x : y;

        v->v[i] = from->v[from->n == 1 ? 0 : i];
    }
    put(c, v);
}

/* A vector of equal elements, or the elements themselves. */
static void value_expand(struct opctx *c)
{
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    const struct value *x = in_known(c, 0);
    const int64_t n = dims_elements(s);
    struct value *v;

    if (!x || !s || s->rank > 1 || n < 0 || n > VALUE_MAX || (x->n != 1 && (int64_t)x->n != n))
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = x->v[x->n == 1 ? 0 : i];
    put(c, v);
}

static void value_size(struct opctx *c)
{
    struct value *v;

    if (!dims_full(in_shape(c, 0)))
        return;
    v = value_new(c, 1, true);
    v->v[0] = dims_elements(in_shape(c, 0));
    put(c, v);
}

static void value_product(struct opctx *c)
{
    const struct value *x = in_known(c, 0);
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    struct value *v;

    if (!x || x->n == 0 || dims_elements(s) != 1 || s->rank > 1)
        return;
    v = value_new(c, 1, s->rank == 0);
    v->v[0] = x->v[0];
    for (uint32_t i = 1; i < x->n; i++)
        v->v[0] = value_combine(c->arg, v->v[0], x->v[i]);
    put(c, v);
}

const struct op_rule value_rules_onnx[] = {
    {"Constant Parameter", value_listed, 0}, {"Shape", value_shape, 0}, {"Size", value_size, 0},
    {"Cast", value_cast, 0}, {"Gather", value_gather, 0}, {"Concat", value_concat, 0},
    {"Slice", value_slice, 0}, {"ConstantOfShape", value_of_shape, 0}, {"Where", value_where, 0},
    {"Expand", value_expand, 0}, {"ReduceProd", value_product, OP_MUL},
    {"ReduceSum", value_product, OP_ADD}, {"ReduceMax", value_product, OP_MAX},
    {"ReduceMin", value_product, OP_MIN}, {0},
};

const struct op_like values_like_onnx[] = {
    {"Identity", "Identity"}, {"Dropout", "Identity"},
    {"Add", "Add"},         {"Sub", "Sub"},           {"Mul", "Mul"},
    {"Div", "Div"},         {"Mod", "FloorMod"},      {"Max", "Maximum"},
    {"Min", "Minimum"},     {"Neg", "Neg"},           {"Abs", "Abs"},
    {"Floor", "Floor"},     {"Ceil", "Ceil"},         {"Round", "Round"},
    {"Sqrt", "Sqrt"},       {"Equal", "Equal"},       {"Greater", "Greater"},
    {"GreaterOrEqual", "GreaterEqual"},               {"Less", "Less"},
    {"LessOrEqual", "LessEqual"},                     {"Range", "Range"},
    {"Squeeze", "Squeeze"}, {"Unsqueeze", "Squeeze"}, {"Reshape", "Squeeze"},
    {NULL, NULL},
};

const struct op_like ops_like_onnx[] = {
    {"Einsum", "Einsum"},
    {NULL, NULL},
};
