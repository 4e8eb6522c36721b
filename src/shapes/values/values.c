/* values.c: values of small integer tensors, from which graphs compute shapes: constants, shapes,
 * and ops that pass values on (shapes.md section 3). */
#include "shapes/value_rules.h"

#include <string.h>

void out_value(struct opctx *c, uint32_t i, const struct value *v)
{
    struct tensor *t = out_tensor(c, i);

    if (t)
        t->value = v;
}

const struct value *in_value(const struct opctx *c, uint32_t i)
{
    if (!c->stronger)
        return in_const(c, i);
    return in_known(c, i);
}

bool values_all_const(const struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        if (!in_const(c, i))
            return false;
    return true;
}

bool value_is_integer(int dtype)
{
    /* uint8, int16, int8, int32, int64, bool, uint16, uint32, uint64 */
    return dtype == 3 || dtype == 4 || dtype == 5 || dtype == 6 || dtype == 9 || dtype == 10 ||
           dtype == 17 || dtype == 22 || dtype == 23;
}

void value_literal(struct opctx *c)
{
    const struct attr_value *a = opctx_attr(c, "value");
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    struct attr_int64s list;
    struct value *v;

    if (!a || a->kind != ATTR_TENSOR || reals_const(c, &a->v.tensor) ||
        !value_is_integer(a->v.tensor.dtype) || !s || s->rank > 1)
        return;
    list = c->source->int64s(&a->v.tensor, VALUE_MAX, c->scratch);
    /* A recorded shape may contradict the tensor's own shape. */
    if (list.n_all != dims_elements(s) || list.n_all != (int64_t)list.n)
        return;
    v = value_new(c, (uint32_t)list.n, s->rank == 0);
    if (list.n)
        memcpy(v->v, list.v, list.n * sizeof v->v[0]);
    out_value(c, 0, value_seal(c, v, true));
}

/* ---- values from shapes */

/* The sizes of S; FOLDED: TensorFlow treats them as a constant if all are known. */
static const struct value *value_of_shape(struct opctx *c, const struct dims *s, bool folded)
{
    struct value *v;

    if (!s)
        return NULL;
    v = value_new(c, s->rank, false);
    for (uint32_t i = 0; i < s->rank; i++)
        v->v[i] = s->d[i] < 0 ? VALUE_UNKNOWN : s->d[i];
    return value_seal(c, v, folded && dims_full(s));
}

/* True when TensorFlow can evaluate an op on input I.  It always folds Shape, Size and Rank of
 * known shapes, and other ops only with constant inputs. */
static bool is_constant(const struct opctx *c, uint32_t i)
{
    return in_const(c, i) || c->in[i].reals || in_is_op(c, i, "Const");
}

static void value_shape(struct opctx *c)
{
    out_value(c, 0, value_of_shape(c, in_shape(c, 0), true));
}

static void value_shape_n(struct opctx *c)
{
    bool folded = true;

    for (uint32_t i = 0; i < c->n_in; i++)
        folded &= is_constant(c, i);
    for (uint32_t i = 0; i < c->n_in; i++)
        out_value(c, i, value_of_shape(c, in_shape(c, i), folded));
}

static void value_variable_shape(struct opctx *c)
{
    out_value(c, 0, value_of_shape(c, handle_shape(c, 0, 0), false));
}

static void scalar_value(struct opctx *c, int64_t number)
{
    struct value *v = value_new(c, 1, true);

    v->v[0] = number;
    out_value(c, 0, value_seal(c, v, true));
}

static void value_rank(struct opctx *c)
{
    if (in_shape(c, 0))
        scalar_value(c, in_shape(c, 0)->rank);
}

/* The length of an array or list, which TensorFlow does not track. */
static void value_length(struct opctx *c)
{
    const struct handle *h = in_handle(c, 0);

    if (c->stronger && h && h->length >= 0)
        scalar_value(c, h->length);
}

