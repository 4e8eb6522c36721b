/* shape_matrix.c: shapes of matrix products, Einsum, solvers, decompositions and Fourier
 * transforms (shapes.md section 5.10). */
#include "shapes/shape_rules.h"

#include "shapes/rules/dot_numbers.h"
#include "shapes/rules/einsum.h"

/* The product, then arg scalars. */
static void shape_mat_mul(struct opctx *c)
{
    const struct dims *a = ctx_rank(c, in_shape(c, 0), 2), *b = ctx_rank(c, in_shape(c, 1), 2);
    bool ta = opctx_bool(c, "transpose_a", false), tb = opctx_bool(c, "transpose_b", false);

    out_count(c, clamp_add(1, c->arg));
    (void)ctx_merge_dim(c, dim_at(a, ta ? 0 : 1), dim_at(b, tb ? 1 : 0));
    out_set(c, 0, ctx_matrix(c, dim_at(a, ta ? 1 : 0), dim_at(b, tb ? 0 : 1)));
    out_scalars(c, 1, 1 + (uint32_t)c->arg);
}

static const struct dims *batch_and(struct opctx *c, const struct dims *batch, int64_t rows,
                                    int64_t cols)
{
    return dims_concat(c->keep, batch, ctx_matrix(c, rows, cols));
}

/* arg 0: batch dimensions have to be equal; 1: they are broadcast. */
static void shape_batch_mat_mul(struct opctx *c)
{
    const struct dims *a = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *b = ctx_rank_at_least(c, in_shape(c, 1), 2), *x, *y;
    bool adj_x = opctx_bool(c, "adj_x", false), adj_y = opctx_bool(c, "adj_y", false);

    if (!a || !b)
        return;
    (void)ctx_merge_dim(c, dim_at(a, adj_x ? -2 : -1), dim_at(b, adj_y ? -1 : -2));
    x = dims_slice(c->keep, a, 0, -2);
    y = dims_slice(c->keep, b, 0, -2);
    out_set(c, 0, batch_and(c, c->arg == 0 ? ctx_merge(c, x, y) : ctx_broadcast(c, x, y),
                            dim_at(a, adj_x ? -1 : -2), dim_at(b, adj_y ? -2 : -1)));
}

static void shape_einsum(struct opctx *c)
{
    struct einsum e;
    struct attr_bytes equation = opctx_string(c, "equation", "");

    for (uint32_t i = 0; i < c->n_in; i++)
        if (!in_shape(c, i))
            return;
    if (!einsum_parse(&e, equation.bytes, equation.len, c->in, c->n_in))
        opctx_fail(c, "the equation does not fit the operands");
    else
        out_set(c, 0, einsum_output(&e, c->keep));
}

/* XlaDot: batch dimensions, free ones of the left operand, free ones of the right operand. */
static void shape_xla_dot(struct opctx *c)
{
    const struct dims *a = in_shape(c, 0), *b = in_shape(c, 1);
    struct dot_numbers dot;
    int64_t d[2 * DIMS_MAX_RANK];
    struct attr_bytes bytes = opctx_string(c, "dimension_numbers", "");
    size_t n = 0;

    if (!a || !b || !dot_numbers_parse(&dot, bytes.bytes, bytes.len))
        return;
    for (uint32_t i = 0; i < dot.n[DOT_LEFT_BATCH]; i++)
        d[n++] = dim_at(a, dot.at[DOT_LEFT_BATCH][i]);
    for (uint32_t i = 0; i < a->rank; i++)
        if (!dot_numbers_has(&dot, DOT_LEFT_BATCH, i) &&
            !dot_numbers_has(&dot, DOT_LEFT_CONTRACTING, i))
            d[n++] = a->d[i];
    for (uint32_t i = 0; i < b->rank && n < 2 * DIMS_MAX_RANK; i++)
        if (!dot_numbers_has(&dot, DOT_RIGHT_BATCH, i) &&
            !dot_numbers_has(&dot, DOT_RIGHT_CONTRACTING, i))
            d[n++] = b->d[i];
    out_set(c, 0, ctx_new(c, n, d));
}

static void shape_sparse_dense_mat_mul(struct opctx *c)
{
    const struct dims *a = in_as_shape(c, 2), *b = ctx_rank(c, in_shape(c, 3), 2);

    out_set(c, 0, ctx_matrix(c, dim_at(a, opctx_bool(c, "adjoint_a", false) ? 1 : 0),
                             dim_at(b, opctx_bool(c, "adjoint_b", false) ? 0 : 1)));
}

const struct op_rule shape_rules_matrix[] = {
    {"MatMul SparseMatMul _FusedMatMul _MklMatMul _MklFusedMatMul _MklNativeFusedMatMul",
     shape_mat_mul,
     0},
    {"QuantizedMatMul QuantizedMatMulWithBias QuantizedMatMulWithBiasAndRelu "
     "QuantizedMatMulWithBiasAndReluAndRequantize QuantizedMatMulWithBiasAndRequantize "
     "_QuantizedMatMul",
     shape_mat_mul, 2},
    {"QuantizedMatMulWithBiasAndDequantize", shape_mat_mul, 0},
    {"BatchMatMul _MklBatchMatMul", shape_batch_mat_mul, 0},
    {"BatchMatMulV2 BatchMatMulV3 _MklBatchMatMulV2 _MklFusedBatchMatMulV2", shape_batch_mat_mul,
     1},
    {"Einsum XlaEinsum _MklEinsum", shape_einsum, 0},
    {"XlaDot XlaDotV2", shape_xla_dot, 0},
    {"SparseTensorDenseMatMul", shape_sparse_dense_mat_mul, 0},
    {0},
};

