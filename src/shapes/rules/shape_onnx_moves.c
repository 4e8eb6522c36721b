/* shape_onnx_moves.c: shapes of ONNX operators that move elements: reshape, slice, split, join,
 * gather, expand (formats-onnx.md section 5). */
#include "shapes/shape_onnx.h"

#include <math.h>
#include <string.h>

/* Sets D[OPEN] to ELEMENTS divided by the product of the other N - 1 sizes, if all are known. */
static void fill_open(struct opctx *c, int64_t *d, uint32_t n, uint32_t open, int64_t elements)
{
    int64_t others = 1;

    for (uint32_t i = 0; i < n; i++)
        if (i != open)
            others = d[i] < 0 || others < 0 ? DIM_UNKNOWN : clamp_mul(others, d[i]);
    if (elements >= 0 && others > 0)
        d[open] = ctx_div(c, elements, others, true);
}

static void reshape(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *v = in_known(c, 1);
    const bool zeros = opctx_int(c, "allowzero", 0) != 0;
    int64_t d[DIMS_MAX_RANK], n_listed;
    const int64_t *list = onnx_list(c, "shape", 1, &n_listed);
    uint32_t n, open = UINT32_MAX;

    if (n_listed < 0 && v)
        list = v->v;
    n = n_listed < 0 ? (v ? v->n : 0) : (uint32_t)n_listed;
    if ((n_listed < 0 && !v) || n > DIMS_MAX_RANK || (!list && n)) {
        out_set(c, 0, n_listed < 0 && !v && in_shape(c, 1) && dim_at(in_shape(c, 1), 0) >= 0 &&
                              dim_at(in_shape(c, 1), 0) <= DIMS_MAX_RANK
                          ? ctx_unknown(c, (uint32_t)dim_at(in_shape(c, 1), 0)) : NULL);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        d[i] = list[i] < 0 ? DIM_UNKNOWN : list[i];
        if (list[i] == 0 && !zeros)
            d[i] = dim_at(s, i);
        if (list[i] == -1)
            open = i;
    }
    if (open != UINT32_MAX)
        fill_open(c, d, n, open, dims_full(s) ? dims_elements(s) : DIM_UNKNOWN);
    out_set(c, 0, ctx_new(c, n, d));
}

static void flatten(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t axis = opctx_int(c, "axis", 1);
    int64_t d[2];

    if (!s)
        return;
    axis = axis < 0 ? clamp_add(axis, s->rank) : axis;
    if (axis < 0 || axis > (int64_t)s->rank) {
        opctx_fail(c, "an axis is out of range");
        return;
    }
    d[0] = dims_elements(dims_slice(c->keep, s, 0, axis));
    d[1] = dims_elements(dims_slice(c->keep, s, axis, s->rank));
    out_set(c, 0, ctx_new(c, 2, d));
}

static void transpose(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    size_t n;
    const int64_t *perm = opctx_ints(c, "perm", &n);
    int64_t d[DIMS_MAX_RANK];
    uint32_t at;

    if (!s)
        return;
    if (perm && n != s->rank) {
        opctx_fail(c, "a permutation does not fit the rank");
        return;
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (!ctx_axis(c, perm ? perm[i] : clamp_sub(s->rank, i + 1), s->rank, &at))
            return;
        d[i] = s->d[at];
    }
    out_set(c, 0, ctx_new(c, s->rank, d));
}

/* Sets MARKED for the N AXES of RANK dimensions; false, after opctx_fail(), for an invalid axis. */
static bool mark(struct opctx *c, const int64_t *axes, int64_t n, uint32_t rank, bool *marked)
{
    uint32_t at;

    memset(marked, 0, DIMS_MAX_RANK * sizeof *marked);
    for (uint32_t i = 0; (int64_t)i < n; i++) {
        if (!ctx_axis(c, axes[i], rank, &at))
            return false;
        marked[at] = true;
    }
    return true;
}

static void squeeze(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    bool gone[DIMS_MAX_RANK];
    int64_t d[DIMS_MAX_RANK], n_axes;
    const int64_t *axes = onnx_list(c, "axes", 1, &n_axes);
    uint32_t n = 0;

    if (!s || n_axes < 0 || !mark(c, axes, n_axes, s->rank, gone))
        return;
    for (uint32_t i = 0; i < s->rank; i++) {
        if (n_axes == 0 && s->d[i] < 0)
            return;
        if (!gone[i] && (n_axes > 0 || s->d[i] != 1))
            d[n++] = s->d[i];
    }
    out_set(c, 0, ctx_new(c, n, d));
}

