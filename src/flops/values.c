/* values.c: what small integer tensors hold, because shapes are computed in
 * the graph; shapes.md section 3. */
#include "flops/shape_rules.h"

#include <string.h>

static void set_value(struct opctx *c, uint32_t i, const struct value *v)
{
    if (i < c->n_out)
        c->out[i].value = v;
}

/* Whatever is known of input I: in the eyes of TensorFlow only constants,
 * unless the op hands on parts. */
static const struct value *input(const struct opctx *c, uint32_t i)
{
    if (!c->stronger)
        return in_const(c, i);
    return i < c->n_in ? c->in[i].value : NULL;
}

static bool all_const(const struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        if (!in_const(c, i))
            return false;
    return true;
}

static bool is_integer(int dtype)
{
    /* uint8, int16, int8, int32, int64, bool, uint16, uint32, uint64 */
    return dtype == 3 || dtype == 4 || dtype == 5 || dtype == 6 || dtype == 9 || dtype == 10 ||
           dtype == 17 || dtype == 22 || dtype == 23;
}

static void const_value(struct opctx *c)
{
    const struct attr_value *a = opctx_attr(c, "value");
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    int64_t n = dims_elements(s);
    struct value *v;

    if (!a || a->kind != ATTR_TENSOR || !is_integer(a->v.tensor.dtype) || !s || s->rank > 1 ||
        n < 0 || n > VALUE_MAX)
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    if (c->source->int64s(&a->v.tensor, v->v, VALUE_MAX) == n)
        set_value(c, 0, value_seal(c, v, true));
}

/* ---- values made of shapes */

static const struct value *value_of_shape(struct opctx *c, const struct dims *s)
{
    struct value *v;

    if (!s)
        return NULL;
    v = value_new(c, s->rank, false);
    for (uint32_t i = 0; i < s->rank; i++)
        v->v[i] = s->d[i] < 0 ? VALUE_UNKNOWN : s->d[i];
    return value_seal(c, v, dims_full(s));
}

static void shape_value(struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        set_value(c, i, value_of_shape(c, in_shape(c, i)));
}

static void variable_shape_value(struct opctx *c)
{
    set_value(c, 0, value_of_shape(c, handle_shape(c, 0, 0)));
}

static void scalar_value(struct opctx *c, int64_t number)
{
    struct value *v = value_new(c, 1, true);

    v->v[0] = number;
    set_value(c, 0, value_seal(c, v, true));
}

static void rank_value(struct opctx *c)
{
    if (in_shape(c, 0))
        scalar_value(c, in_shape(c, 0)->rank);
}

static void size_value(struct opctx *c)
{
    if (dims_full(in_shape(c, 0)))
        scalar_value(c, dims_elements(in_shape(c, 0)));
}

/* ---- values handed on */

static void same_value(struct opctx *c)
{
    set_value(c, 0, input(c, 0));
}

static void same_values(struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        set_value(c, i, input(c, i));
}

/* Between integers: also what is known in parts. */
static void cast_value(struct opctx *c)
{
    if (c->n_in > 0 && is_integer((int)opctx_int(c, "DstT", 9)))
        set_value(c, 0, c->in[0].value);
}

static void pack_value(struct opctx *c)
{
    struct value *v;

    if (opctx_int(c, "axis", 0) != 0 || c->n_in > VALUE_MAX)
        return;
    v = value_new(c, c->n_in, false);
    for (uint32_t i = 0; i < c->n_in; i++) {
        const struct value *x = input(c, i);

        if (in_shape(c, i) && in_shape(c, i)->rank != 0)
            return;
        if (x && x->scalar)
            v->v[i] = x->v[0];
    }
    set_value(c, 0, value_seal(c, v, all_const(c)));
}

/* Joins inputs [FROM, TO); each as far as it is known. */
static void join_values(struct opctx *c, uint32_t from, uint32_t to)
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
    set_value(c, 0, value_seal(c, v, folded));
}

static void concat_value(struct opctx *c)
{
    join_values(c, 1, c->n_in);
}

