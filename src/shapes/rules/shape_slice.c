/* shape_slice.c: shapes of slices, gathers and scatters (shapes.md sections 5.5 (Slice), 5.6 and
 * 5.8). */
#include "shapes/shape_rules.h"

static void shape_slice(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *begin = in_entries(c, 1), *size = in_entries(c, 2);
    int64_t d[DIMS_MAX_RANK], b, n;
    uint32_t rank;

    out_handle(c, 0, in_handle(c, 0));
    if (!s && !begin && !size)
        return;
    rank = s ? s->rank : size ? size->n : begin->n;
    if (rank > DIMS_MAX_RANK || (begin && begin->n != rank) || (size && size->n != rank)) {
        opctx_fail(c, "begin and size do not fit the rank");
        return;
    }
    for (uint32_t i = 0; i < rank; i++) {
        b = begin ? begin->v[i] : VALUE_UNKNOWN;
        n = size ? size->v[i] : VALUE_UNKNOWN;
        d[i] = n >= 0 ? n : DIM_UNKNOWN;
        if (n == -1 && b >= 0)
            d[i] = ctx_add(c, dim_at(s, i), clamp_neg(b));
        else if (n >= 0 && b >= 0 && dim_at(s, i) >= 0 &&
                 (n > s->d[i] || b > clamp_sub(s->d[i], n)))
            opctx_fail(c, "the slice is out of range");
        else if (n != VALUE_UNKNOWN && n < -1)
            opctx_fail(c, "a size is negative");
    }
    out_set(c, 0, ctx_new(c, rank, d));
}

/* ---- StridedSlice */

struct strided {
    const struct value *begin, *end, *strides;
    int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask;
};

static bool bit(int64_t mask, uint32_t i)
{
    return i < 32 && bit_at((uint64_t)mask, i);
}

/* The length of dimension I, of SIZE, after slicing, or DIM_UNKNOWN. */
static int64_t strided_size(struct opctx *c, const struct strided *m, uint32_t i, int64_t size)
{
    int64_t stride = m->strides->v[i];
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : clamp_sub(size, 1);
    int64_t from = m->begin ? m->begin->v[i] : VALUE_UNKNOWN;
    int64_t to = m->end ? m->end->v[i] : VALUE_UNKNOWN;
    /* TensorFlow uses begin and end only if both vectors are known. */
    bool both = c->stronger || (m->begin && m->end);
    int64_t length;

    if (stride == 0)
        opctx_fail(c, "a stride is 0");
    if (size < 0 || stride == 0)
        return DIM_UNKNOWN;
    if (bit(m->begin_mask, i))
        from = stride > 0 ? 0 : clamp_sub(size, 1);
    else if (from == VALUE_UNKNOWN || !both)
        return DIM_UNKNOWN;
    else
        from = from < 0 ? clamp_add(from, size) : from;
    if (bit(m->end_mask, i))
        to = stride > 0 ? size : -1;
    else if (to == VALUE_UNKNOWN || !both)
        return DIM_UNKNOWN;
    else
        to = to < 0 ? clamp_add(to, size) : to;
    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
    length = clamp_sub(to, from);
    if (length == 0 || (length < 0) != (stride < 0))
        return 0;
    return quotient_up(length, stride);
}

static void shrink_check(struct opctx *c, const struct strided *m, uint32_t i, int64_t size)
{
    int64_t at = m->begin ? m->begin->v[i] : VALUE_UNKNOWN;

    if (m->strides->v[i] <= 0)
        opctx_fail(c, "a dimension is removed with a stride that is not positive");
    if (size >= 0 && at != VALUE_UNKNOWN && !bit(m->begin_mask, i) &&
        (at < clamp_neg(size) || at >= size))
        opctx_fail(c, "an index is out of range");
}

