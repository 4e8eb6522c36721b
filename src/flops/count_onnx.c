/* count_onnx.c: operation counts of ONNX operators (formats-onnx.md section 6). */
#include "flops/count_rules.h"


/* ---- products */

/* 2 * N(out) * N(w) / w[0], where w is input arg. */
static void count_conv(struct opctx *c, struct tally *t)
{
    const struct dims *w = tally_input(t, c, (uint32_t)c->arg);

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    for (uint32_t i = 1; w && i < w->rank; i++)
        tally_dim(t, w, i);
    tally_need(t, w);
}

static void count_conv_transpose(struct opctx *c, struct tally *t)
{
    const struct dims *w = tally_input(t, c, 1);

    tally_plus_mac(t);
    tally_elements(t, tally_input(t, c, 0));
    for (uint32_t i = 1; w && i < w->rank; i++)
        tally_dim(t, w, i);
    tally_need(t, w);
}

static void count_mat_mul(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);
    const bool ta = c->arg == 1 && opctx_int(c, "transA", 0) != 0;

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    tally_dim(t, a, ta ? -2 : -1);
}

static void count_n_bits(struct opctx *c, struct tally *t)
{
    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    tally_size(t, opctx_int(c, "K", DIM_UNKNOWN));
}

/* 2 * N(out0) * (N(in0) / out0[0]). */
static void count_gemm(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);
    const int64_t n = dims_elements(a), rows = dim_at(tally_output(c, 0), 0);

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    tally_size(t, n < 0 || rows <= 0 ? (rows == 0 ? 0 : DIM_UNKNOWN) : quotient(n, rows));
}

/* ---- recurrent layers and attention */

static void count_recurrent(struct opctx *c, struct tally *t)
{
    for (uint32_t i = 1; i <= 2; i++) {
        const struct dims *x = tally_input(t, c, 0), *w = tally_input(t, c, i);

        tally_plus_mac(t);
        tally_dim(t, x, 0);
        tally_dim(t, x, 1);
        tally_elements(t, w);
    }
}

static void count_attention(struct opctx *c, struct tally *t)
{
    const struct dims *in = tally_input(t, c, 0), *w = tally_input(t, c, 1);
    const int64_t value_size = dim_at(tally_output(c, 0), -1), all = dim_at(w, 1);
    const int64_t size = all < 0 || value_size < 0 ? DIM_UNKNOWN
                                                   : quotient(clamp_sub(all, value_size), 2);

    tally_plus_mac(t);
    tally_dim(t, in, 0);
    tally_dim(t, in, 1);
    tally_elements(t, w);
    tally_plus_mac(t);
    tally_dim(t, in, 0);
    tally_dim(t, in, 1);
    tally_dim(t, in, 1);
    tally_size(t, size < 0 ? DIM_UNKNOWN : clamp_add(size, value_size));
}

/* 2 * T * (N(in0) + N(out0)), T = in1[-2]. */
static void count_attention_qkv(struct opctx *c, struct tally *t)
{
    const struct dims *k = tally_input(t, c, 1);

    tally_plus_mac(t);
    tally_dim(t, k, -2);
    tally_elements(t, tally_input(t, c, 0));
    tally_plus_mac(t);
    tally_dim(t, k, -2);
    tally_elements(t, tally_output(c, 0));
}

/* ---- a constant number of operations per element */

static void count_lrn(struct opctx *c, struct tally *t)
{
    tally_each(t, clamp_add(opctx_int(c, "size", 0), 4), tally_input(t, c, 0));
}

static void count_pool(struct opctx *c, struct tally *t)
{
    size_t n;
    const int64_t *sizes = opctx_ints(c, "kernel_shape", &n);

    tally_plus(t);
    for (size_t i = 0; i < n; i++)
        tally_size(t, sizes[i]);
    tally_elements(t, tally_output(c, 0));
    if (!n)
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
}

/* N(out0) * (inputs - arg). */
static void count_many(struct opctx *c, struct tally *t)
{
    tally_each(t, clamp_sub(c->n_in, c->arg), tally_output(c, 0));
}

const struct count_rule count_rules_onnx[] = {
    {"Conv ConvInteger FusedConv", "2 * N(out) * N(w) / w[0]", count_conv, 1},
    {"QLinearConv", "2 * N(out) * N(w) / w[0]", count_conv, 3},
    {"ConvTranspose", "2 * N(in) * N(w) / w[0]", count_conv_transpose, 0},
    {"MatMul MatMulInteger QLinearMatMul MatMulIntegerToFloat DynamicQuantizeMatMul QGemm",
     "2 * N(out) * in0[-1]", count_mat_mul, 0},
    {"FusedMatMul", "2 * N(out) * k", count_mat_mul, 1},
    {"MatMulNBits", "2 * N(out) * K", count_n_bits, 0},
    {"Gemm FusedGemm", "2 * N(out) * k", count_gemm, 0},
    {"LSTM GRU RNN", "2 * in0[0] * in0[1] * (N(W) + N(R))", count_recurrent, 0},
    {"com.microsoft.Attention QAttention", "2 * B * S * N(w) + 2 * B * S * S * (H + Hv)",
     count_attention, 0},
    {"Attention MultiHeadAttention GroupQueryAttention PackedMultiHeadAttention",
     "2 * T * (N(in0) + N(out))", count_attention_qkv, 0},
    {"BatchNormalization", "2 * N(in)", count_each_input, 2},
    {"LayerNormalization RMSNormalization InstanceNormalization GroupNormalization "
     "SimplifiedLayerNormalization GroupNorm",
     "8 * N(in)", count_each_input, 8},
    {"SkipLayerNormalization SkipSimplifiedLayerNormalization EmbedLayerNormalization",
     "9 * N(out)", count_each_output, 9},
    {"Softmax LogSoftmax", "5 * N(in)", count_each_input, 5},
    {"LRN", "N(in) * (size + 4)", count_lrn, 0},
    {"MaxPool AveragePool LpPool QLinearAveragePool", "kernel * N(out)", count_pool, 0},
    {"GlobalAveragePool ReduceMean CumSum QLinearGlobalAveragePool", "N(in)", count_each_input, 1},
    {"ReduceSum ReduceMax ReduceMin ReduceProd ArgMax ArgMin GlobalMaxPool", "N(in) - N(out)",
     count_each_input_less_output, 1},
    {"ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp GlobalLpPool",
     "2 * N(in) - N(out)", count_each_input_less_output, 2},
    {"Sum Max Min", "N(out) * (inputs - 1)", count_many, 1},
    {"Mean", "N(out) * inputs", count_many, 0},
    {"Add Sub Mul Div Pow Mod Where Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not "
     "BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor QLinearAdd QLinearMul",
     "N(out)", count_each_output, 1},
    {"Relu Abs Neg Sign Ceil Floor Round Exp Log Sqrt Reciprocal Sin Cos Tan Asin Acos Atan Sinh "
     "Cosh Asinh Acosh Atanh Erf Sigmoid Tanh Softplus Elu Gelu FastGelu IsNaN IsInf",
     "N(out)", count_each_output, 1},
    {"Clip LeakyRelu PRelu HardSigmoid HardSwish ThresholdedRelu Selu Celu Softsign Mish Swish "
     "QuickGelu BiasGelu DequantizeLinear",
     "2 * N(out)", count_each_output, 2},
    {"QuantizeLinear", "4 * N(out)", count_each_output, 4},
    {"DynamicQuantizeLinear", "6 * N(in)", count_each_input, 6},
    {0},
};