static void concat_v2_value(struct opctx *c)
{
    if (c->n_in > 0)
        join_values(c, 0, c->n_in - 1);
}

/* ---- pieces */

/* Entries FROM, FROM + STEP, ...: N of them. */
static struct value *pieces(struct opctx *c, const struct value *x, int64_t from, int64_t step,
                            uint32_t n)
{
    struct value *v = value_new(c, n, false);

    for (uint32_t i = 0; i < n; i++) {
        int64_t at = from + (int64_t)i * step;

        if (at >= 0 && at < (int64_t)x->n)
            v->v[i] = x->v[at];
    }
    return v;
}

static void slice_value(struct opctx *c)
{
    const struct value *x = input(c, 0), *begin = in_const(c, 1), *size = in_const(c, 2);
    int64_t n;

    if (!x || x->scalar || !begin || !size || begin->n != 1 || size->n != 1)
        return;
    n = size->v[0] == -1 ? (int64_t)x->n - begin->v[0] : size->v[0];
    if (begin->v[0] >= 0 && n >= 0 && begin->v[0] <= (int64_t)x->n && n <= (int64_t)x->n - begin->v[0])
        set_value(c, 0, value_seal(c, pieces(c, x, begin->v[0], 1, (uint32_t)n), x->folded));
}

/* One index into X; the exception of section 3 makes it a constant. */
static void shrunk_value(struct opctx *c, const struct value *x, const struct value *begin)
{
    int64_t at = begin->v[0] < 0 ? begin->v[0] + (int64_t)x->n : begin->v[0];
    bool direct = in_is_op(c, 0, "Shape") && in_is_op(c, 1, "Const") && in_is_op(c, 2, "Const") &&
                  in_is_op(c, 3, "Const");
    struct value *v;

    if (at < 0 || at >= (int64_t)x->n || (!x->folded && !direct && !c->stronger))
        return;
    v = value_new(c, 1, true);
    v->v[0] = x->v[at];
    set_value(c, 0, value_seal(c, v, true));
}

static void strided_slice_value(struct opctx *c)
{
    const struct value *x = c->n_in > 0 ? c->in[0].value : NULL;
    const struct value *begin = in_const(c, 1), *end = in_const(c, 2), *strides = in_const(c, 3);
    int64_t masks = opctx_int(c, "ellipsis_mask", 0) | opctx_int(c, "new_axis_mask", 0);
    int64_t from, to, step, low, high, n;

    if (!x || x->scalar || !begin || !end || !strides || begin->n != 1 || end->n != 1 ||
        strides->n != 1 || strides->v[0] == 0 || masks != 0)
        return;
    if (opctx_int(c, "shrink_axis_mask", 0) & 1) {
        shrunk_value(c, x, begin);
        return;
    }
    n = x->n;
    step = strides->v[0];
    low = step > 0 ? 0 : -1;
    high = step > 0 ? n : n - 1;
    from = begin->v[0] < 0 ? begin->v[0] + n : begin->v[0];
    to = end->v[0] < 0 ? end->v[0] + n : end->v[0];
    if (opctx_int(c, "begin_mask", 0) & 1)
        from = step > 0 ? 0 : n - 1;
    if (opctx_int(c, "end_mask", 0) & 1)
        to = step > 0 ? n : -1;
    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
    step = step > VALUE_MAX ? VALUE_MAX : step < -VALUE_MAX ? -VALUE_MAX : step;
    n = step > 0 ? (to - from + step - 1) / step : (from - to - step - 1) / -step;
    set_value(c, 0, value_seal(c, pieces(c, x, from, step, n > 0 ? (uint32_t)n : 0), x->folded));
}

/* arg: the input with the axis, -1 for none. */
static void gather_value(struct opctx *c)
{
    const struct value *x = input(c, 0), *at = in_const(c, 1);
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
    set_value(c, 0, value_seal(c, v, x->folded));
}

