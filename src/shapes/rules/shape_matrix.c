/* shape_matrix.c: shapes of matrix products and Einsum (shapes.md section 5.10). */
#include "shapes/shape_rules.h"

#include "shapes/rules/dot_numbers.h"
#include "shapes/rules/einsum.h"

/* The product, then arg scalars. */
static void shape_mat_mul(struct opctx *c)
{
    const struct dims *a = ctx_rank(c, in_shape(c, 0), 2), *b = ctx_rank(c, in_shape(c, 1), 2);
    bool ta = opctx_bool(c, "transpose_a", false), tb = opctx_bool(c, "transpose_b", false);
    const int64_t d[] = {dim_at(a, ta ? 1 : 0), dim_at(b, tb ? 0 : 1)};

    out_count(c, clamp_add(1, c->arg));
    (void)ctx_merge_dim(c, dim_at(a, ta ? 0 : 1), dim_at(b, tb ? 1 : 0));
    out_set(c, 0, ctx_new(c, 2, d));
    out_scalars(c, 1, 1 + (uint32_t)c->arg);
}

/* arg 0: batch dimensions have to be equal; 1: they are broadcast. */
static void shape_batch_mat_mul(struct opctx *c)
{
    const struct dims *a = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *b = ctx_rank_at_least(c, in_shape(c, 1), 2), *batch;
    bool adj_x = opctx_bool(c, "adj_x", false), adj_y = opctx_bool(c, "adj_y", false);
    const int64_t d[] = {dim_at(a, adj_x ? -1 : -2), dim_at(b, adj_y ? -2 : -1)};

    if (!a || !b)
        return;
    (void)ctx_merge_dim(c, dim_at(a, adj_x ? -2 : -1), dim_at(b, adj_y ? -1 : -2));
    a = dims_slice(c->keep, a, 0, -2);
    b = dims_slice(c->keep, b, 0, -2);
    batch = c->arg == 0 ? ctx_merge(c, a, b) : ctx_broadcast(c, a, b);
    out_set(c, 0, dims_concat(c->keep, batch, ctx_new(c, 2, d)));
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
    const int64_t d[] = {dim_at(a, opctx_bool(c, "adjoint_a", false) ? 1 : 0),
                         dim_at(b, opctx_bool(c, "adjoint_b", false) ? 0 : 1)};

    out_set(c, 0, ctx_new(c, 2, d));
}

static void shape_quantized_dot(struct opctx *c)
{
    const int64_t d[] = {dim_at(in_shape(c, 0), 0), dim_at(in_shape(c, 1), 1)};

    out_set(c, 0, ctx_new(c, 2, d));
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
    {"UniformQuantizedDot UniformQuantizedDotHybrid", shape_quantized_dot, 0},
    {0},
};
