/* shape_reduce.c: shapes of reductions, arg max, top k and segments (shapes.md section 5.4). */
#include "shapes/shape_rules.h"

static const struct dims *reduced(struct opctx *c, const struct dims *s, const struct value *axes,
                                  bool keep)
{
    bool gone[DIMS_MAX_RANK] = {false};
    int64_t d[DIMS_MAX_RANK];
    uint32_t n = 0, at;

    for (uint32_t i = 0; i < axes->n; i++) {
        if (!ctx_axis(c, axes->v[i], s->rank, &at))
            return NULL;
        gone[at] = true;
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        if (gone[i] && !keep)
            continue;
        d[n++] = gone[i] ? 1 : s->d[i];
    }
    return ctx_new(c, n, d);
}

/* The shape when the axes are unknown: with KEEP the rank not_inlined, else stronger inference derives it
 * from the number of AXES. */
static const struct dims *reduced_unknown_axes(struct opctx *c, const struct dims *s,
                                          const struct dims *axes, bool keep)
{
    int64_t n = dims_elements(axes);

    if (keep)
        return ctx_unknown(c, s->rank);
    if (!c->stronger)
        return NULL;
    if (s->rank == 0)
        return &dims_scalar;
    return n >= 0 && n <= (int64_t)s->rank ? ctx_unknown(c, clamp_sub(s->rank, n)) : NULL;
}

static void shape_reduction(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *list = in_shape(c, 1);
    /* Old graphs have the list of axes as a matrix. */
    const struct value *axes = list && list->rank > 1 ? in_const_matrix(c, 1) : in_const(c, 1);
    bool keep = opctx_bool(c, "keep_dims", false);

    if (s && axes)
        out_set(c, 0, reduced(c, s, axes, keep));
    else if (s)
        out_set(c, 0, reduced_unknown_axes(c, s, in_shape(c, 1), keep));
}

/* The dense shape is the value of input 2. */
static void shape_sparse_reduction(struct opctx *c)
{
    const struct value *axes = in_const(c, 3);
    const struct dims *s = in_as_shape(c, 2);

    if (s && axes)
        out_set(c, 0, reduced(c, s, axes, opctx_bool(c, "keep_dims", false)));
}

static void shape_sparse_reduction_sparse(struct opctx *c)
{
    out_count(c, 3);
    if (!c->stronger)
        return;
    out_set(c, 0, ctx_unknown(c, 2));
    out_set(c, 1, ctx_unknown(c, 1));
    out_set(c, 2, ctx_unknown(c, 1));
}

static void shape_arg_max(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t axis;
    uint32_t at;

    if (!s)
        return;
    if (s->rank <= 1)
        out_set(c, 0, &dims_scalar);
    else if (!in_const_scalar(c, 1, &axis))
        out_set(c, 0, ctx_unknown(c, s->rank - 1));
    else if (ctx_axis(c, axis, s->rank, &at))
        out_set(c, 0, dims_drop(c->keep, s, at));
}

/* k is an attribute (arg 0) or input 1. */
static void shape_top_k(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);
    int64_t k = c->arg == 0 ? opctx_int(c, "k", DIM_UNKNOWN) : in_const_dim(c, 1);

    out_count(c, 2);
    if (s)
        s = dims_replace(c->keep, s, s->rank - 1, k);
    out_set(c, 0, s);
    out_set(c, 1, s);
}

static void shape_approx_top_k(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);
    int64_t k = opctx_int(c, "k", DIM_UNKNOWN);
    uint32_t at;

    out_count(c, 2);
    if (!s || !ctx_axis(c, opctx_int(c, "reduction_dimension", -1), s->rank, &at))
        return;
    s = dims_replace(c->keep, s, at, opctx_bool(c, "aggregate_to_topk", true) ? k : DIM_UNKNOWN);
    out_set(c, 0, s);
    out_set(c, 1, s);
}

static void shape_in_top_k(struct opctx *c)
{
    out_set(c, 0, ctx_vector(c, ctx_merge_dim(c, dim_at(in_shape(c, 0), 0),
                                              dim_at(in_shape(c, 1), 0))));
}

static void shape_dense_bincount(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const int64_t matrix[] = {dim_at(s, 0), in_const_dim(c, 1)};

    if (s && s->rank <= 2)
        out_set(c, 0, s->rank == 2 ? ctx_new(c, 2, matrix) : ctx_vector(c, matrix[1]));
}

/* The dense shape is input 2, the number of bins input 3. */
static void shape_sparse_bincount(struct opctx *c)
{
    const struct dims *s = in_as_shape(c, 2);
    const int64_t matrix[] = {dim_at(s, 0), in_const_dim(c, 3)};

    if (s && s->rank >= 1 && s->rank <= 2)
        out_set(c, 0, s->rank == 2 ? ctx_new(c, 2, matrix) : ctx_vector(c, matrix[1]));
}

static void shape_cross(struct opctx *c)
{
    const struct dims *s = ctx_merge(c, in_shape(c, 0), in_shape(c, 1));

    s = ctx_rank_at_least(c, s, 1);
    if (s)
        s = dims_replace(c->keep, s, s->rank - 1, ctx_merge_dim(c, s->d[s->rank - 1], 3));
    out_set(c, 0, s);
}

static void shape_unsorted_segments(struct opctx *c)
{
    const struct dims *ids = in_shape(c, 1), *data = in_shape(c, 0);

    if (ids && data)
        out_set(c, 0, dims_concat(c->keep, ctx_vector(c, in_const_dim(c, 2)),
                                  dims_slice(c->keep, ctx_rank_at_least(c, data, ids->rank),
                                             ids->rank, DIMS_MAX_RANK)));
}

const struct op_rule shape_rules_reduce[] = {
    {"Sum Mean Prod Max Min All Any EuclideanNorm ReduceJoin", shape_reduction, 0},
    {"SparseReduceSum SparseReduceMax", shape_sparse_reduction, 0},
    {"SparseReduceSumSparse SparseReduceMaxSparse", shape_sparse_reduction_sparse, 0},
    {"ArgMax ArgMin", shape_arg_max, 0}, {"TopK", shape_top_k, 0}, {"TopKV2", shape_top_k, 1},
    {"ApproxTopK", shape_approx_top_k, 0},
    {"InTopK InTopKV2", shape_in_top_k, 0},
    {"DenseBincount", shape_dense_bincount, 0}, {"SparseBincount", shape_sparse_bincount, 0},
    {"Cross", shape_cross, 0},
    {"UnsortedSegmentSum UnsortedSegmentProd UnsortedSegmentMax UnsortedSegmentMin",
     shape_unsorted_segments, 0},
    {0},
};