/* Applies the specification to the dimensions of S (shapes.md section 5.6). */
static const struct dims *strided(struct opctx *c, const struct strided *m, const struct dims *s)
{
    uint32_t n = m->strides->n, n_out = 0, at = 0, stop, after = 0;
    int64_t d[DIMS_MAX_RANK + VALUE_MAX];
    bool seen = false;

    for (uint32_t i = 0; i < n; i++) {
        if (seen && bit(m->new_axis_mask, i))
            after++;
        if (seen && bit(m->ellipsis_mask, i))
            opctx_fail(c, "more than one ellipsis");
        seen |= bit(m->ellipsis_mask, i);
    }
    for (uint32_t i = 0; i < n && !c->failed; i++) {
        if (bit(m->ellipsis_mask, i)) {
            stop = s->rank + after + 1 > n - i ? s->rank + after + 1 - (n - i) : 0;
            for (stop = stop > s->rank ? s->rank : stop; at < stop; at++)
                d[n_out++] = s->d[at];
        } else if (bit(m->new_axis_mask, i)) {
            d[n_out++] = 1;
        } else if (at >= s->rank) {
            opctx_fail(c, "more indexes than dimensions");
        } else {
            if (bit(m->shrink_mask, i))
                shrink_check(c, m, i, s->d[at]);
            else
                d[n_out++] = strided_size(c, m, i, s->d[at]);
            at++;
        }
    }
    for (; !seen && at < s->rank && !c->failed; at++)
        d[n_out++] = s->d[at];
    return c->failed ? NULL : ctx_new(c, n_out, d);
}

static void shape_strided_slice(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    struct strided m = {
        .begin = c->stronger ? in_entries(c, 1) : in_const(c, 1),
        .end = c->stronger ? in_entries(c, 2) : in_const(c, 2),
        .strides = in_const(c, 3),
        .begin_mask = opctx_int(c, "begin_mask", 0),
        .end_mask = opctx_int(c, "end_mask", 0),
        .ellipsis_mask = opctx_int(c, "ellipsis_mask", 0),
        .new_axis_mask = opctx_int(c, "new_axis_mask", 0),
        .shrink_mask = opctx_int(c, "shrink_axis_mask", 0),
    };

    out_count(c, 1);
    out_handle(c, 0, in_handle(c, 0));
    if (!s || !m.strides)
        return;
    if ((m.begin && m.begin->n != m.strides->n) || (m.end && m.end->n != m.strides->n))
        opctx_fail(c, "begin, end and strides differ in length");
    else
        out_set(c, 0, strided(c, &m, s));
}

/* ---- gather */

/* DATA indexed by INDICES along AXIS; the first SHAPE_BATCH dimensions are common. */
static const struct dims *gathered(struct opctx *c, const struct dims *data,
                                   const struct dims *indices, int64_t axis, int64_t shape_batch)
{
    uint32_t at;

    data = ctx_rank_at_least(c, data, 1);
    if (!data || !indices)
        return NULL;
    shape_batch = shape_batch < 0 ? clamp_add(shape_batch, indices->rank) : shape_batch;
    if (shape_batch < 0 || shape_batch > (int64_t)indices->rank) {
        opctx_fail(c, "more batch dimensions than indices have");
        return NULL;
    }
    if (!ctx_axis(c, axis, data->rank, &at))
        return NULL;
    return dims_concat(c->keep, dims_slice(c->keep, data, 0, at),
                       dims_concat(c->keep, dims_slice(c->keep, indices, shape_batch,
                                                       indices->rank),
                                   dims_slice(c->keep, data, clamp_add(at, 1), data->rank)));
}

static void shape_gather(struct opctx *c)
{
    out_set(c, 0, gathered(c, in_shape(c, 0), in_shape(c, 1), 0, 0));
}

static void shape_gather_v2(struct opctx *c)
{
    const struct dims *data = in_shape(c, 0), *indices = in_shape(c, 1);
    int64_t shape_batch = opctx_int(c, "batch_dims", 0), axis;

    if (in_const_scalar(c, 2, &axis)) {
        out_set(c, 0, gathered(c, data, indices, axis, shape_batch));
    } else if (data && indices) {
        shape_batch = shape_batch < 0 ? clamp_add(shape_batch, indices->rank) : shape_batch;
        out_set(c, 0, ctx_unknown(c, clamp_sub(clamp_add(data->rank, indices->rank),
                                               clamp_add(shape_batch, 1))));
    }
}

static void shape_resource_gather(struct opctx *c)
{
    int64_t shape_batch = opctx_int(c, "batch_dims", 0);

    out_set(c, 0, gathered(c, handle_shape(c, 0, 0), in_shape(c, 1), shape_batch, shape_batch));
}

