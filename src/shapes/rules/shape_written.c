/* shape_written.c: shapes of ops whose outputs are written in the signs of shapes.md, and their
 * evaluation. */
#include "shapes/shape_rules.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest list of sizes, and the longest name of an attribute, in the tables below. */
enum { MAX_SIZES = 8, MAX_NAME = 32 };

/* Advances *P past WORD if it is next. */
static bool skip(const char **p, const char *word)
{
    const size_t len = strlen(word);
    const bool is_next = strncmp(*p, word, len) == 0;

    *p += is_next ? len : 0;
    return is_next;
}

static int64_t number(const char **p)
{
    char *end;
    const int64_t n = strtoll(*p, &end, 10);

    *p = end;
    return n;
}

/* Advances *P past WORD and the number of an input, which becomes *I, if they are next. */
static bool input_of(const char **p, const char *word, uint32_t *i)
{
    const size_t len = strlen(word);

    if (strncmp(*p, word, len) != 0 || !strchr("0123456789", (*p)[len]))
        return false;
    *p += len;
    *i = (uint32_t)number(p);
    return true;
}

/* Copies the name of the attribute at *P to NAME. */
static void attribute(const char **p, char name[MAX_NAME])
{
    const size_t len = strspn(*p, "_abcdefghijklmnopqrstuvwxyz");

    assert(len > 0 && len < MAX_NAME);
    snprintf(name, MAX_NAME, "%.*s", (int)len, *p);
    *p += len;
}

/* "?", "3", "in0[-1]", "val1" or an attribute; "2 * " before it. */
static int64_t size(struct opctx *c, const char **p)
{
    char name[MAX_NAME];
    uint32_t i;
    int64_t at;

    if (skip(p, "?"))
        return DIM_UNKNOWN;
    if (**p >= '0' && **p <= '9') {
        at = number(p);
        return skip(p, " * ") ? ctx_mul(c, size(c, p), at) : at;
    }
    if (input_of(p, "val", &i))
        return in_const_dim(c, i);
    if (input_of(p, "in", &i) && skip(p, "[")) {
        at = number(p);
        (void)skip(p, "]");
        return dim_at(in_shape(c, i), at);
    }
    attribute(p, name);
    return opctx_int(c, name, DIM_UNKNOWN);
}

/* The rest of a list of sizes. */
static const struct dims *sizes(struct opctx *c, const char **p)
{
    int64_t d[MAX_SIZES];
    size_t n = 0;

    while (!skip(p, "]")) {
        assert(n < MAX_SIZES);
        d[n++] = size(c, p);
        (void)skip(p, ", ");
    }
    return ctx_new(c, n, d);
}

/* S[1:] or S[:-1], after the bracket. */
static const struct dims *part(struct opctx *c, const char **p, const struct dims *s)
{
    const bool is_begin = skip(p, ":");
    const int64_t at = number(p);

    (void)skip(p, is_begin ? "]" : ":]");
    s = ctx_rank_at_least(c, s, (uint32_t)(is_begin ? clamp_neg(at) : at));
    return is_begin ? dims_slice(c->keep, s, 0, at) : dims_slice(c->keep, s, at, DIMS_MAX_RANK);
}

static const struct dims *term(struct opctx *c, const char **p);

/* The arguments of MERGE, which combines them, after "(". */
static const struct dims *merged(struct opctx *c, const char **p,
                                 const struct dims *(*merge)(struct opctx *c, const struct dims *x,
                                                             const struct dims *y))
{
    const struct dims *s = term(c, p);

    while (!skip(p, ")")) {
        (void)skip(p, ", ");
        s = merge(c, s, term(c, p));
    }
    return s;
}

/* "*", a list of sizes, "in0", a part of it, "val1", a function of terms, or an attribute. */
static const struct dims *term(struct opctx *c, const char **p)
{
    char name[MAX_NAME];
    uint32_t i;

    if (skip(p, "merge("))
        return merged(c, p, ctx_merge);
    if (skip(p, "broadcast("))
        return merged(c, p, ctx_broadcast);
    if (skip(p, "*"))
        return NULL;
    if (skip(p, "["))
        return sizes(c, p);
    if (input_of(p, "val", &i))
        return in_as_shape(c, i);
    if (input_of(p, "in", &i))
        return skip(p, "[") ? part(c, p, in_shape(c, i)) : in_shape(c, i);
    attribute(p, name);
    return opctx_shape(c, name);
}