static void split_value(struct opctx *c)
{
    const struct value *x = input(c, 1);
    int64_t n = opctx_int(c, "num_split", 0);

    if (!x || x->scalar || n <= 0 || (int64_t)x->n % n != 0)
        return;
    for (uint32_t i = 0; i < c->n_out; i++)
        set_value(c, i, value_seal(c, pieces(c, x, (int64_t)i * ((int64_t)x->n / n), 1,
                                             (uint32_t)((int64_t)x->n / n)),
                                   x->folded));
}

/* The lengths are those of the outputs, which the shape rule found. */
static void split_v_value(struct opctx *c)
{
    const struct value *x = input(c, 0);
    int64_t at = 0, n;

    if (!x || x->scalar)
        return;
    for (uint32_t i = 0; i < c->n_out; i++) {
        n = dim_at(c->out[i].shape, 0);
        if (n < 0 || n > (int64_t)x->n - at)
            return;
        set_value(c, i, value_seal(c, pieces(c, x, at, 1, (uint32_t)n), x->folded));
        at += n;
    }
}

static void unpack_value(struct opctx *c)
{
    const struct value *x = input(c, 0);

    if (!x || x->scalar)
        return;
    for (uint32_t i = 0; i < c->n_out && i < x->n; i++) {
        struct value *v = value_new(c, 1, true);

        v->v[0] = x->v[i];
        set_value(c, i, value_seal(c, v, x->folded));
    }
}

/* ---- arithmetic */

enum {
    OP_ADD, OP_SUB, OP_MUL, OP_FLOOR_DIV, OP_DIV, OP_FLOOR_MOD, OP_MOD, OP_MAX, OP_MIN, OP_NEG,
    OP_ABS, OP_EQUAL, OP_NOT_EQUAL, OP_GREATER, OP_GREATER_EQUAL, OP_LESS, OP_LESS_EQUAL,
};

static int64_t divided(int op, int64_t a, int64_t b)
{
    int64_t quotient, rest;

    if (b == 0 || (a == INT64_MIN && b == -1))
        return VALUE_UNKNOWN;
    quotient = a / b;
    rest = a % b;
    switch (op) {
    case OP_FLOOR_DIV: return quotient - (rest != 0 && (rest < 0) != (b < 0));
    case OP_FLOOR_MOD: return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    case OP_MOD:       return rest;
    default:           return quotient;
    }
}

static int64_t combined(int op, int64_t a, int64_t b)
{
    int64_t v;

    if (a == VALUE_UNKNOWN || b == VALUE_UNKNOWN)
        return VALUE_UNKNOWN;
    switch (op) {
    case OP_ADD: return __builtin_add_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_SUB: return __builtin_sub_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_MUL: return __builtin_mul_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_MAX: return a > b ? a : b;
    case OP_MIN: return a < b ? a : b;
    case OP_NEG: return -a;
    case OP_ABS: return a < 0 ? -a : a;
    case OP_EQUAL: return a == b;
    case OP_NOT_EQUAL: return a != b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    default: return divided(op, a, b);
    }
}

static void binary_value(struct opctx *c)
{
    const struct value *a = input(c, 0), *b = input(c, 1);
    struct value *v;
    uint32_t n;

    if (!a || !b || (a->n != b->n && a->n != 1 && b->n != 1))
        return;
    n = a->n == 1 ? b->n : a->n;
    v = value_new(c, n, a->scalar && b->scalar);
    for (uint32_t i = 0; i < n; i++)
        v->v[i] = combined(c->arg, a->v[a->n == 1 ? 0 : i], b->v[b->n == 1 ? 0 : i]);
    set_value(c, 0, value_seal(c, v, a->folded && b->folded));
}

static void unary_value(struct opctx *c)
{
    const struct value *a = input(c, 0);
    struct value *v;

    if (!a)
        return;
    v = value_new(c, a->n, a->scalar);
    for (uint32_t i = 0; i < a->n; i++)
        v->v[i] = combined(c->arg, a->v[i], 0);
    set_value(c, 0, value_seal(c, v, a->folded));
}

