/* count_other.c: full counts of images, audio, random numbers and function calls, and the ops that
 * compute nothing (flops.md sections 6.9, 6.11, 6.12, 6.14 and 7). */
#include "flops/count_rules.h"

#include "base/satmath.h"

#include <math.h>


/* ---- images and audio */

/* Three interpolations for each value, and the weights of rows and columns. */
static void count_resize_bilinear(struct opctx *c, struct tally *t)
{
    const struct dims *out = tally_output(c, 0);

    tally_each(t, 9, out);
    tally_plus(t);
    tally_times(t, 10);
    tally_dim(t, out, 1);
    tally_plus(t);
    tally_times(t, 10);
    tally_dim(t, out, 2);
}

static void count_resize_area(struct opctx *c, struct tally *t)
{
    const struct dims *in = tally_input(t, c, 0), *out = tally_output(c, 0);

    tally_need(t, in);
    tally_need(t, out);
    tally_each(t, 2, dims_elements(in) > dims_elements(out) ? in : out);
}

static void count_crop_and_resize(struct opctx *c, struct tally *t)
{
    bool nearest = opctx_string_is(c, "method", "bilinear", "nearest");

    tally_each(t, nearest ? 1 : 13, tally_output(c, 0));
}

static void count_projective_transform(struct opctx *c, struct tally *t)
{
    bool nearest = opctx_string_is(c, "interpolation", "BILINEAR", "NEAREST");

    tally_each(t, nearest ? 0 : 25, tally_output(c, 0));
}

/* frames * (window + 5/2 f log2 f + 3 (f/2 + 1)) for each channel. */
static void count_spectrogram(struct opctx *c, struct tally *t)
{
    const struct dims *out = tally_output(c, 0);
    int64_t window = opctx_int(c, "window_size", 0), f = dim_at(out, 2);
    uint32_t log = 0;

    if (window < 0 || window > INT32_MAX) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    f = f < 0 || f > INT32_MAX ? DIM_UNKNOWN : clamp_mul(2, clamp_sub(f, 1));
    while (f > 0 && bit_of(log) < (uint64_t)f)
        log++;
    tally_plus(t);
    tally_dim(t, out, 0);
    tally_dim(t, out, 1);
    tally_size(t, f < 0 ? f
                        : clamp_add(clamp_add(window, clamp_mul(clamp_mul(5, f), log) / 2),
                                    clamp_mul(3, clamp_add(f / 2, 1))));
}

/* ---- random numbers */

/* The weight of a transcendental function for each logit, and log2(classes) for each sample. */
static void count_multinomial(struct opctx *c, struct tally *t)
{
    const struct dims *logits = tally_input(t, c, 0), *out = tally_output(c, 0);
    int64_t classes = dim_at(logits, 1);

    tally_each(t, count_weight(c, t, COUNT_T), logits);
    tally_each(t, 1, out);
    tally_times(t, classes > 1 ? (int64_t)llround(log2((double)classes) * 1000) : 0);
    tally_divide(t, 1000);
}