/* Terms with "+" between them, perhaps " (rank 4)". */
static const struct dims *output(struct opctx *c, const char **p)
{
    const struct dims *s = term(c, p);

    while (skip(p, " + "))
        s = dims_concat(c->keep, s, term(c, p));
    if (skip(p, " (rank ")) {
        s = ctx_rank(c, s, (uint32_t)number(p));
        (void)skip(p, ")");
    }
    return s;
}

void shape_written(struct opctx *c, const char *outputs)
{
    uint32_t n = 0;

    while (*outputs) {
        out_set(c, n++, output(c, &outputs));
        (void)skip(&outputs, ", ");
    }
    out_count(c, n);
}

const struct written_rule written_rules[] = {
    /* sections 5.1 to 5.3 and 5.22: element-wise ops */
    {"AssignAdd AssignSub ApproximateEqual ReluGrad Relu6Grad LeakyReluGrad EluGrad SeluGrad "
     "SoftplusGrad SoftsignGrad", "merge(in0, in1)"},
    {"Add AddV2 Sub Mul MulNoNan Div DivNoNan RealDiv FloorDiv TruncateDiv Mod FloorMod "
     "TruncateMod Pow Maximum Minimum SquaredDifference Atan2 NextAfter Complex Xdivy Xlogy "
     "Xlog1py Igamma Igammac IgammaGradA Polygamma Zeta RandomGammaGrad Less LessEqual Greater "
     "GreaterEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift "
     "UniformQuantizedAdd Substr", "broadcast(in0, in1)"},
    {"SelectV2", "broadcast(in0, broadcast(in1, in2))"},
    {"QuantizedAdd QuantizedMul", "broadcast(in0, in1), [], []"},
    {"_MklAdd _MklAddV2 _MklSub _MklMul _MklMaximum _MklSquaredDifference",
     "broadcast(in0, in1), *"},
    {"FakeQuantWithMinMaxVarsGradient", "merge(in0, in1), [], []"},
    {"LRN", "in0 (rank 4)"},
    {"BroadcastGradientArgs", "[?], [?]"},
    {"Requantize RequantizePerChannel QuantizedRelu QuantizedRelu6 QuantizedReluX "
     "QuantizedBiasAdd", "in0, [], []"},
    {"RequantizationRange RequantizationRangePerChannel", "[], []"},
    /* section 5.4: reductions, arg max, top k and segments */
    {"NthElement", "in0[:-1]"},
    {"Bincount", "[val1]"},
    {"HistogramFixedWidth LinSpace", "[val2]"},
    {"L2Loss", "[]"},
    {"SegmentSum SegmentMean SegmentProd SegmentMax SegmentMin SparseSegmentSum SparseSegmentMean "
     "SparseSegmentSqrtN", "[?] + in0[1:]"},
    {"SegmentSumV2 SegmentProdV2 SegmentMaxV2 SegmentMinV2", "[val2] + in0[1:]"},
    {"SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments "
     "SparseSegmentSqrtNWithNumSegments SparseSegmentSumGrad SparseSegmentMeanGrad "
     "SparseSegmentSqrtNGrad", "[val3] + in0[1:]"},
    /* section 5.5: ops that rearrange elements */
    {"InvertPermutation", "in0"},
    {"Size Rank", "[]"},
    {"ParallelConcat _ParallelConcatStart", "shape"},
    {"TileGrad", "*"},
    {"LowerBound UpperBound", "in1"},
    /* section 5.5: padding, blocks, diagonals and sets of elements */
    {"Diag", "in0 + in0"},
    {"Unique", "[?], in0 (rank 1)"},
    {"UniqueWithCounts", "[?], in0 (rank 1), [?]"},
    {"ListDiff", "[?], [?]"},
    /* section 5.8: slices, gathers and scatters */
    {"ScatterNdUpdate ScatterNdAdd ScatterNdSub ScatterUpdate ScatterAdd ScatterSub ScatterMul "
     "ScatterDiv ScatterMin ScatterMax", "in0"},
    {"ResourceScatterUpdate ResourceScatterAdd ResourceScatterSub ResourceScatterMul "
     "ResourceScatterDiv ResourceScatterMin ResourceScatterMax ResourceScatterNdUpdate "
     "ResourceScatterNdAdd ResourceScatterNdSub", ""},
    {"Unbatch", "[?] + in0[1:]"},
    {"CountUpTo ResourceCountUpTo", "[]"},
    /* sections 5.7 and 5.9: shapes from an attribute or an input */
    {"Fill Empty RandomUniform RandomStandardNormal TruncatedNormal RandomUniformInt "
     "ParameterizedTruncatedNormal StatelessRandomUniform StatelessRandomUniformV2 "
     "StatelessRandomNormal StatelessRandomNormalV2 StatelessTruncatedNormal "
     "StatelessTruncatedNormalV2 StatelessRandomUniformInt StatelessRandomUniformIntV2 "
     "StatelessRandomUniformFullInt StatelessRandomUniformFullIntV2 StatelessRandomGammaV2 "
     "StatelessRandomGammaV3 StatelessRandomPoisson StatelessRandomBinomial StridedSliceGrad",
     "val0"},
    {"StatefulStandardNormal SparseToDense", "val1"},
    {"StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt "
     "StatefulUniformInt StatefulRandomBinomial ScatterNd", "val2"},
    {"RandomGamma RandomPoisson RandomPoissonV2", "val0 + in1"},
    {"StatelessRandomGetKeyCounter", "[1], [2]"},
    {"StatelessRandomGetKeyCounterAlg", "[1], [2], []"},
    {"StatelessRandomGetAlg", "[]"},
    {"RngReadAndSkip", "[3]"},
    {"RngSkip", ""},
    {"Multinomial StatelessMultinomial", "[in0[0], val1]"},
    {"PlaceholderWithDefault ImmutableConst FakeParam InfeedDequeue", "shape"},
    {"Recv _Recv _HostRecv", "*"},
    /* section 5.10: matrix products, Einsum, solvers, decompositions and Fourier transforms */
    {"UniformQuantizedDot UniformQuantizedDotHybrid", "[in0[0], in1[1]]"},
    {"BandedTriangularSolve TridiagonalSolve", "in1"},
    {"TridiagonalMatMul", "in3"},
    {"MatrixDeterminant BatchMatrixDeterminant", "in0[:-2]"},
    {"LogMatrixDeterminant", "in0[:-2], in0[:-2]"},
    /* section 5.11: convolutions and their gradients */
    {"Conv2DBackpropFilter DepthwiseConv2dNativeBackpropFilter _MklConv2DBackpropFilter "
     "_MklNativeConv2DBackpropFilter _MklDepthwiseConv2dNativeBackpropFilter "
     "_MklNativeDepthwiseConv2dNativeBackpropFilter", "val1 (rank 4)"},
    {"Conv3DBackpropFilterV2 _MklConv3DBackpropFilterV2 _MklNativeConv3DBackpropFilterV2",
     "val1 (rank 5)"},
    {"DepthwiseConv2dNativeBackpropInput _MklDepthwiseConv2dNativeBackpropInput "
     "_MklNativeDepthwiseConv2dNativeBackpropInput", "val0 (rank 4)"},
    {"Conv3DBackpropInputV2 _MklConv3DBackpropInputV2 _MklNativeConv3DBackpropInputV2",
     "val0 (rank 5)"},
    {"Conv2DBackpropInputV2 Conv3DBackpropInput Dilation2DBackpropInput", "in0"},
    {"Conv2DBackpropFilterV2 Conv3DBackpropFilter Dilation2DBackpropFilter", "in1"},
    /* section 5.12: pooling and its gradients */
    {"MaxPoolGradGradV2", "in1"},
    {"AvgPoolGrad FractionalAvgPoolGrad", "val0 (rank 4)"},
    {"AvgPool3DGrad", "val0 (rank 5)"},
    {"MaxPoolGrad MaxPoolGradV2 MaxPoolGradWithArgmax MaxPool3DGrad FractionalMaxPoolGrad", "in0"},
    /* sections 5.13 to 5.15: normalisations, losses, sampling and recurrent cells */
    {"LRNGrad", "merge(in0, in1, in2) (rank 4)"},
    {"QuantizedInstanceNorm", "in0 (rank 4), [], []"},
    {"_MklLayerNorm _MklFusedInstanceNorm", "in0"},
    {"SparseSoftmax", "in1"},
    {"LogUniformCandidateSampler UniformCandidateSampler LearnedUnigramCandidateSampler "
     "ThreadUnsafeUnigramCandidateSampler FixedUnigramCandidateSampler AllCandidateSampler",
     "[num_sampled], [in0[0], num_true], [num_sampled]"},
    {"ComputeAccidentalHits", "[?], [?], [?]"},
    {"Skipgram", "*, *, *, *, *, *, *"},
    {"NegTrain", ""},
    {"SdcaFprint", "in0 + [2]"},
    {"LSTMBlockCellGrad", "in1 (rank 2), [in1[0], 4 * in1[1]], [in1[1]], [in1[1]], [in1[1]]"},
    {"GRUBlockCellGrad", "in0, in1, [in0[0], in1[1]], [in0[0], 2 * in1[1]]"},
    {"BlockLSTMGrad BlockLSTMGradV2", "in1, in2, in3, in4, in5, in6, in7, in8"},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3", "in0, in1, in2, in3"},
    {"CudnnRNNParamsSize", "[1]"},
    {"CudnnRNNCanonicalToParams CudnnRNNCanonicalToParamsV2", "[?]"},
    /* section 5.16: image and audio ops */
    {"ResizeBilinearGrad ResizeBicubicGrad ScaleAndTranslateGrad", "in1"},
    {"CropAndResizeGradImage", "val3"},
    {"CropAndResizeGradBoxes", "in2"},
    {"DecodeGif", "[?, ?, ?, 3]"},
    {"EncodeJpeg EncodeJpegVariableQuality EncodeWav", "[]"},
    {"EncodePng", "in0[:-3]"},
    {"ExtractJpegShape", "[3]"},
    {"SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 StatelessSampleDistortedBoundingBox",
     "[3], [3], [1, 1, 4]"},
    {"DecodeWav", "[desired_samples, desired_channels], []"},
    /* section 5.17: variables, optimisers and saved tensors */
    {"VariableV2 TemporaryVariable", "shape"},
    {"DestroyTemporaryVariable SparseApplyAdadelta SparseApplyAdagrad SparseApplyAdagradV2 "
     "SparseApplyAdagradDA SparseApplyCenteredRMSProp SparseApplyFtrl SparseApplyFtrlV2 "
     "SparseApplyMomentum SparseApplyProximalAdagrad SparseApplyProximalGradientDescent "
     "SparseApplyRMSProp", "in0"},
    {"VarIsInitializedOp IsVariableInitialized AnonymousSeedGenerator "
     "IsBoostedTreesEnsembleInitialized ShardedFilename ShardedFilespec GetSessionHandle "
     "GetSessionHandleV2", "[]"},
    {"AssignVariableOp AssignAddVariableOp AssignSubVariableOp DestroyResourceOp "
     "ResourceApplyGradientDescent ResourceApplyMomentum ResourceApplyKerasMomentum "
     "ResourceApplyAdam ResourceApplyAdamWithAmsgrad ResourceApplyAdaMax ResourceApplyAdadelta "
     "ResourceApplyAdagrad ResourceApplyAdagradV2 ResourceApplyAdagradDA ResourceApplyRMSProp "
     "ResourceApplyCenteredRMSProp ResourceApplyFtrl ResourceApplyFtrlV2 ResourceApplyAddSign "
     "ResourceApplyPowerSign ResourceApplyProximalAdagrad ResourceApplyProximalGradientDescent "
     "ResourceSparseApplyAdadelta ResourceSparseApplyAdagrad ResourceSparseApplyAdagradV2 "
     "ResourceSparseApplyAdagradDA ResourceSparseApplyCenteredRMSProp ResourceSparseApplyFtrl "
     "ResourceSparseApplyFtrlV2 ResourceSparseApplyKerasMomentum ResourceSparseApplyMomentum "
     "ResourceSparseApplyProximalAdagrad ResourceSparseApplyProximalGradientDescent "
     "ResourceSparseApplyRMSProp Save SaveV2 SaveSlices MergeV2Checkpoints DeleteSessionTensor "
     "NoOp ControlTrigger Abort Assert DisableCopyOnRead", ""},
    {"Restore GetSessionTensor", "*"},
    /* sections 5.18 and 5.19: strings, tables, parsing, ragged and sparse tensors */
    {"StringSplit StringSplitV2 SparseCross SparseCrossV2 SparseCrossHashed", "[?, 2], [?], [2]"},
    {"StringNGrams", "[?], in1"},
    {"StringFormat SerializeTensor LookupTableSize LookupTableSizeV2 ReadFile TensorSummary "
     "TensorSummaryV2 ScalarSummary HistogramSummary ImageSummary AudioSummary AudioSummaryV2 "
     "MergeSummary SummaryWriter AddSparseToTensorsMap", "[]"},
    {"DecodeRaw", "in0 + [?]"},
    {"DecodeJSONExample", "in0"},
    {"ParseTensor", "*"},
    {"LookupTableExport", "[?], *"},
    {"LookupTableExportV2", "*, *"},
    {"LookupTableInsert LookupTableInsertV2 LookupTableImport LookupTableImportV2 "
     "LookupTableRemoveV2 InitializeTable InitializeTableV2 InitializeTableFromTextFile "
     "InitializeTableFromTextFileV2 WriteFile WriteScalarSummary WriteHistogramSummary "
     "WriteImageSummary WriteAudioSummary WriteGraphSummary WriteRawProtoSummary WriteSummary "
     "ImportEvent FlushSummaryWriter CloseSummaryWriter CreateSummaryFileWriter "
     "CreateSummaryDbWriter", ""},
    {"MatchingFiles AddManySparseToTensorsMap", "[?]"},
    {"SparseReorder", "in0, in1"},
    {"SparseReshape", "[in0[0], in2[0]], in2 (rank 1)"},
    {"SparseAdd SparseSlice", "[?, in2[0]], [?], [in2[0]]"},
    {"DeserializeSparse DeserializeManySparse TakeManySparseFromTensorsMap", "[?, ?], [?], [?]"},
    {"SparseTensorDenseAdd", "in3"},
    {"SparseDenseCwiseAdd SparseDenseCwiseMul SparseDenseCwiseDiv", "in1"},
    {"SerializeSparse", "[3]"},
    /* section 5.20: datasets, iterators, queues and readers */
    {"Iterator IteratorV2 OneShotIterator AnonymousIterator MultiDeviceIterator "
     "IteratorFromStringHandle IteratorFromStringHandleV2 IteratorToStringHandle "
     "IteratorGetNextAsOptional OptionalFromValue OptionalNone OptionalHasValue QueueSize "
     "QueueSizeV2 QueueIsClosed QueueIsClosedV2 TFRecordReaderV2 TextLineReaderV2 "
     "WholeFileReaderV2 FixedLengthRecordReaderV2 IdentityReaderV2", "[]"},
    {"AnonymousIteratorV2 ReaderRead ReaderReadV2", "[], []"},
    {"MakeIterator DeleteIterator QueueEnqueue QueueEnqueueV2 QueueEnqueueMany QueueEnqueueManyV2 "
     "QueueClose QueueCloseV2 Stage MapStage OrderedMapStage StackClose StackCloseV2 Send _Send "
     "_HostSend InfeedEnqueue InfeedEnqueueTuple OutfeedEnqueue OutfeedEnqueueTuple _Retval "
     "PrintV2", ""},
    {"TFRecordReader TextLineReader WholeFileReader FixedLengthRecordReader IdentityReader "
     "LMDBReader Barrier", "[2]"},
    {"ReaderReadUpTo ReaderReadUpToV2", "[?], [?]"},
    {"StackPush StackPushV2", "in1"},
    {"RecordInput", "*"},
    {"OutfeedDequeue CollectiveBcastRecv CollectiveGather", "shape"},
    {"CollectiveBcastRecvV2", "val3"},
    {"CollectiveGatherV2", "[?] + in0[1:]"},
    /* section 6: control flow and function calls */
    {"LoopCond ToBool DeviceIndex", "[]"},
    /* section 5.21: tensor arrays and tensor lists */
    {"TensorArray", "*"},
    {"TensorArrayV2", "[2]"},
    {"TensorArraySizeV3 TensorListLength", "[]"},
    {"TensorArrayCloseV3", ""},
    {0},
};

