/* shape_elementwise.c: shapes of element-wise ops (shapes.md sections 5.1 to 5.3 and 5.22). */
#include "shapes/shape_rules.h"

void out_scalars(struct opctx *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        out_set(c, i, &dims_scalar);
}

/* The shape and handle of input 0, which has rank arg or more. */
static void shape_same_as_input(struct opctx *c)
{
    out_set(c, 0, ctx_rank_at_least(c, in_shape(c, 0), (uint32_t)c->arg));
    out_handle(c, 0, in_handle(c, 0));
}

static void shape_each_input(struct opctx *c)
{
    out_count(c, c->n_in);
    for (uint32_t i = 0; i < c->n_in; i++) {
        out_set(c, i, in_shape(c, i));
        out_handle(c, i, in_handle(c, i));
    }
}

/* Each of the num_replicas outputs equals input 0. */
static void shape_replicated_output(struct opctx *c)
{
    int64_t n = opctx_int(c, "num_replicas", 1);

    out_count(c, n);
    out_set_all(c, in_shape(c, 0));
}

static const struct dims *merge_inputs(struct opctx *c)
{
    const struct dims *s = NULL;

    for (uint32_t i = 0; i < c->n_in; i++)
        s = ctx_merge(c, s, in_shape(c, i));
    return s;
}

static void shape_merge_all(struct opctx *c)
{
    out_set(c, 0, merge_inputs(c));
}

static void shape_accumulate(struct opctx *c)
{
    out_set(c, 0, ctx_merge(c, merge_inputs(c), opctx_shape(c, "shape")));
}

static bool can_broadcast(struct opctx *c, const struct dims *x, const struct dims *y)
{
    bool ok = true;

    (void)dims_broadcast(c->keep, x, y, false, &ok);
    return ok;
}

static void shape_equal(struct opctx *c)
{
    const struct dims *x = in_shape(c, 0), *y = in_shape(c, 1);
    bool full = dims_full(x) && dims_full(y);

    if (opctx_bool(c, "incompatible_shape_error", true))
        out_set(c, 0, ctx_broadcast(c, x, y));
    else if (full && !can_broadcast(c, x, y))
        out_set(c, 0, &dims_scalar);
    else if (full)
        out_set(c, 0, ctx_broadcast(c, x, y));
}

/* Betainc: all operands are scalars or have the same shape. */
static void shape_merge_but_scalars(struct opctx *c)
{
    const struct dims *s = NULL;
    bool all_scalars = c->n_in > 0;

    for (uint32_t i = 0; i < c->n_in; i++) {
        const struct dims *x = in_shape(c, i);

        if (!x && c->arg) /* may be a scalar, or the only operand with a shape */
            return;
        if (x && x->rank == 0)
            continue;
        all_scalars = false;
        s = ctx_merge(c, s, x);
    }
    out_set(c, 0, all_scalars ? &dims_scalar : s);
}

static void shape_select_merge(struct opctx *c)
{
    const struct dims *s = ctx_merge(c, in_shape(c, 1), in_shape(c, 2));
    const struct dims *condition = in_shape(c, 0);

    if (condition && condition->rank >= 2)
        s = ctx_merge(c, s, condition);
    else if (condition && condition->rank == 1 && s && s->rank > 0)
        (void)ctx_merge_dim(c, condition->d[0], s->d[0]);
    out_set(c, 0, s);
    out_handle(c, 0, in_handle(c, 1));
}

static void shape_broadcast_args(struct opctx *c)
{
    out_set(c, 0, ctx_vector(c, dim_max(dim_at(in_shape(c, 0), 0), dim_at(in_shape(c, 1), 0))));
}

static void shape_ensure_shape(struct opctx *c)
{
    out_set(c, 0, ctx_merge(c, in_shape(c, 0), opctx_shape(c, "shape")));
    out_handle(c, 0, in_handle(c, 0));
}

/* o1 and o2: gradients of the limits of each channel. */
static void shape_fake_quant_channel_gradient(struct opctx *c)
{
    const struct dims *s = ctx_merge(c, in_shape(c, 0), in_shape(c, 1));
    const struct dims *limits = ctx_vector(c, dim_at(s, -1));

    out_count(c, 3);
    out_set(c, 0, s);
    out_set(c, 1, limits);
    out_set(c, 2, limits);
}

/* Inputs: gradients, input, min, max.  The first two have the same shape; so have the limits, which
 * are scalars or vectors along attribute axis. */
static void shape_quantize_gradient(struct opctx *c)
{
    const struct dims *limits = ctx_merge(c, in_shape(c, 2), in_shape(c, 3));

    limits = ctx_rank(c, limits, opctx_int(c, "axis", -1) == -1 ? 0 : 1);
    out_count(c, 3);
    out_set(c, 0, ctx_merge(c, in_shape(c, 0), in_shape(c, 1)));
    out_set(c, 1, limits);
    out_set(c, 2, limits);
}

/* in0, then two scalars, or vectors along attribute axis. */
static void shape_quantize(struct opctx *c)
{
    int64_t axis = opctx_int(c, "axis", -1);
    const struct dims *limits = &dims_scalar;

    out_count(c, 3);
    if (axis >= 0)
        limits = ctx_vector(c, dim_at(in_shape(c, 0), axis));
    out_set(c, 0, in_shape(c, 0));
    out_set(c, 1, limits);
    out_set(c, 2, limits);
}