static void unsqueeze(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    bool is_new[DIMS_MAX_RANK];
    int64_t d[DIMS_MAX_RANK], n_axes;
    const int64_t *axes = onnx_list(c, "axes", 1, &n_axes);
    uint32_t rank, from = 0;

    if (!s || n_axes < 0 || n_axes > clamp_sub(DIMS_MAX_RANK, s->rank))
        return;
    rank = s->rank + (uint32_t)n_axes;
    if (!mark(c, axes, n_axes, rank, is_new))
        return;
    for (uint32_t i = 0; i < rank; i++)
        d[i] = is_new[i] || from == s->rank ? 1 : s->d[from++];
    out_set(c, 0, ctx_new(c, rank, d));
}

static void concat(struct opctx *c)
{
    const struct dims *s = NULL;
    int64_t size = 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < c->n_in; i++) {
        const struct dims *x = in_shape(c, i);

        if (!x || !ctx_axis(c, opctx_int(c, "axis", 1), x->rank, &at))
            return;
        size = x->d[at] < 0 || size < 0 ? DIM_UNKNOWN : ctx_add(c, size, x->d[at]);
        x = dims_replace(c->keep, x, at, DIM_UNKNOWN);
        s = s ? ctx_merge(c, s, x) : x;
    }
    if (s && at < s->rank)
        out_set(c, 0, dims_replace(c->keep, s, at, size));
}

static void split(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct attr_value *outputs = opctx_attr(c, "node outputs");
    const int64_t n = outputs && outputs->kind == ATTR_LIST ? outputs->n_items : 1;
    int64_t n_sizes;
    const int64_t *sizes = onnx_list(c, "split", 1, &n_sizes);
    uint32_t at;

    out_count(c, n);
    if (!s || !ctx_axis(c, opctx_int(c, "axis", 0), s->rank, &at))
        return;
    for (uint32_t k = 0; k < c->n_out; k++) {
        const int64_t i = c->out_index[k], each = s->d[at] < 0 ? -1 : quotient_up(s->d[at], n);
        int64_t size = DIM_UNKNOWN;

        if (n_sizes > 0 && i < n_sizes)
            size = sizes[i];
        else if (n_sizes == 0 && each >= 0)
            size = clamp_add(i, 1) < n ? each : clamp_sub(s->d[at], clamp_mul(each, clamp_sub(n, 1)));
        c->out[k].shape = dims_replace(c->keep, s, at, size < 0 ? DIM_UNKNOWN : size);
    }
}

int64_t onnx_slice_size(int64_t size, int64_t *from, int64_t to, int64_t step)
{
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : clamp_sub(size, 1);

    *from = *from < 0 ? clamp_add(*from, size) : *from;
    to = to < 0 ? clamp_add(to, size) : to;
    *from = *from < 0 ? 0 : *from > high ? high : *from;
    to = to < low ? low : to > high ? high : to;
    to = quotient_up(clamp_sub(to, *from), step);
    return to > 0 ? to : 0;
}

static void slice(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t d[DIMS_MAX_RANK], n, n_ends, n_axes, n_steps;
    const int64_t *starts = onnx_list(c, "starts", 1, &n), *ends = onnx_list(c, "ends", 2, &n_ends);
    const int64_t *axes = onnx_list(c, "axes", 3, &n_axes), *steps = onnx_list(c, "steps", 4, &n_steps);
    uint32_t at;

    if (!s)
        return;
    if (n < 0 || n_ends != n || (n_axes != 0 && n_axes != n) || (n_steps != 0 && n_steps != n)) {
        out_set(c, 0, ctx_unknown(c, s->rank));
        return;
    }
    memcpy(d, s->d, s->rank * sizeof *d);
    for (uint32_t i = 0; (int64_t)i < n; i++) {
        int64_t from = starts[i], step = n_steps ? steps[i] : 1;

        if (!ctx_axis(c, n_axes ? axes[i] : i, s->rank, &at))
            return;
        if (step == 0) {
            opctx_fail(c, "the step of a slice is 0");
            return;
        }
        if (d[at] >= 0)
            d[at] = onnx_slice_size(d[at], &from, ends[i], step);
        else if (!(from == 0 && step == 1 && ends[i] == INT64_MAX))
            d[at] = DIM_UNKNOWN;
    }
    out_set(c, 0, ctx_new(c, s->rank, d));
}

static void gather(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *indices = in_shape(c, 1);
    uint32_t at;

    if (!s || !indices || !ctx_axis(c, opctx_int(c, "axis", 0), s->rank, &at))
        return;
    out_set(c, 0, dims_concat(c->keep, dims_concat(c->keep, dims_slice(c->keep, s, 0, at), indices),
                              dims_slice(c->keep, s, at + 1, s->rank)));
}

static void gather_nd(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *indices = ctx_rank_at_least(c, in_shape(c, 1), 1);
    const int64_t batch = opctx_int(c, "batch_dims", 0), depth = dim_at(indices, -1);
    const int64_t from = clamp_add(batch, depth);

    if (!s || !indices || depth < 0 || batch < 0 || from > (int64_t)s->rank)
        return;
    out_set(c, 0, dims_concat(c->keep, dims_slice(c->keep, indices, 0, -1),
                              dims_slice(c->keep, s, from, s->rank)));
}