static void reduced_value(struct opctx *c)
{
    const struct value *a = input(c, 0), *axes = in_const(c, 1);
    int64_t total;
    struct value *v;

    if (!a || !axes || (axes->n == 0 && !a->scalar))
        return;
    total = c->arg == OP_MUL ? 1 : 0;
    if ((c->arg == OP_MAX || c->arg == OP_MIN) && a->n == 0)
        return;
    if (c->arg == OP_MAX || c->arg == OP_MIN)
        total = a->v[0];
    for (uint32_t i = 0; i < a->n; i++)
        total = combined(c->arg, total, a->v[i]);
    v = value_new(c, 1, !opctx_bool(c, "keep_dims", false) || a->scalar);
    v->v[0] = total;
    set_value(c, 0, value_seal(c, v, a->folded));
}

static void select_value(struct opctx *c)
{
    int64_t which;

    if (in_const_scalar(c, 0, &which))
        set_value(c, 0, input(c, which ? 1 : 2));
}

/* ---- made of constants */

/* The shape that the shape rule found, filled with one number. */
static void fill_value(struct opctx *c)
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
    set_value(c, 0, value_seal(c, v, true));
}

static void like_value(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t n = dims_elements(s);
    struct value *v;

    if (!s || s->rank > 1 || n < 0 || n > VALUE_MAX ||
        !is_integer((int)opctx_int(c, "T", 0)) || (!in_const(c, 0) && !c->stronger))
        return;
    v = value_new(c, (uint32_t)n, s->rank == 0);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = c->arg;
    set_value(c, 0, value_seal(c, v, true));
}

static void range_value(struct opctx *c)
{
    int64_t start, limit, delta, n = c->n_out > 0 ? dim_at(c->out[0].shape, 0) : DIM_UNKNOWN;
    struct value *v;

    if (!in_const_scalar(c, 0, &start) || !in_const_scalar(c, 1, &limit) ||
        !in_const_scalar(c, 2, &delta) || n < 0 || n > VALUE_MAX)
        return;
    v = value_new(c, (uint32_t)n, false);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = combined(OP_ADD, start, combined(OP_MUL, delta, i));
    set_value(c, 0, value_seal(c, v, true));
}

/* The same entries as a scalar or vector, as the shape rule says. */
static void reshaped_value(struct opctx *c)
{
    const struct value *x = input(c, 0);
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    struct value *v;

    if (!x || !s || s->rank > 1 || (s->rank == 0 && x->n != 1))
        return;
    if (c->arg > 0 && !in_const(c, (uint32_t)c->arg) && !c->stronger)
        return;
    v = value_new(c, x->n, s->rank == 0);
    memcpy(v->v, x->v, x->n * sizeof v->v[0]);
    set_value(c, 0, value_seal(c, v, x->folded));
}

static void tile_value(struct opctx *c)
{
    const struct value *x = input(c, 0), *times = in_const(c, 1);
    struct value *v;

    if (!x || x->scalar || x->n == 0 || !times || times->n != 1 || times->v[0] < 0 ||
        times->v[0] > VALUE_MAX / (int64_t)x->n)
        return;
    v = value_new(c, x->n * (uint32_t)times->v[0], false);
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i] = x->v[i % x->n];
    set_value(c, 0, value_seal(c, v, x->folded));
}

/* All of a vector backwards, when input 1 says so. */
static void reverse_value(struct opctx *c)
{
    const struct value *x = input(c, 0), *axes = in_const(c, 1);

    if (!x || x->scalar || !axes)
        return;
    if (axes->n == 0 || (c->arg == 1 && axes->v[0] == 0))
        set_value(c, 0, x);
    else
        set_value(c, 0, value_seal(c, pieces(c, x, (int64_t)x->n - 1, -1, x->n), x->folded));
}

static void invert_permutation_value(struct opctx *c)
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
    set_value(c, 0, value_seal(c, v, true));
}

static bool holds(const struct value *x, int64_t number)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->v[i] == number)
            return true;
    return false;
}

static void list_diff_value(struct opctx *c)
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
    set_value(c, 0, value_seal(c, out, true));
    set_value(c, 1, value_seal(c, at, true));
}