static void shape_last_is_three(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);

    if (s)
        s = dims_replace(c->keep, s, s->rank - 1, ctx_merge_dim(c, s->d[s->rank - 1], 3));
    out_set(c, 0, s);
}

static void shape_square_matrices(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    int64_t n;

    if (s) {
        n = ctx_merge_dim(c, dim_at(s, -2), dim_at(s, -1));
        s = dims_replace(c->keep, s, s->rank - 1, n);
        s = dims_replace(c->keep, s, s->rank - 2, n);
    }
    out_set(c, 0, s);
}

const struct op_rule shape_rules_elementwise[] = {
    {"Identity Snapshot StopGradient PreventGradient CheckNumerics CheckNumericsV2 RefIdentity "
     "DebugGradientIdentity DebugGradientRefIdentity GuaranteeConst DeepCopy Copy CopyHost "
     "DebugIdentity DebugIdentityV2 DebugIdentityV3 Print CheckPinned _ParallelConcatUpdate",
     shape_same_as_input, 0},
    {"IdentityN XlaOptimizationBarrier", shape_each_input, 0},
    {"TPUReplicatedInput AddN", shape_merge_all, 0},
    {"TPUReplicatedOutput", shape_replicated_output, 0},
    {"Cast Real Imag ComplexAbs Angle Conj", shape_same_as_input, 0},
    {"Abs Neg Sign Square Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh "
     "Tanh Asinh Acosh Atanh Sigmoid Inv Reciprocal Floor Ceil Round Rint Erf Erfc Erfinv Ndtri "
     "Lgamma Digamma IsNan IsInf IsFinite LogicalNot Invert PopulationCount",
     shape_same_as_input, 0},
    {"BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 "
     "BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence",
     shape_same_as_input, 0},
    {"Relu Relu6 LeakyRelu Elu Selu Softplus Softsign _MklSwish", shape_same_as_input, 0},
    {"Softmax LogSoftmax", shape_same_as_input, 1},
    {"ZerosLike OnesLike", shape_same_as_input, 0},
    {"Cumsum Cumprod CumulativeLogsumexp", shape_same_as_input, 0},
    {"Reverse ReverseV2 ReverseSequence Roll MatrixBandPart RandomShuffle", shape_same_as_input, 0},
    {"FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel "
     "QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 "
     "QuantizeAndDequantizeV4 Dequantize",
     shape_same_as_input, 0},
    {"ClipByValue Bucketize", shape_same_as_input, 0},
    {"FFT IFFT BatchFFT BatchIFFT", shape_same_as_input, 1},
    {"FFT2D IFFT2D BatchFFT2D BatchIFFT2D", shape_same_as_input, 2},
    {"FFT3D IFFT3D BatchFFT3D BatchIFFT3D", shape_same_as_input, 3},
    {"AdjustContrast AdjustContrastv2 AdjustHue AdjustSaturation", shape_same_as_input, 3},
    {"RGBToHSV HSVToRGB", shape_last_is_three, 0},
    {"DrawBoundingBoxes DrawBoundingBoxesV2", shape_same_as_input, 0},
    {"StridedSliceAssign InplaceUpdate InplaceAdd InplaceSub TensorStridedSliceUpdate "
     "TensorScatterUpdate TensorScatterAdd TensorScatterSub TensorScatterMin TensorScatterMax "
     "ScatterNdNonAliasingAdd",
     shape_same_as_input, 0},
    {"AsString StringStrip StringLower StringUpper RegexReplace StaticRegexReplace "
     "RegexFullMatch StaticRegexFullMatch StringLength StringToNumber StringToHashBucket "
     "StringToHashBucketFast StringToHashBucketStrong EncodeBase64 DecodeBase64 "
     "UnicodeTranscode UnicodeScript DecodeCompressed",
     shape_same_as_input, 0},
    {"CollectiveReduce CollectiveReduceV2 CollectiveReduceV3 NcclAllReduce CollectivePermute "
     "CollectiveBcastSendV2 CollectiveAllToAllV2 XlaSharding",
     shape_same_as_input, 0},
    {"MatrixInverse MatrixExponential MatrixLogarithm MatrixSquareRoot Cholesky CholeskyGrad "
     "BatchCholesky BatchCholeskyGrad BatchMatrixInverse",
     shape_square_matrices, 0},
    {"Equal NotEqual", shape_equal, 0},
    {"Betainc", shape_merge_but_scalars, 1},
    {"StringJoin", shape_merge_but_scalars, 0},
    {"BroadcastArgs", shape_broadcast_args, 0},

    {"AccumulateNV2", shape_accumulate, 0},
    {"Select", shape_select_merge, 0},
    {"TanhGrad SigmoidGrad SqrtGrad RsqrtGrad InvGrad ReciprocalGrad "
     "FakeQuantWithMinMaxArgsGradient",
     shape_same_as_input, 0},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", shape_fake_quant_channel_gradient, 0},
    {"EnsureShape", shape_ensure_shape, 0},

    {"QuantizeAndDequantizeV4Grad", shape_quantize_gradient, 0},
    {"QuantizeV2", shape_quantize, 0},
    {"UniformQuantize UniformDequantize UniformRequantize UniformQuantizedClipByValue",
     shape_same_as_input, 0},
    {0},
};