/* arg 0: gathers from input 0; 1: from the variable of the handle at input 0. */
static void shape_gather_nd(struct opctx *c)
{
    const struct dims *data = c->arg == 0 ? in_shape(c, 0) : handle_shape(c, 0, 0);
    const struct dims *indices = ctx_rank_at_least(c, in_shape(c, 1), 1);
    int64_t n = dim_at(indices, -1);

    if (!data || n < 0)
        return;
    if (n > (int64_t)data->rank)
        opctx_fail(c, "more indexes than dimensions");
    else
        out_set(c, 0, dims_concat(c->keep, dims_slice(c->keep, indices, 0, -1),
                                  dims_slice(c->keep, data, n, data->rank)));
}

static void shape_one_hot(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    uint32_t at;

    if (s && ctx_axis(c, opctx_int(c, "axis", -1), s->rank + 1, &at))
        out_set(c, 0, dims_insert(c->keep, s, at, in_const_dim(c, 1)));
}

static void shape_dynamic_partition(struct opctx *c)
{
    const struct dims *data = in_shape(c, 0), *parts = in_shape(c, 1), *s = NULL;

    out_count(c, opctx_int(c, "num_partitions", 1));
    if (data && parts && ctx_rank_at_least(c, data, parts->rank))
        s = dims_concat(c->keep, ctx_vector(c, DIM_UNKNOWN),
                        dims_slice(c->keep, data, parts->rank, data->rank));
    out_set_all(c, s);
}

static void shape_dynamic_stitch(struct opctx *c)
{
    uint32_t n = c->n_in / 2;
    int64_t largest = -1;
    bool all_constant = true;
    const struct dims *rest = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const struct dims *at = in_shape(c, i), *data = in_shape(c, n + i);
        const struct value *v = in_const(c, i);

        for (uint32_t k = 0; v && k < v->n; k++)
            largest = v->v[k] > largest ? v->v[k] : largest;
        all_constant &= v != NULL;
        if (at && data && ctx_rank_at_least(c, data, at->rank))
            rest = ctx_merge(c, rest, dims_slice(c->keep, data, at->rank, data->rank));
    }
    if (largest == INT64_MAX)
        opctx_fail(c, "an index is out of range");
    else
        out_set(c, 0,
                dims_concat(c->keep,
                            ctx_vector(c, all_constant ? clamp_add(largest, 1) : DIM_UNKNOWN),
                            rest));
}

/* The element-wise maximum of two dense shapes, without the last dimension. */
static void shape_edit_distance(struct opctx *c)
{
    const struct value *x = in_const(c, 2), *y = in_const(c, 5);
    int64_t d[DIMS_MAX_RANK];

    if (!x || !y || x->n == 0 || x->n != y->n || x->n > DIMS_MAX_RANK)
        return;
    for (uint32_t i = 0; i + 1 < x->n; i++)
        d[i] = x->v[i] > y->v[i] ? x->v[i] : y->v[i];
    out_set(c, 0, ctx_new(c, x->n - 1, d));
}

static void shape_batch(struct opctx *c)
{
    out_count(c, clamp_add(c->n_in, 2));
    for (uint32_t i = 0; i < c->n_in; i++)
        out_set(c, i, dims_concat(c->keep, ctx_vector(c, DIM_UNKNOWN),
                                  dims_slice(c->keep, ctx_rank_at_least(c, in_shape(c, i), 1), 1,
                                             DIMS_MAX_RANK)));
    out_set(c, c->n_in, ctx_matrix(c, DIM_UNKNOWN, 3));
    out_set(c, c->n_in + 1, &dims_scalar);
}

static void shape_unbatch_grad(struct opctx *c)
{
    const struct dims *s = in_shape(c, 2);

    out_set(c, 0, s ? ctx_unknown(c, s->rank) : NULL);
}

const struct op_rule shape_rules_slice[] = {
    {"Slice", shape_slice, 0}, {"StridedSlice", shape_strided_slice, 0},
    {"Gather", shape_gather, 0}, {"GatherV2", shape_gather_v2, 0}, {"GatherNd", shape_gather_nd, 0},
    {"ResourceGather", shape_resource_gather, 0}, {"ResourceGatherNd", shape_gather_nd, 1},
    {"OneHot", shape_one_hot, 0},
    {"DynamicPartition", shape_dynamic_partition, 0},
    {"DynamicStitch ParallelDynamicStitch", shape_dynamic_stitch, 0},
    {"EditDistance", shape_edit_distance, 0},
    {"Batch", shape_batch, 0},
    {"UnbatchGrad", shape_unbatch_grad, 0},
    {0},
};