static void broadcast_args_value(struct opctx *c)
{
    const struct value *a = input(c, 0), *b = input(c, 1);
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
    set_value(c, 0, value_seal(c, v, a->folded && b->folded));
}

/* The axes over which the gradient of each operand is summed. */
static void broadcast_gradient_value(struct opctx *c)
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

            if (mine == 1 && !same) /* where both are 1, TensorFlow sums on both sides */
                v->v[v->n++] = i;
        }
        set_value(c, side, value_seal(c, v, true));
    }
}

static void concat_offset_value(struct opctx *c)
{
    int64_t axis, offset = 0;

    if (!all_const(c) || !in_const_scalar(c, 0, &axis))
        return;
    for (uint32_t i = 1; i < c->n_in; i++) {
        const struct value *x = in_const(c, i);
        struct value *v = value_new(c, x->n, false);
        int64_t at = axis < 0 ? axis + (int64_t)x->n : axis;

        if (at < 0 || at >= (int64_t)x->n)
            return;
        memset(v->v, 0, v->n * sizeof v->v[0]);
        v->v[at] = offset;
        offset = combined(OP_ADD, offset, x->v[at]);
        set_value(c, i - 1, value_seal(c, v, true));
    }
}

const struct op_rule value_rules[] = {
    {"Const HostConst", const_value, 0},
    {"Shape ShapeN", shape_value, 0},
    {"VariableShape", variable_shape_value, 0},
    {"Rank", rank_value, 0},
    {"Size", size_value, 0},
    {"Identity StopGradient PreventGradient Snapshot EnsureShape", same_value, 0},
    {"IdentityN", same_values, 0},
    {"Cast", cast_value, 0},
    {"Pack", pack_value, 0},
    {"Concat", concat_value, 0},
    {"ConcatV2", concat_v2_value, 0},
    {"Slice", slice_value, 0},
    {"StridedSlice", strided_slice_value, 0},
    {"Gather", gather_value, -1},
    {"GatherV2", gather_value, 2},
    {"Split", split_value, 0},
    {"SplitV", split_v_value, 0},
    {"Unpack", unpack_value, 0},
    {"Add AddV2", binary_value, OP_ADD},
    {"Sub", binary_value, OP_SUB},
    {"Mul", binary_value, OP_MUL},
    {"FloorDiv", binary_value, OP_FLOOR_DIV},
    {"RealDiv Div TruncateDiv", binary_value, OP_DIV},
    {"FloorMod", binary_value, OP_FLOOR_MOD},
    {"Mod TruncateMod", binary_value, OP_MOD},
    {"Maximum", binary_value, OP_MAX},
    {"Minimum", binary_value, OP_MIN},
    {"Neg", unary_value, OP_NEG},
    {"Abs", unary_value, OP_ABS},
    {"Equal", binary_value, OP_EQUAL},
    {"NotEqual", binary_value, OP_NOT_EQUAL},
    {"Greater", binary_value, OP_GREATER},
    {"GreaterEqual", binary_value, OP_GREATER_EQUAL},
    {"Less", binary_value, OP_LESS},
    {"LessEqual", binary_value, OP_LESS_EQUAL},
    {"Prod", reduced_value, OP_MUL},
    {"Sum", reduced_value, OP_ADD},
    {"Max", reduced_value, OP_MAX},
    {"Min", reduced_value, OP_MIN},
    {"Select SelectV2", select_value, 0},
    {"Fill", fill_value, 0},
    {"ZerosLike", like_value, 0},
    {"OnesLike", like_value, 1},
    {"Range", range_value, 0},
    {"Reshape ExpandDims", reshaped_value, 1},
    {"Squeeze", reshaped_value, 0},
    {"Tile", tile_value, 0},
    {"Reverse", reverse_value, 1},
    {"ReverseV2", reverse_value, 0},
    {"InvertPermutation", invert_permutation_value, 0},
    {"ListDiff", list_diff_value, 0},
    {"BroadcastArgs", broadcast_args_value, 0},
    {"BroadcastGradientArgs", broadcast_gradient_value, 0},
    {"ConcatOffset", concat_offset_value, 0},
    {0},
};
