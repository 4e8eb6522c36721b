/* value_made.c: values of small integer tensors computed from others: fill, range, reverse, compare
 * (shapes.md section 3). */
#include "shapes/value_rules.h"

#include <string.h>

/* Fills the shape that the shape rule found with one number. */
static void value_fill(struct opctx *c)
{
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    int64_t number, n = dims_elements(s);
    struct value *v;

    if (!in_const_scalar(c, 1, &number) || !in_const(c, 0) || s == NULL || s->rank > 1 || n < 0 ||
        n > VALUE_MAX)
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = number;
    out_value(c, 0, value_seal(c, v, true));
}

static void value_like(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t n = dims_elements(s);
    struct value *v;

    if (!s || s->rank > 1 || n < 0 || n > VALUE_MAX ||
        !value_is_integer((int)opctx_int(c, "T", 0)) || (!in_const(c, 0) && !c->stronger))
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = c->arg;
    out_value(c, 0, value_seal(c, v, true));
}

static void value_range(struct opctx *c)
{
    int64_t start, limit, delta, n = c->n_out > 0 ? dim_at(c->out[0].shape, 0) : DIM_UNKNOWN;
    struct value *v;

    if (!in_const_scalar(c, 0, &start) || !in_const_scalar(c, 1, &limit) ||
        !in_const_scalar(c, 2, &delta) || n < 0 || n > VALUE_MAX)
        return;
    v = value_new(c, (uint32_t)n, false);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = value_combine(OP_ADD, start, value_combine(OP_MUL, delta, i));
    out_value(c, 0, value_seal(c, v, true));
}

/* The same elements as a scalar or a vector, as the shape rule decides. */
static void value_reshaped(struct opctx *c)
{
    const struct value *x = in_value(c, 0);
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    struct value *v;

    if (!x || !s || s->rank > 1 || (s->rank == 0 && x->n != 1))
        return;
    if (c->arg > 0 && !in_const(c, (uint32_t)c->arg) && !c->stronger)
        return;
    v = value_new(c, x->n, s->rank == 0);
    memcpy(v->v, x->v, x->n * sizeof v->v[0]);
    out_value(c, 0, value_seal(c, v, x->folded));
}

static void value_tile(struct opctx *c)
{
    const struct value *x = in_value(c, 0), *times = in_const(c, 1);
    struct value *v;

    if (!x || x->scalar || x->n == 0 || !times || times->n != 1 || times->v[0] < 0 ||
        clamp_mul(times->v[0], x->n) > VALUE_MAX)
        return;
    v = value_new(c, x->n * (uint32_t)times->v[0], false);
    for (uint32_t i = 0; i < v->n; i += x->n)
        memcpy(v->v + i, x->v, x->n * sizeof v->v[0]);
    out_value(c, 0, value_seal(c, v, x->folded));
}

/* Reverses a vector, if input 1 selects its dimension. */
static void value_reverse(struct opctx *c)
{
    const struct value *x = in_value(c, 0), *axes = in_const(c, 1);

    if (!x || x->scalar || !axes)
        return;
    if (axes->n == 0 || (c->arg == 1 && axes->v[0] == 0))
        out_value(c, 0, x);
    else
        out_value(c, 0, value_seal(c, value_pieces(c, x, clamp_sub(x->n, 1), -1, x->n), x->folded));
}

static void value_invert_permutation(struct opctx *c)
{
    const struct value *x = in_const(c, 0);
    struct value *v;

    if (!x || x->scalar)
        return;
    v = value_new(c, x->n, false);
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->v[i] < 0 || x->v[i] >= (int64_t)x->n)
            return;
        v->v[x->v[i]] = i;
    }
    out_value(c, 0, value_seal(c, v, true));
}

static bool holds(const struct value *x, int64_t number)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->v[i] == number)
            return true;
    return false;
}

