/* shape_reshape.c: shapes of ops that rearrange elements: reshape, transpose, join, split, repeat
 * (shapes.md section 5.5). */
#include "shapes/shape_rules.h"

/* The product of the known sizes of S, and the number of unknown ones, which is 0 if the product is
 * 0. */
static int64_t known_product(struct opctx *c, const struct dims *s, uint32_t *n_unknown)
{
    int64_t product = 1;

    *n_unknown = 0;
    for (uint32_t i = 0; i < s->rank; i++) {
        if (s->d[i] < 0)
            ++*n_unknown;
        else
            product = ctx_mul(c, product, s->d[i]);
    }
    if (product == 0)
        *n_unknown = 0;
    return product;
}

/* The quantised form has arg more outputs, scalars. */
static void shape_reshape(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *out = in_as_shape(c, 1);
    uint32_t s_unknown, out_unknown;
    int64_t s_known, out_known;

    out_count(c, clamp_add(1, c->arg));
    out_scalars(c, 1, 1 + (uint32_t)c->arg);
    out_set(c, 0, out);
    if (!out || !s)
        return;
    s_known = known_product(c, s, &s_unknown);
    out_known = known_product(c, out, &out_unknown);
    if (s_unknown > 0)
        return;
    if (out_unknown == 0 && s_known != out_known)
        opctx_fail(c, "the number of elements differs");
    for (uint32_t i = 0; out_unknown == 1 && out_known > 0 && i < out->rank; i++)
        if (out->d[i] < 0) {
            out_set(c, 0, dims_replace(c->keep, out, i, ctx_div(c, s_known, out_known, true)));
            return;
        }
}

static void shape_expand_dims(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t axis;
    uint32_t at;

    if (!s)
        return;
    if (in_const_scalar(c, 1, &axis)) {
        if (ctx_axis(c, axis, s->rank + 1, &at))
            out_set(c, 0, dims_insert(c->keep, s, at, 1));
    } else if (c->stronger) {
        out_set(c, 0, ctx_unknown(c, clamp_add(s->rank, 1)));
    }
}

static void shape_squeeze(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    bool gone[DIMS_MAX_RANK] = {false};
    int64_t d[DIMS_MAX_RANK];
    size_t n_axes;
    const int64_t *axes = opctx_ints(c, "squeeze_dims", &n_axes);
    uint32_t n = 0, at;

    if (!s)
        return;
    for (size_t i = 0; i < n_axes; i++) {
        if (!ctx_axis(c, axes[i], s->rank, &at))
            return;
        gone[at] = true;
        if (s->d[at] > 1)
            opctx_fail(c, "only a size of 1 can be squeezed");
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (n_axes == 0 && s->d[i] < 0)
            return;
        if (n_axes == 0 ? s->d[i] != 1 : !gone[i])
            d[n++] = s->d[i];
    }
    out_set(c, 0, ctx_new(c, n, d));
}

static void shape_transpose(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *perm = in_const(c, 1);
    int64_t d[DIMS_MAX_RANK], length = dims_elements(in_shape(c, 1));
    uint32_t at;

    if (!s && length >= 2 && length <= DIMS_MAX_RANK)
        out_set(c, 0, ctx_unknown(c, length));
    if (!s)
        return;
    if (perm && perm->n != s->rank)
        opctx_fail(c, "the permutation has another rank");
    if (!perm || c->failed) {
        out_set(c, 0, s->rank <= 1 ? s : ctx_unknown(c, s->rank));
        return;
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (!ctx_axis(c, perm->v[i], s->rank, &at))
            return;
        d[i] = s->d[at];
    }
    out_set(c, 0, ctx_new(c, s->rank, d));
}

static const struct dims *shape_of_shape(struct opctx *c, const struct dims *s)
{
    return ctx_vector(c, s ? (int64_t)s->rank : DIM_UNKNOWN);
}

static void shape_op(struct opctx *c)
{
    out_set(c, 0, shape_of_shape(c, in_shape(c, 0)));
}

static void shape_n(struct opctx *c)
{
    out_count(c, c->n_in);
    for (uint32_t i = 0; i < c->n_in; i++)
        out_set(c, i, shape_of_shape(c, in_shape(c, i)));
}

static void shape_pack(struct opctx *c)
{
    const struct dims *s = NULL;
    uint32_t at;

    for (uint32_t i = 0; i < c->n_in; i++)
        s = ctx_merge(c, s, in_shape(c, i));
    if (s && ctx_axis(c, opctx_int(c, "axis", 0), s->rank + 1, &at))
        out_set(c, 0, dims_insert(c->keep, s, at, (int64_t)c->n_in));
    out_handle(c, 0, in_handle(c, 0));
}

static void shape_unpack(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);
    int64_t num = opctx_int(c, "num", 0);
    uint32_t at;

    out_count(c, num);
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].handle = in_handle(c, 0);
    if (!s || !ctx_axis(c, opctx_int(c, "axis", 0), s->rank, &at))
        return;
    (void)ctx_merge_dim(c, s->d[at], num);
    s = dims_drop(c->keep, s, at);
    out_set_all(c, s);
}