static void value_size(struct opctx *c)
{
    if (dims_full(in_shape(c, 0)))
        scalar_value(c, dims_elements(in_shape(c, 0)));
}

/* ---- values passed on */

static void value_same(struct opctx *c)
{
    out_value(c, 0, in_value(c, 0));
    if (c->n_in > 0 && c->n_out > 0)
        c->out[0].reals = c->in[0].reals;
}

static void value_same_values(struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        out_value(c, i, in_value(c, i));
}

/* Between integers, partial values are passed on as well. */
static void value_cast(struct opctx *c)
{
    if (c->n_in > 0 && !reals_cast(c, opctx_int(c, "DstT", 0)) && value_is_integer((int)opctx_int(c, "DstT", 9)))
        out_value(c, 0, in_known(c, 0));
}

static void value_pack(struct opctx *c)
{
    struct value *v;

    if (opctx_int(c, "axis", 0) != 0 || c->n_in > VALUE_MAX || reals_pack(c))
        return;
    v = value_new(c, c->n_in, false);
    for (uint32_t i = 0; i < c->n_in; i++) {
        const struct value *x = in_value(c, i);

        if (in_shape(c, i) && in_shape(c, i)->rank != 0)
            return;
        if (x && x->scalar)
            v->v[i] = x->v[0];
    }
    out_value(c, 0, value_seal(c, v, values_all_const(c)));
}

void value_join(struct opctx *c, uint32_t from, uint32_t to)
{
    const struct value *x;
    struct value *v;
    uint32_t n = 0;
    bool folded = true;

    for (uint32_t i = from; i < to; i++) {
        x = in_entries(c, i);
        if (!x || x->scalar || n + x->n > VALUE_MAX)
            return;
        n += x->n;
    }
    v = value_new(c, n, false);
    n = 0;
    for (uint32_t i = from; i < to; i++) {
        x = in_entries(c, i);
        memcpy(v->v + n, x->v, x->n * sizeof v->v[0]);
        n += x->n;
        folded &= x->folded;
    }
    out_value(c, 0, value_seal(c, v, folded));
}

static void value_concat(struct opctx *c)
{
    value_join(c, 1, c->n_in);
}

static void value_concat_v2(struct opctx *c)
{
    if (c->n_in > 0)
        value_join(c, 0, c->n_in - 1);
}

/* ---- slices */

/* Elements FROM, FROM + STEP, ...: N of them. */
struct value *value_pieces(struct opctx *c, const struct value *x, int64_t from, int64_t step,
                           uint32_t n)
{
    struct value *v = value_new(c, n, false);

    for (uint32_t i = 0; i < n; i++) {
        const int64_t at = clamp_add(from, clamp_mul(i, step));

        if (at >= 0 && at < (int64_t)x->n)
            v->v[i] = x->v[at];
    }
    return v;
}

static void value_slice(struct opctx *c)
{
    const struct value *x = in_value(c, 0), *begin = in_const(c, 1), *size = in_const(c, 2);
    int64_t n;

    if (!x || x->scalar || !begin || !size || begin->n != 1 || size->n != 1)
        return;
    n = size->v[0] == -1 ? clamp_sub(x->n, begin->v[0]) : size->v[0];
    if (begin->v[0] >= 0 && n >= 0 && begin->v[0] <= (int64_t)x->n &&
        n <= clamp_sub(x->n, begin->v[0]))
        out_value(c, 0, value_seal(c, value_pieces(c, x, begin->v[0], 1, (uint32_t)n), x->folded));
}

/* The entry of a StridedSlice specification for the only dimension of a vector, -1: none; and the
 * number of new dimensions. */
struct one_spec {
    int64_t at;
    uint32_t n_new;
    bool shrinks;
};