static void expand(struct opctx *c)
{
    const struct dims *to = in_as_shape(c, 1);

    if (to)
        out_set(c, 0, ctx_broadcast(c, in_shape(c, 0), to));
}

static void tile(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *times = in_known(c, 1);
    int64_t d[DIMS_MAX_RANK];

    if (!s)
        return;
    for (uint32_t i = 0; i < s->rank; i++)
        d[i] = times && times->n == s->rank && times->v[i] >= 0 ? ctx_mul(c, s->d[i], times->v[i])
                                                                : DIM_UNKNOWN;
    out_set(c, 0, ctx_new(c, s->rank, d));
}

static void shape_of(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t from = opctx_int(c, "start", 0), to = opctx_int(c, "end", INT64_MAX);

    out_set(c, 0, dims_vector(c->keep, s ? onnx_slice_size(s->rank, &from, to, 1) : DIM_UNKNOWN));
}

static void non_zero(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);

    out_set(c, 0, ctx_matrix(c, s ? larger_of(s->rank, 1) : DIM_UNKNOWN, DIM_UNKNOWN));
}

/* The constant at input I, an integer or not; NAN when it is unknown. */
static double number_at(const struct opctx *c, uint32_t i)
{
    const struct reals *r = i < c->n_in ? c->in[i].reals : NULL;
    int64_t v;

    if (in_const_scalar(c, i, &v))
        return (double)v;
    return r && r->n == 1 ? r->v[0] : NAN;
}

static void range(struct opctx *c)
{
    int64_t from, to, step, size = DIM_UNKNOWN;
    const double steps = ceil((number_at(c, 1) - number_at(c, 0)) / number_at(c, 2));

    if (in_const_scalar(c, 0, &from) && in_const_scalar(c, 1, &to) && in_const_scalar(c, 2, &step)) {
        if (step != 0)
            size = quotient_up(clamp_sub(to, from), step);
        size = step != 0 && size < 0 ? 0 : size;
    } else if (fabs(steps) < 9e15) {
        size = steps < 0 ? 0 : (int64_t)steps;
    }
    out_set(c, 0, dims_vector(c->keep, size));
}

static void one_hot(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const double depth = number_at(c, 1);
    uint32_t at;

    if (s && ctx_axis(c, opctx_int(c, "axis", -1), s->rank + 1, &at))
        out_set(c, 0, dims_insert(c->keep, s, at, depth >= 0 && depth < 9e15 ? (int64_t)depth : DIM_UNKNOWN));
}

static void from_list(struct opctx *c)
{
    size_t n;
    const int64_t *d = opctx_ints(c, "shape", &n);

    if (d && n <= DIMS_MAX_RANK)
        out_set(c, 0, ctx_new(c, n, d));
}

/* Output 0 is a selection of input 0 along `axis`, or of all its elements; those of Unique after it are
 * indices. */
static void some_elements(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *vector = dims_vector(c->keep, DIM_UNKNOWN);
    uint32_t at;

    out_count(c, 4);
    out_set_all(c, vector);
    if (!opctx_attr(c, "axis"))
        return;
    out_set(c, 0, s && ctx_axis(c, opctx_int(c, "axis", 0), s->rank, &at)
                      ? dims_replace(c->keep, s, at, DIM_UNKNOWN) : NULL);
}

/* An attribute that is a tensor, a number or a list of numbers. */
static void constant(struct opctx *c)
{
    static const char *const lists[] = {"value_ints", "value_floats", "value_strings"};
    static const char *const singles[] = {"value_int", "value_float", "value_string"};
    const struct attr_value *v = opctx_attr(c, "value");

    if (v && v->kind == ATTR_TENSOR)
        out_set(c, 0, opctx_dims(c, &v->v.tensor.shape));
    for (size_t i = 0; i < 3; i++) {
        v = opctx_attr(c, lists[i]);
        if (v && v->kind == ATTR_LIST)
            out_set(c, 0, dims_vector(c->keep, v->n_items));
        else if (opctx_attr(c, singles[i]))
            out_set(c, 0, &dims_scalar);
    }
}

const struct op_rule shape_rules_onnx_moves[] = {
    {"Reshape", reshape, 0}, {"Flatten", flatten, 0}, {"Transpose", transpose, 0},
    {"Squeeze", squeeze, 0}, {"Unsqueeze", unsqueeze, 0}, {"Concat", concat, 0},
    {"Split", split, 0}, {"Slice", slice, 0}, {"Gather", gather, 0}, {"GatherND", gather_nd, 0},
    {"Expand", expand, 0}, {"Tile", tile, 0}, {"Shape", shape_of, 0},
    {"NonZero", non_zero, 0}, {"Range", range, 0},
    {"OneHot", one_hot, 0}, {"Compress Unique", some_elements, 0},
    {"RandomNormal RandomUniform", from_list, 0}, {"Constant Parameter", constant, 0}, {0},
};