const struct written_rule written_rules_onnx[] = {
    {"Abs Acos Acosh Asin Asinh Atan Atanh Bernoulli Binarizer BitCast BitwiseNot Cast CastLike "
     "Ceil Celu Clip Cos Cosh CumSum CumProd DequantizeLinear Elu Erf Exp EyeLike Floor FastGelu "
     "Gelu BiasGelu QuickGelu GroupNorm GroupNormalization HardSigmoid HardSwish Hardmax Identity "
     "InstanceNormalization IsInf IsNaN LRN LabelEncoder LeakyRelu Log LogSoftmax LpNormalization "
     "MeanVarianceNormalization Mish Neg Not Optional OptionalGetElement PRelu QuantizeLinear "
     "RandomNormalLike RandomUniformLike Reciprocal RegexFullMatch Relu ReverseSequence "
     "RotaryEmbedding Round Scatter ScatterElements ScatterND Selu Shrink Sigmoid Sign Sin Sinh "
     "Softmax Softplus Softsign Sqrt Swish Tan Tanh TensorScatter ThresholdedRelu Trilu "
     "QLinearSigmoid QLinearLeakyRelu QLinearSoftmax SkipLayerNormalization "
     "SkipSimplifiedLayerNormalization GroupQueryAttention", "in0"},
    {"GatherElements", "in1"},
    {"Dropout", "in0, in0"},
    {"BatchNormalization", "in0, in1, in1, in1, in1"},
    {"DynamicQuantizeLinear", "in0, [], []"},
    {"BlackmanWindow HammingWindow HannWindow", "[val0]"},
    {"Size OptionalHasElement SequenceLength", "[]"},
    {"NonMaxSuppression", "[?, 3]"},
    {"ConstantOfShape", "val0"},
    {"Det", "in0[:-2]"},
    {0},
};