/* arg 0: batch dimensions have to be equal; 1: they are broadcast. */
static void shape_solve(struct opctx *c)
{
    const struct dims *a = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *b = ctx_rank_at_least(c, in_shape(c, 1), 2), *x, *y;

    if (!a || !b)
        return;
    (void)ctx_merge_dim(c, dim_at(a, -2), dim_at(a, -1));
    (void)ctx_merge_dim(c, dim_at(a, -2), dim_at(b, -2));
    x = dims_slice(c->keep, a, 0, -2);
    y = dims_slice(c->keep, b, 0, -2);
    out_set(c, 0, batch_and(c, c->arg == 0 ? ctx_merge(c, x, y) : ctx_broadcast(c, x, y),
                            dim_at(a, -1), dim_at(b, -1)));
}

static void shape_least_squares(struct opctx *c)
{
    const struct dims *a = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *b = ctx_rank_at_least(c, in_shape(c, 1), 2);

    if (a && b)
        out_set(c, 0, batch_and(c, ctx_merge(c, dims_slice(c->keep, a, 0, -2),
                                             dims_slice(c->keep, b, 0, -2)),
                                dim_at(a, -1), dim_at(b, -1)));
}

static void shape_qr(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2), *batch;
    int64_t m = dim_at(s, -2), n = dim_at(s, -1);
    int64_t p = opctx_bool(c, "full_matrices", false) ? m : dim_min(m, n);

    out_count(c, 2);
    batch = dims_slice(c->keep, s, 0, -2);
    out_set(c, 0, batch_and(c, batch, m, p));
    out_set(c, 1, batch_and(c, batch, p, n));
}

static void shape_svd(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2), *batch;
    int64_t m = dim_at(s, -2), n = dim_at(s, -1), p = dim_min(m, n);
    bool full = opctx_bool(c, "full_matrices", false);

    out_count(c, 3);
    batch = dims_slice(c->keep, s, 0, -2);
    out_set(c, 0, dims_concat(c->keep, batch, ctx_vector(c, p)));
    if (opctx_bool(c, "compute_uv", true)) {
        out_set(c, 1, batch_and(c, batch, m, full ? m : p));
        out_set(c, 2, batch_and(c, batch, n, full ? n : p));
    } else {
        out_set(c, 1, ctx_vector(c, 0));
        out_set(c, 2, ctx_vector(c, 0));
    }
}

static void shape_lu(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);

    out_count(c, 2);
    out_set(c, 0, s);
    out_set(c, 1, dims_slice(c->keep, s, 0, -1));
}

static void shape_eigen(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);

    out_count(c, 2);
    out_set(c, 0, dims_slice(c->keep, s, 0, -1));
    out_set(c, 1, opctx_bool(c, "compute_v", true) ? s : ctx_vector(c, 0));
}

static void shape_eigen_v1(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    int64_t n = dim_at(s, -1);

    out_set(c, 0, batch_and(c, dims_slice(c->keep, s, 0, -2), ctx_add(c, n, 1), n));
}

/* The last |arg| sizes become fft_length (input 1); with arg > 0 the last one becomes n / 2 + 1. */
static void shape_real_fft(struct opctx *c)
{
    uint32_t n = (uint32_t)(c->arg < 0 ? clamp_neg(c->arg) : c->arg), at;
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), n);
    const struct value *length = in_const(c, 1);
    int64_t size;

    if (!s)
        return;
    if (length && length->n != n)
        opctx_fail(c, "fft_length has the wrong number of entries");
    for (uint32_t i = 0; i < n && !c->failed; i++) {
        at = s->rank - n + i;
        size = length ? length->v[i] : DIM_UNKNOWN;
        if (c->arg > 0 && i + 1 == n && size > 0)
            size = clamp_add(size / 2, 1);
        s = dims_replace(c->keep, s, at, size);
    }
    out_set(c, 0, s);
}

/* TensorFlow returns the shape of the input for all lengths; arg 1: RFFTND. */
static void shape_fft_nd(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const struct value *length = in_const(c, 1), *axes = in_const(c, 2);
    int64_t size;
    uint32_t at;

    if (s && c->stronger && length && axes && length->n == axes->n)
        for (uint32_t i = 0; i < axes->n; i++) {
            if (!ctx_axis(c, axes->v[i], s->rank, &at))
                return;
            size = length->v[i];
            if (c->arg == 1 && i + 1 == axes->n && size > 0)
                size = clamp_add(size / 2, 1);
            s = dims_replace(c->keep, s, at, size);
        }
    out_set(c, 0, s);
}

const struct op_rule shape_rules_linalg[] = {
    {"MatrixSolve BatchMatrixSolve BatchMatrixTriangularSolve", shape_solve, 0},
    {"MatrixTriangularSolve", shape_solve, 1},
    {"MatrixSolveLs BatchMatrixSolveLs", shape_least_squares, 0},
    {"Qr", shape_qr, 0},
    {"Svd BatchSvd", shape_svd, 0},
    {"Lu", shape_lu, 0},
    {"SelfAdjointEigV2 BatchSelfAdjointEigV2 Eig", shape_eigen, 0},
    {"SelfAdjointEig BatchSelfAdjointEig", shape_eigen_v1, 0},
    {"RFFT", shape_real_fft, 1}, {"RFFT2D", shape_real_fft, 2}, {"RFFT3D", shape_real_fft, 3},
    {"IRFFT", shape_real_fft, -1}, {"IRFFT2D", shape_real_fft, -2}, {"IRFFT3D", shape_real_fft, -3},
    {"FFTND IFFTND IRFFTND", shape_fft_nd, 0}, {"RFFTND", shape_fft_nd, 1}, {0},
};