/* Joins inputs [FROM, TO) along the axis at input AXIS_IN. */
static const struct dims *join_shapes(struct opctx *c, uint32_t from, uint32_t to, uint32_t axis_in)
{
    const struct dims *s = NULL, *x;
    int64_t axis, size = 0;
    bool has_axis = in_const_scalar(c, axis_in, &axis);
    uint32_t at;

    for (uint32_t i = from; i < to; i++) {
        x = ctx_rank_at_least(c, in_shape(c, i), 1);
        if (!x) {
            size = DIM_UNKNOWN;
            continue;
        }
        if (!has_axis) {
            s = ctx_merge(c, s ? ctx_unknown(c, s->rank) : NULL, ctx_unknown(c, x->rank));
            continue;
        }
        if (!ctx_axis(c, axis, x->rank, &at))
            return NULL;
        size = size < 0 || x->d[at] < 0 ? DIM_UNKNOWN : ctx_add(c, size, x->d[at]);
        s = ctx_merge(c, s, dims_replace(c->keep, x, at, DIM_UNKNOWN));
    }
    if (s && has_axis && ctx_axis(c, axis, s->rank, &at))
        s = dims_replace(c->keep, s, at, size);
    return s;
}

static void shape_concat(struct opctx *c)
{
    out_handle(c, 0, in_handle(c, 1));
    out_set(c, 0, join_shapes(c, 1, c->n_in, 0));
}

static void shape_concat_v2(struct opctx *c)
{
    if (c->n_in >= 2)
        out_set(c, 0, join_shapes(c, 0, c->n_in - 1, c->n_in - 1));
    out_handle(c, 0, in_handle(c, 0));
}

/* n values, followed (arg 0) or preceded by the axis; then two limits for each value. */
static void shape_quantized_concat(struct opctx *c)
{
    uint32_t n = c->n_in / 3;

    out_count(c, 3);
    out_set(c, 0, c->arg == 0 ? join_shapes(c, 0, n, n) : join_shapes(c, 1, 1 + n, 0));
    out_scalars(c, 1, 3);
}

static void shape_concat_offset(struct opctx *c)
{
    out_count(c, c->n_in > 0 ? c->n_in - 1 : 0);
    for (uint32_t i = 1; i < c->n_in; i++)
        out_set(c, i - 1, in_shape(c, i));
}

static void shape_split(struct opctx *c)
{
    const struct dims *s = in_shape(c, 1);
    int64_t n = opctx_int(c, "num_split", 1), axis;
    uint32_t at;

    out_count(c, n);
    if (!s)
        return;
    if (!in_const_scalar(c, 0, &axis))
        s = ctx_unknown(c, s->rank);
    else if (!ctx_axis(c, axis, s->rank, &at))
        return;
    else
        s = dims_replace(c->keep, s, at, ctx_div(c, s->d[at], n, true));
    out_set_all(c, s);
}

/* The size of the piece that is -1: TOTAL minus the other SIZES. */
static int64_t rest_of(struct opctx *c, const struct value *sizes, int64_t total)
{
    int64_t rest = total;

    for (uint32_t i = 0; i < sizes->n && total >= 0; i++)
        if (sizes->v[i] > 0 && __builtin_sub_overflow(rest, sizes->v[i], &rest))
            rest = -1;
    if (total >= 0 && rest < 0)
        opctx_fail(c, "the pieces are larger than the input");
    return rest < 0 ? DIM_UNKNOWN : rest;
}

static void shape_split_v(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *sizes = in_const(c, 1);
    int64_t n = opctx_int(c, "num_split", 1), axis, size;
    uint32_t at = 0;
    bool has_axis = in_const_scalar(c, 2, &axis);

    out_count(c, n);
    if (!s || (has_axis && !ctx_axis(c, axis, s->rank, &at)))
        return;
    if (!has_axis) {
        out_set_all(c, ctx_unknown(c, s->rank));
        return;
    }
    for (uint32_t k = 0; k < c->n_out; k++) {
        const uint32_t i = c->out_index[k];

        size = n == 1 && !sizes ? s->d[at] : DIM_UNKNOWN;
        if (sizes && i < sizes->n)
            size = sizes->v[i] == -1 ? rest_of(c, sizes, s->d[at]) : sizes->v[i];
        c->out[k].shape = dims_replace(c->keep, s, at, size);
    }
}

static void shape_tile(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *multiples = in_as_shape(c, 1);
    int64_t d[DIMS_MAX_RANK];

    if (!s) {
        out_set(c, 0, multiples ? ctx_unknown(c, multiples->rank) : NULL);
        return;
    }
    multiples = ctx_rank(c, multiples, s->rank);
    for (uint32_t i = 0; multiples && i < s->rank; i++)
        d[i] = ctx_mul(c, s->d[i], multiples->d[i]);
    if (multiples)
        out_set(c, 0, ctx_new(c, s->rank, d));
}

static void shape_broadcast_to(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *out = in_as_shape(c, 1);
    bool ok = true;

    out_set(c, 0, out);
    if (s && out && (s->rank > out->rank || !dims_broadcast(c->scratch, s, out, false, &ok)))
        opctx_fail(c, "the input cannot be broadcast to that shape");
}

const struct op_rule shape_rules_reshape[] = {
    {"Reshape", shape_reshape, 0},
    {"QuantizedReshape", shape_reshape, 2},
    {"ExpandDims", shape_expand_dims, 0},
    {"Squeeze", shape_squeeze, 0},
    {"Transpose ConjugateTranspose", shape_transpose, 0},
    {"Shape", shape_op, 0},
    {"ShapeN", shape_n, 0},
    {"Pack", shape_pack, 0},
    {"Unpack", shape_unpack, 0},
    {"Concat", shape_concat, 0},
    {"ConcatV2", shape_concat_v2, 0},
    {"ConcatOffset", shape_concat_offset, 0},
    {"QuantizedConcat", shape_quantized_concat, 1},
    {"QuantizedConcatV2", shape_quantized_concat, 0},
    {"Split", shape_split, 0},
    {"SplitV", shape_split_v, 0},
    {"Tile", shape_tile, 0},
    {"BroadcastTo", shape_broadcast_to, 0},
    {0},
};