const struct count_rule count_rules_other[] = {
    {"ResizeBilinear QuantizedResizeBilinear", "9 * N(out) + 10 * (oh + ow)",
     count_resize_bilinear, 0},
    {"ResizeBilinearGrad", "8 * N(in)", count_each_input, 8},
    {"ResizeBicubic", "35 * N(out)", count_each_output, 35},
    {"ResizeBicubicGrad", "32 * N(in)", count_each_input, 32},
    {"ResizeArea", "2 * max(N(in), N(out))", count_resize_area, 0},
    {"ResizeNearestNeighborGrad", "N(in)", count_each_input, 1},
    {"CropAndResize", "13 * N(out) (nearest: N(out))", count_crop_and_resize, 0},
    {"CropAndResizeGradImage CropAndResizeGradBoxes", "13 * N(in)", count_each_input, 13},
    {"ImageProjectiveTransformV2 ImageProjectiveTransformV3", "25 * N(out) (nearest: 0)",
     count_projective_transform, 0},
    {"AudioSpectrogram", "frames * (window + 5/2 * f * log2(f) + 3 * (f/2 + 1))",
     count_spectrogram, 0},

    {"RandomUniform RandomUniformInt StatelessRandomUniform StatelessRandomUniformV2 "
     "StatelessRandomUniformInt StatelessRandomUniformIntV2 StatelessRandomUniformFullInt "
     "StatelessRandomUniformFullIntV2 StatefulUniform StatefulUniformFullInt StatefulUniformInt",
     "N(out)", count_each_output, 1},
    {"RandomStandardNormal TruncatedNormal ParameterizedTruncatedNormal StatelessRandomNormal "
     "StatelessRandomNormalV2 StatelessTruncatedNormal StatelessTruncatedNormalV2 "
     "StatefulStandardNormal StatefulStandardNormalV2 StatefulTruncatedNormal",
     "(1 + T) * N(out)", count_each_output, COUNT_T + 1},
    {"Multinomial StatelessMultinomial", "B * classes * T + samples * log2(classes)",
     count_multinomial, 0},
    {"CollectiveReduce CollectiveReduceV2 CollectiveReduceV3 NcclAllReduce", "N(in)",
     count_each_input, 1},

    /* No arithmetic. */
    {"RandomShuffle RandomCrop LogUniformCandidateSampler UniformCandidateSampler "
     "LearnedUnigramCandidateSampler ThreadUnsafeUnigramCandidateSampler "
     "FixedUnigramCandidateSampler AllCandidateSampler ComputeAccidentalHits "
     "ResizeNearestNeighbor ExtractGlimpse ExtractGlimpseV2 DrawBoundingBoxes "
     "DrawBoundingBoxesV2 DecodeJpeg DecodePng DecodeBmp DecodeGif DecodeAndCropJpeg DecodeWebP "
     "DecodeImage DecodeWav DecodeRaw DecodePaddedRaw DecodeCSV DecodeJSONExample "
     "DecodeCompressed DecodeProtoV2 DecodeBase64 EncodeJpeg EncodeJpegVariableQuality EncodePng "
     "EncodeWav EncodeBase64 EncodeProto ExtractJpegShape SampleDistortedBoundingBox "
     "SampleDistortedBoundingBoxV2 StatelessSampleDistortedBoundingBox",
     NULL, NULL, 0},
    {"AsString StringStrip StringLower StringUpper RegexReplace StaticRegexReplace "
     "RegexFullMatch StaticRegexFullMatch StringLength StringToNumber StringToHashBucket "
     "StringToHashBucketFast StringToHashBucketStrong UnicodeTranscode UnicodeScript StringJoin "
     "ReduceJoin StringSplit StringSplitV2 UnicodeDecode UnicodeDecodeWithOffsets UnicodeEncode "
     "StringNGrams StringFormat Substr Fingerprint Bucketize ParseTensor SerializeTensor "
     "ParseExample ParseExampleV2 ParseSingleExample ParseSingleSequenceExample",
     NULL, NULL, 0},
    {"HashTable HashTableV2 MutableHashTable MutableHashTableV2 MutableDenseHashTable "
     "MutableDenseHashTableV2 MutableHashTableOfTensors MutableHashTableOfTensorsV2 "
     "AnonymousHashTable AnonymousMutableHashTable AnonymousMutableDenseHashTable "
     "AnonymousMutableHashTableOfTensors LookupTableFind LookupTableFindV2 LookupTableSize "
     "LookupTableSizeV2 LookupTableExport LookupTableExportV2 LookupTableInsert "
     "LookupTableInsertV2 LookupTableImport LookupTableImportV2 LookupTableRemoveV2 "
     "InitializeTable InitializeTableV2 InitializeTableFromTextFile "
     "InitializeTableFromTextFileV2 ReadFile MatchingFiles WriteFile",
     NULL, NULL, 0},
    {"TensorSummary TensorSummaryV2 ScalarSummary HistogramSummary ImageSummary AudioSummary "
     "AudioSummaryV2 MergeSummary SummaryWriter WriteScalarSummary WriteHistogramSummary "
     "WriteImageSummary WriteAudioSummary WriteGraphSummary WriteRawProtoSummary WriteSummary "
     "ImportEvent FlushSummaryWriter CloseSummaryWriter CreateSummaryFileWriter "
     "CreateSummaryDbWriter Save SaveV2 SaveSlices MergeV2Checkpoints Restore RestoreV2 "
     "RestoreSlice ShardedFilename ShardedFilespec GetSessionHandle GetSessionHandleV2 "
     "GetSessionTensor DeleteSessionTensor",
     NULL, NULL, 0},
    {"TensorArray TensorArrayV2 TensorArrayV3 TensorArrayGradV3 TensorArrayGradWithShape "
     "TensorArrayWriteV3 TensorArrayReadV3 TensorArrayGatherV3 TensorArrayScatterV3 "
     "TensorArraySplitV3 TensorArrayConcatV3 TensorArraySizeV3 TensorArrayCloseV3 "
     "EmptyTensorList TensorListReserve TensorListFromTensor TensorListPushBack "
     "TensorListPushBackBatch TensorListPopBack TensorListSetItem TensorListGetItem "
     "TensorListScatter TensorListScatterV2 TensorListScatterIntoExistingList TensorListGather "
     "TensorListResize TensorListConcatLists TensorListConcat TensorListConcatV2 TensorListStack "
     "TensorListSplit TensorListLength TensorListElementShape Stack StackV2 StackPush "
     "StackPushV2 StackPop StackPopV2 StackClose StackCloseV2",
     NULL, NULL, 0},
    {"Iterator IteratorV2 OneShotIterator AnonymousIterator AnonymousIteratorV2 "
     "MultiDeviceIterator IteratorFromStringHandle IteratorFromStringHandleV2 "
     "IteratorToStringHandle IteratorGetNext IteratorGetNextSync IteratorGetNextAsOptional "
     "MultiDeviceIteratorGetNextFromShard OptionalFromValue OptionalNone OptionalHasValue "
     "OptionalGetValue MakeIterator DeleteIterator DatasetToSingleElement FIFOQueue FIFOQueueV2 "
     "RandomShuffleQueue RandomShuffleQueueV2 PaddingFIFOQueue PaddingFIFOQueueV2 PriorityQueue "
     "PriorityQueueV2 QueueDequeue QueueDequeueV2 QueueDequeueMany QueueDequeueManyV2 "
     "QueueDequeueUpTo QueueDequeueUpToV2 QueueEnqueue QueueEnqueueV2 QueueEnqueueMany "
     "QueueEnqueueManyV2 QueueClose QueueCloseV2 QueueSize QueueSizeV2 QueueIsClosed "
     "QueueIsClosedV2",
     NULL, NULL, 0},
    {"Stage Unstage StagePeek MapStage MapUnstage MapPeek OrderedMapStage OrderedMapUnstage "
     "OrderedMapPeek TFRecordReader TFRecordReaderV2 TextLineReader TextLineReaderV2 "
     "WholeFileReader WholeFileReaderV2 FixedLengthRecordReader FixedLengthRecordReaderV2 "
     "IdentityReader IdentityReaderV2 LMDBReader ReaderRead ReaderReadV2 ReaderReadUpTo "
     "ReaderReadUpToV2 Barrier BarrierTakeMany RecordInput Batch Unbatch UnbatchGrad Send Recv "
     "_Send _Recv _HostSend _HostRecv InfeedDequeue InfeedDequeueTuple InfeedEnqueue "
     "OutfeedEnqueue OutfeedDequeue CollectiveBcastSendV2 CollectiveBcastRecvV2 "
     "CollectivePermute CollectiveAllToAllV2 CollectiveGather CollectiveGatherV2 "
     "AnonymousSeedGenerator IsBoostedTreesEnsembleInitialized",
     NULL, NULL, 0},
    {"SparseReorder SparseReshape SparseSlice SparseConcat SparseSplit SparseCross SparseCrossV2 "
     "SparseCrossHashed SparseFillEmptyRows SerializeSparse SerializeManySparse "
     "DeserializeSparse DeserializeManySparse TakeManySparseFromTensorsMap AddSparseToTensorsMap "
     "AddManySparseToTensorsMap RaggedTensorToTensor RaggedTensorToSparse RaggedGather "
     "RaggedRange RaggedTensorToVariant RaggedTensorFromVariant CudnnRNNParamsSize "
     "CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2 CudnnRNNCanonicalToParams "
     "CudnnRNNCanonicalToParamsV2",
     NULL, NULL, 0},
    {0},
};
