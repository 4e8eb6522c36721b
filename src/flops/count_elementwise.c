/* count_elementwise.c: full counts of element-wise ops, reductions, scans,
 * segments and scatters; flops.md sections 5.1, 6.7, 6.8, 6.10 and 6.14. */
#include "flops/count_rules.h"

#include "base/satmath.h"

#include <string.h>

#include "shapes/shape_graph.h"

/* max(0, N(in) - N(out)), and arg - 1 for each output element. */
static void count_reduction(struct opctx *c, struct tally *t)
{
    const struct dims *in = tally_input(t, c, 0), *out = tally_output(c, 0);

    tally_need(t, in);
    tally_need(t, out);
    if (dims_full(in) && dims_full(out) && dims_elements(out) > dims_elements(in)) {
        tally_plus(t);
        tally_times(t, 0);
        return;
    }
    tally_each(t, 1, in);
    tally_minus(t);
    tally_elements(t, out);
}

/* 2 N(in), and a root for each result in place of its last addition. */
static void count_euclidean_norm(struct opctx *c, struct tally *t)
{
    int64_t root = count_weight(c, t, c->arg);

    tally_each(t, 2, tally_input(t, c, 0));
    if (root > 1)
        tally_each(t, clamp_sub(root, 1), tally_output(c, 0));
    else
        tally_need(t, tally_output(c, 0));
}

/* 3 N - 1, or 0 for an empty input. */
static void count_l2_loss(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0);

    tally_each(t, 3, s);
    if (dims_elements(s) != 0) {
        tally_minus(t);
        tally_times(t, 1);
    }
}

/* One addition for each value after the first. */
static void count_add_n(struct opctx *c, struct tally *t)
{
    tally_plus(t);
    tally_elements(t, tally_output(c, 0));
    tally_times(t, c->n_in > 0 ? c->n_in - 1 : 0);
}

static void count_segment_mean(struct opctx *c, struct tally *t)
{
    tally_each(t, 1, tally_input(t, c, 0));
    tally_each(t, 1, tally_output(c, 0));
}

/* Adds N(INDICES) * size of a row of DATA, which is DATA without its first dimension. */
static void rows(struct tally *t, const struct dims *indices, const struct dims *data)
{
    tally_plus(t);
    tally_elements(t, indices);
    tally_need(t, data);
    for (uint32_t i = 1; data && i < data->rank; i++)
        tally_dim(t, data, i);
}

/* arg 1: one division for each result as well. */
static void count_sparse_segment(struct opctx *c, struct tally *t)
{
    rows(t, tally_input(t, c, 1), tally_input(t, c, 0));
    if (c->arg == 1)
        tally_each(t, 1, tally_output(c, 0));
}

static void count_sparse_segment_grad(struct opctx *c, struct tally *t)
{
    rows(t, tally_input(t, c, 1), tally_output(c, 0));
}

/* N of input number arg. */
static void count_each_of_input(struct opctx *c, struct tally *t)
{
    tally_each(t, 1, tally_input(t, c, (uint32_t)c->arg));
}

/* Operations per element of each step of a fused op. */
static const struct {
    const char *name;
    int weight;
} fused_steps[] = {
    {"BiasAdd", 1}, {"Add", 1}, {"Sum", 1}, {"Mul", 1}, {"Relu", 1}, {"Relu6", 2}, {"LeakyRelu", 2},
    {"Elu", COUNT_T}, {"Tanh", COUNT_T}, {"Sigmoid", COUNT_T}, {"GeluApproximate", COUNT_T + 7},
    {"GeluExact", COUNT_T + 4}, {"_MklSwish", COUNT_T + 1}, {"Mish", 2 * COUNT_T + 1},
    {"_MklFusedMish", 2 * COUNT_T + 1}, {"_FusedHardSwish", 5}, {"FusedBatchNorm", 2},
    {"Quantize", 3}, {"Dequantize", 3}, {"Requantize", 3},
};

/* The index of NAME in fused_steps; the length of the table when it is absent. */
static size_t find_step(const struct attr_bytes *name)
{
    size_t k = 0;

    while (k < sizeof fused_steps / sizeof *fused_steps &&
           (name->len != strlen(fused_steps[k].name) ||
            memcmp(name->bytes, fused_steps[k].name, name->len) != 0))
        k++;
    return k;
}

void count_fused(struct opctx *c, struct tally *t, const struct dims *s)
{
    const struct attr_value *v = opctx_attr(c, "fused_ops");

    if (!v || v->kind != ATTR_LIST || v->item_kind != ATTR_STRING)
        return;
    for (uint32_t i = 0; i < v->n_items; i++) {
        size_t k = find_step(&v->v.list_s[i]);

        if (k < sizeof fused_steps / sizeof *fused_steps)
            tally_each(t, count_weight(c, t, fused_steps[k].weight), s);
        else
            shape_graph_note_step(c, v->v.list_s[i]);
    }
}