static void value_list_diff(struct opctx *c)
{
    const struct value *x = in_const(c, 0), *y = in_const(c, 1);
    struct value *out, *at;

    if (!x || !y)
        return;
    out = value_new(c, x->n, false);
    at = value_new(c, x->n, false);
    out->n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (holds(y, x->v[i]))
            continue;
        at->v[out->n] = i;
        out->v[out->n++] = x->v[i];
    }
    at->n = out->n;
    out_value(c, 0, value_seal(c, out, true));
    out_value(c, 1, value_seal(c, at, true));
}

static void value_broadcast_args(struct opctx *c)
{
    const struct value *a = in_value(c, 0), *b = in_value(c, 1);
    struct value *v;
    uint32_t n;

    if (!a || !b)
        return;
    n = a->n > b->n ? a->n : b->n;
    v = value_new(c, n, false);
    for (uint32_t i = 0; i < n; i++) {
        int64_t x = i < n - a->n ? 1 : a->v[i - (n - a->n)];
        int64_t y = i < n - b->n ? 1 : b->v[i - (n - b->n)];

        v->v[i] = x == 1 ? y : x;
        if (x != VALUE_UNKNOWN && y != VALUE_UNKNOWN && x != y && x != 1 && y != 1)
            return;
        if (x == VALUE_UNKNOWN && y != 1)
            v->v[i] = y > 1 ? y : VALUE_UNKNOWN;
    }
    out_value(c, 0, value_seal(c, v, a->folded && b->folded));
}

/* The axes over which the gradient of each operand is summed. */
static void value_broadcast_gradient(struct opctx *c)
{
    const struct value *x[2] = {in_const(c, 0), in_const(c, 1)};
    uint32_t n;
    bool same;

    if (!x[0] || !x[1] || x[0]->scalar || x[1]->scalar)
        return;
    same = x[0]->n == x[1]->n && memcmp(x[0]->v, x[1]->v, x[0]->n * sizeof x[0]->v[0]) == 0;
    n = x[0]->n > x[1]->n ? x[0]->n : x[1]->n;
    for (uint32_t side = 0; side < 2; side++) {
        struct value *v = value_new(c, n, false);
        const struct value *me = x[side];

        v->n = 0;
        for (uint32_t i = 0; i < n; i++) {
            int64_t mine = i < n - me->n ? 1 : me->v[i - (n - me->n)];

            if (mine == 1 && !same) /* TensorFlow sums on both sides where both are 1 */
                v->v[v->n++] = i;
        }
        out_value(c, side, value_seal(c, v, true));
    }
}

static void value_concat_offset(struct opctx *c)
{
    int64_t axis, offset = 0;

    if (!values_all_const(c) || !in_const_scalar(c, 0, &axis))
        return;
    for (uint32_t i = 1; i < c->n_in; i++) {
        const struct value *x = in_const(c, i);
        struct value *v = value_new(c, x->n, false);
        int64_t at = axis < 0 ? clamp_add(axis, x->n) : axis;

        if (at < 0 || at >= (int64_t)x->n)
            return;
        memset(v->v, 0, v->n * sizeof v->v[0]);
        v->v[at] = offset;
        offset = value_combine(OP_ADD, offset, x->v[at]);
        out_value(c, i - 1, value_seal(c, v, true));
    }
}

const struct op_rule value_rules_made[] = {
    {"Fill", value_fill, 0}, {"ZerosLike", value_like, 0}, {"OnesLike", value_like, 1},
    {"Range", value_range, 0}, {"Reshape ExpandDims", value_reshaped, 1},
    {"Squeeze", value_reshaped, 0}, {"Tile", value_tile, 0}, {"Reverse", value_reverse, 1},
    {"ReverseV2", value_reverse, 0},
    {"InvertPermutation", value_invert_permutation, 0},
    {"ListDiff", value_list_diff, 0},
    {"BroadcastArgs", value_broadcast_args, 0},
    {"BroadcastGradientArgs", value_broadcast_gradient, 0},
    {"ConcatOffset", value_concat_offset, 0},
    {0},
};