/* False when the specification has more dimensions than X. */
static bool read_spec(struct opctx *c, const struct value *x, uint32_t n, struct one_spec *spec)
{
    const uint64_t ellipsis = (uint64_t)opctx_int(c, "ellipsis_mask", 0);
    const uint64_t new_axis = (uint64_t)opctx_int(c, "new_axis_mask", 0);
    const uint64_t shrink = (uint64_t)opctx_int(c, "shrink_axis_mask", 0);

    *spec = (struct one_spec){.at = -1};
    for (uint32_t i = 0; i < n; i++) {
        if (i < 32 && bit_at(ellipsis, i))
            continue;
        if (i < 32 && bit_at(new_axis, i)) {
            spec->n_new++;
            continue;
        }
        if (x->scalar || spec->at >= 0)
            return false;
        spec->at = i;
        spec->shrinks = i < 32 && bit_at(shrink, i);
    }
    return true;
}

/* Element INDEX of X, from the end when negative; MADE_VECTOR: as a vector of one element. */
static const struct value *taken_value(struct opctx *c, const struct value *x, int64_t index,
                                       bool made_vector)
{
    struct value *v;

    index = index < 0 ? clamp_add(index, x->n) : index;
    if (index < 0 || index >= (int64_t)x->n)
        return NULL;
    v = value_new(c, 1, !made_vector);
    v->v[0] = x->v[index];
    return value_seal(c, v, true);
}

/* Elements of X from FROM to TO by STEP; masked ends are open. */
static const struct value *strided_value(struct opctx *c, const struct value *x, int64_t from,
                                         int64_t to, int64_t step, uint32_t at)
{
    int64_t n = x->n, low = step > 0 ? 0 : -1, high = step > 0 ? n : clamp_sub(n, 1);

    from = from < 0 ? clamp_add(from, n) : from;
    to = to < 0 ? clamp_add(to, n) : to;
    if (at < 32 && bit_at((uint64_t)opctx_int(c, "begin_mask", 0), at))
        from = step > 0 ? 0 : clamp_sub(n, 1);
    if (at < 32 && bit_at((uint64_t)opctx_int(c, "end_mask", 0), at))
        to = step > 0 ? n : -1;
    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
    n = quotient_up(clamp_sub(to, from), step);
    return value_seal(c, value_pieces(c, x, from, step, n > 0 ? (uint32_t)n : 0), x->folded);
}

/* True when partial values pass a StridedSlice: in TensorFlow only for a plain slice, or a single
 * index of a Shape (section 3). */
static bool follows_parts(struct opctx *c, const struct one_spec *spec, uint32_t n)
{
    if (c->stronger)
        return true;
    if (n != 1 || spec->at != 0 || spec->n_new > 0)
        return false;
    return !spec->shrinks || (in_is_op(c, 0, "Shape") && in_is_op(c, 1, "Const") &&
                              in_is_op(c, 2, "Const") && in_is_op(c, 3, "Const"));
}

static void value_strided_slice(struct opctx *c)
{
    const struct value *x = in_known(c, 0);
    const struct value *begin = in_const(c, 1), *end = in_const(c, 2), *strides = in_const(c, 3);
    const struct value *out = x;
    struct one_spec spec;

    if (!x || !begin || !end || !strides || begin->n != strides->n || end->n != strides->n ||
        !read_spec(c, x, strides->n, &spec) ||
        (!x->folded && !follows_parts(c, &spec, strides->n)))
        return;
    if (spec.n_new > (x->scalar || spec.shrinks ? 1 : 0))
        return; /* a matrix */
    if (x->scalar && spec.n_new == 1) {
        out = taken_value(c, x, 0, true);
    } else if (spec.at >= 0) {
        int64_t from = begin->v[spec.at], step = strides->v[spec.at];

        if (step == 0)
            return;
        out = spec.shrinks ? taken_value(c, x, from, spec.n_new == 1)
                           : strided_value(c, x, from, end->v[spec.at], step, (uint32_t)spec.at);
    }
    if (out)
        out_value(c, 0, out);
}