void count_name_steps(struct opctx *c, struct tally *t)
{
    static const char *const steps[] = {"Bias", "Sum", "Relu", "Requantize", "Dequantize"};
    const char *op = profile_text(c->profile, c->profile->op[c->node]);

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strstr(op, steps[i]))
            tally_each(t, 1, tally_output(c, 0));
}

const struct count_rule count_rules_elementwise[] = {
    /* No arithmetic: these ops move, reshape, store, create or test values. */
    {"Identity IdentityN Snapshot StopGradient PreventGradient CheckNumerics CheckNumericsV2 Cast "
     "Bitcast OnesLike ZerosLike Real Imag Complex Conj Assign AssignVariableOp ReadVariableOp "
     "_ReadVariablesOp EnsureShape Print PrintV2 Select SelectV2 Where RefIdentity GuaranteeConst "
     "DeepCopy Copy CopyHost DebugIdentity DebugIdentityV2 DebugIdentityV3 DebugGradientIdentity "
     "DebugGradientRefIdentity CheckPinned InplaceUpdate XlaSharding XlaOptimizationBarrier "
     "TPUReplicatedInput TPUReplicatedOutput _ParallelConcatUpdate _ParallelConcatStart",
     NULL, NULL, 0},
    {"Const HostConst ImmutableConst Variable VariableV2 VarHandleOp _VarHandlesOp "
     "TemporaryVariable DestroyTemporaryVariable DestroyResourceOp DisableCopyOnRead "
     "VarIsInitializedOp IsVariableInitialized Placeholder PlaceholderV2 PlaceholderWithDefault "
     "FakeParam _Arg _Retval Shape ShapeN Size Rank VariableShape Reshape QuantizedReshape "
     "ExpandDims Squeeze Transpose ConjugateTranspose InvertPermutation",
     NULL, NULL, 0},
    {"Switch RefSwitch _SwitchN Merge RefMerge Enter RefEnter Exit RefExit NextIteration "
     "RefNextIteration LoopCond RefSelect ToBool DeviceIndex NoOp ControlTrigger Abort Assert "
     "BroadcastGradientArgs BroadcastArgs BroadcastTo",
     NULL, NULL, 0},
    {"Gather GatherV2 GatherNd ResourceGather ResourceGatherNd Slice StridedSlice StridedSliceGrad "
     "StridedSliceAssign TensorStridedSliceUpdate Concat ConcatV2 ConcatOffset ParallelConcat "
     "QuantizedConcat QuantizedConcatV2 Split SplitV Pack Unpack Tile TileGrad Fill Empty OneHot "
     "Range LinSpace Reverse ReverseV2 ReverseSequence Roll DynamicPartition DynamicStitch "
     "ParallelDynamicStitch Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2 ListDiff "
     "LowerBound UpperBound UnravelIndex SparseToDense CountUpTo ResourceCountUpTo",
     NULL, NULL, 0},
    {"ScatterUpdate ScatterNdUpdate TensorScatterUpdate ResourceScatterUpdate "
     "ResourceScatterNdUpdate Pad PadV2 MirrorPad MirrorPadGrad SpaceToBatchND BatchToSpaceND "
     "SpaceToBatch BatchToSpace SpaceToDepth DepthToSpace ExtractImagePatches "
     "ExtractVolumePatches Diag DiagPart MatrixDiag MatrixDiagV2 MatrixDiagV3 MatrixDiagPart "
     "MatrixDiagPartV2 MatrixDiagPartV3 MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3 "
     "BatchMatrixDiag BatchMatrixDiagPart BatchMatrixSetDiag MatrixBandPart "
     "MaxPoolGradGradWithArgmax StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg "
     "StatelessRandomGetAlg RngReadAndSkip RngSkip",
     NULL, NULL, 0},

    {"Neg Abs Sign Ceil Floor Round Rint Relu IsNan IsInf IsFinite LogicalNot Invert "
     "PopulationCount Square BiasAddV1",
     "N(in)", count_each_input, 1},
    {"MulNoNan ReluGrad ApproximateEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor "
     "LeftShift RightShift NextAfter InplaceAdd InplaceSub",
     "N(out)", count_each_output, 1},
    {"Inv Reciprocal", "D * N(in)", count_each_input, COUNT_D},
    {"Div RealDiv DivNoNan FloorDiv TruncateDiv Mod FloorMod TruncateMod Xdivy", "D * N(out)",
     count_each_output, COUNT_D},
    {"Exp Expm1 Log Log1p Sqrt Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Erf "
     "Erfc Erfinv Ndtri Lgamma Digamma Angle BesselI0 BesselI1 BesselI0e BesselI1e BesselJ0 "
     "BesselJ1 BesselK0 BesselK1 BesselK0e BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos "
     "FresnelSin Spence Sigmoid Softplus Elu",
     "T * N(in)", count_each_input, COUNT_T},
    {"Atan2 Pow Polygamma Zeta Igamma Igammac IgammaGradA Betainc RandomGammaGrad", "T * N(out)",
     count_each_output, COUNT_T},
    {"Rsqrt", "(T + D) * N(in)", count_each_input, COUNT_T + COUNT_D},
    {"Softsign", "(D + 1) * N(in)", count_each_input, COUNT_D + 1},
    {"Selu _MklSwish", "(T + 1) * N(in)", count_each_input, COUNT_T + 1},
    {"ComplexAbs", "(3 + T) * N(in)", count_each_input, COUNT_T + 3},
    {"Relu6 LeakyRelu ClipByValue UniformQuantizedClipByValue", "2 * N(in)", count_each_input, 2},
    {"Xlogy Xlog1py", "(T + 1) * N(out)", count_each_output, COUNT_T + 1},
    {"Relu6Grad LeakyReluGrad EluGrad", "2 * N(out)", count_each_output, 2},
    {"SigmoidGrad TanhGrad InvGrad ReciprocalGrad SeluGrad", "3 * N(out)", count_each_output, 3},
    {"SqrtGrad", "(D + 1) * N(out)", count_each_output, COUNT_D + 1},
    {"SoftplusGrad", "(T + 2) * N(out)", count_each_output, COUNT_T + 2},
    {"SoftsignGrad", "(D + 3) * N(out)", count_each_output, COUNT_D + 3},
    {"FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel "
     "QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 "
     "QuantizeAndDequantizeV4",
     "6 * N(in)", count_each_input, 6},
    {"FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVarsGradient "
     "FakeQuantWithMinMaxVarsPerChannelGradient",
     "3 * N(out)", count_each_output, 3},
    {"QuantizeV2 UniformQuantize", "4 * N(in)", count_each_input, 4},
    {"Dequantize UniformDequantize", "2 * N(in)", count_each_input, 2},
    {"Requantize RequantizePerChannel UniformRequantize", "3 * N(in)", count_each_input, 3},
    {"QuantizedAdd QuantizedMul UniformQuantizedAdd", "3 * N(out)", count_each_output, 3},
    {"QuantizedRelu QuantizedRelu6 QuantizedReluX QuantizedBiasAdd", "N(in)", count_each_input, 1},
    {"_MklAdd _MklAddV2 _MklSub _MklMul _MklMaximum", "N(out)", count_each_output, 1},
    {"_MklSquaredDifference", "2 * N(out)", count_each_output, 2},
    {"AdjustContrast AdjustContrastv2", "3 * N(in)", count_each_input, 3},
    {"AdjustHue AdjustSaturation RGBToHSV HSVToRGB", "10 * N(in)", count_each_input, 10},
    {"AssignAddVariableOp AssignSubVariableOp", "N(value)", count_each_second_input, 1},

    {"AddN AccumulateNV2", "N(out) * (n - 1)", count_add_n, 0},
    {"L2Loss", "3 * N(in) - 1", count_l2_loss, 0},
    {"Sum Max Min Prod All Any ArgMax ArgMin BiasAddGrad", "N(in) - N(out)", count_reduction, 0},
    {"EuclideanNorm", "2 * N(in) + (T - 1) * N(out)", count_euclidean_norm, COUNT_T},
    {"Cumsum Cumprod", "N(in)", count_each_input, 1},
    {"CumulativeLogsumexp", "(2 * T + 2) * N(in)", count_each_input, 2 * COUNT_T + 2},
    {"SegmentSum SegmentProd SegmentMax SegmentMin UnsortedSegmentSum UnsortedSegmentProd "
     "UnsortedSegmentMax UnsortedSegmentMin SegmentSumV2 SegmentProdV2 SegmentMaxV2 SegmentMinV2",
     "N(in)", count_each_input, 1},
    {"SegmentMean", "N(in) + N(out)", count_segment_mean, 0},
    {"SparseSegmentSum SparseSegmentSumWithNumSegments", "indices * N(in) / in[0]",
     count_sparse_segment, 0},
    {"SparseSegmentMean SparseSegmentSqrtN SparseSegmentMeanWithNumSegments "
     "SparseSegmentSqrtNWithNumSegments",
     "indices * N(in) / in[0] + N(out)", count_sparse_segment, 1},
    {"SparseSegmentSumGrad SparseSegmentMeanGrad SparseSegmentSqrtNGrad",
     "indices * N(out) / out[0]", count_sparse_segment_grad, 0},
    {"ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMax ScatterMin ResourceScatterAdd "
     "ResourceScatterSub ResourceScatterMul ResourceScatterDiv ResourceScatterMax "
     "ResourceScatterMin ScatterNdAdd ScatterNdSub ResourceScatterNdAdd ResourceScatterNdSub "
     "TensorScatterAdd TensorScatterSub TensorScatterMax TensorScatterMin ScatterNdNonAliasingAdd",
     "N(updates)", count_each_of_input, 2},
    {"ScatterNd SparseReduceSum SparseReduceMax SparseReduceSumSparse SparseReduceMaxSparse",
     "N(values)", count_each_of_input, 1},
    {"Bincount DenseBincount HistogramFixedWidth", "N(in)", count_each_input, 1},
    {"SparseBincount SparseTensorDenseAdd SparseDenseCwiseAdd SparseDenseCwiseMul "
     "SparseDenseCwiseDiv",
     "N(values)", count_each_of_input, 1},
    {0},
};