/* arg: the input with the axis, -1: none. */
static void value_gather(struct opctx *c)
{
    const struct value *x = in_value(c, 0), *at = in_const(c, 1);
    int64_t axis = 0;
    struct value *v;

    if (!x || x->scalar || !at || opctx_int(c, "batch_dims", 0) != 0)
        return;
    if (c->arg > 0 && (!in_const_scalar(c, (uint32_t)c->arg, &axis) || axis != 0))
        return;
    v = value_new(c, at->n, at->scalar);
    for (uint32_t i = 0; i < at->n; i++) {
        if (at->v[i] < 0 || at->v[i] >= (int64_t)x->n)
            return;
        v->v[i] = x->v[at->v[i]];
    }
    out_value(c, 0, value_seal(c, v, x->folded));
}

static void value_split(struct opctx *c)
{
    const struct value *x = in_value(c, 1);
    int64_t n = opctx_int(c, "num_split", 0);

    uint32_t length;

    if (!x || x->scalar || n <= 0 || n > UINT32_MAX || sat_remainder(x->n, n) != 0)
        return;
    length = (uint32_t)quotient(x->n, n);
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].value = value_seal(
            c, value_pieces(c, x, clamp_mul(c->out_index[i], length), 1, length), x->folded);
}

/* Length of piece I of TOTAL whose output is not read: element I of input 1; -1 means the rest of
 * TOTAL. */
static int64_t unread_length(const struct opctx *c, uint32_t i, uint32_t total)
{
    const struct value *lengths = in_const(c, 1);
    int64_t rest = total;

    if (!lengths || i >= lengths->n)
        return DIM_UNKNOWN;
    if (lengths->v[i] != -1)
        return lengths->v[i];
    for (uint32_t k = 0; k < lengths->n && rest >= 0; k++)
        if (lengths->v[k] > 0)
            rest = lengths->v[k] > rest ? DIM_UNKNOWN : clamp_sub(rest, lengths->v[k]);
    return rest;
}

static void value_split_v(struct opctx *c)
{
    const struct value *x = in_value(c, 0);
    uint32_t at = 0;

    if (!x || x->scalar || c->n_out == 0)
        return;
    for (uint32_t i = 0; i <= c->out_index[c->n_out - 1]; i++) {
        struct tensor *out = out_tensor(c, i);
        /* The shape rule found the length of outputs that are read. */
        const int64_t n = out ? dim_at(out->shape, 0) : unread_length(c, i, x->n);

        if (n < 0 || n > (int64_t)(x->n - at))
            return;
        if (out)
            out->value = value_seal(c, value_pieces(c, x, at, 1, (uint32_t)n), x->folded);
        at += (uint32_t)n;
    }
}

static void value_unpack(struct opctx *c)
{
    const struct value *x = in_value(c, 0);

    if (!x || x->scalar)
        return;
    for (uint32_t i = 0; i < c->n_out && c->out_index[i] < x->n; i++) {
        struct value *v = value_new(c, 1, true);

        v->v[0] = x->v[c->out_index[i]];
        c->out[i].value = value_seal(c, v, x->folded);
    }
}

const struct op_rule value_rules[] = {
    {"Const HostConst", value_literal, 0},
    {"Shape", value_shape, 0},
    {"ShapeN", value_shape_n, 0},
    {"VariableShape", value_variable_shape, 0},
    {"Rank", value_rank, 0},
    {"Size", value_size, 0},
    {"TensorArraySizeV3 TensorListLength", value_length, 0},
    {"Identity StopGradient PreventGradient Snapshot EnsureShape", value_same, 0},
    {"IdentityN", value_same_values, 0}, {"Cast", value_cast, 0}, {"Pack", value_pack, 0},
    {"Concat", value_concat, 0}, {"ConcatV2", value_concat_v2, 0}, {"Slice", value_slice, 0},
    {"StridedSlice", value_strided_slice, 0}, {"Gather", value_gather, -1},
    {"GatherV2", value_gather, 2}, {"Split", value_split, 0}, {"SplitV", value_split_v, 0},
    {"Unpack", value_unpack, 0}, {0},
};
