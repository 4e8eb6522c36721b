/* op_outputs.c: names of the outputs of common ops. */
#include "load/graph/op_outputs.h"

#include <string.h>

/* Names are separated by blanks. */
static const struct {
    const char *ops, *outputs;
} table[] = {
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3",
     "y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3"},
    {"FusedBatchNormGrad FusedBatchNormGradV2",
     "x_backprop scale_backprop offset_backprop reserve_space_3 reserve_space_4"},
    {"FusedBatchNormGradV3",
     "x_backprop scale_backprop offset_backprop reserve_space_4 reserve_space_5"},
    {"Switch RefSwitch", "output_false output_true"},
    {"Merge RefMerge", "output value_index"},
    {"TopK TopKV2", "values indices"},
    {"Unique", "y idx"},
    {"SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits", "loss backprop"},
    {"BroadcastGradientArgs", "r0 r1"},
    {"ListDiff", "out idx"},
    {"TensorListPopBack", "output_handle tensor"},
    {"TensorArrayV3", "handle flow"},
    {"TensorArrayGradV3", "grad_handle flow_out"},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", "output output_h output_c reserve_space host_reserved"},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3",
     "input_backprop input_h_backprop input_c_backprop params_backprop"},
    {"MaxPoolWithArgmax", "output argmax"},
};

/* The index of the word of LEN bytes in WORDS, or -1. */
static int32_t find_word(const char *words, const char *word, size_t len)
{
    for (int32_t i = 0; *words; i++) {
        size_t n = strcspn(words, " ");

        if (n == len && memcmp(words, word, len) == 0)
            return i;
        words += n + (words[n] == ' ');
    }
    return -1;
}

int32_t op_output_index(const char *op, size_t op_len, const char *name, size_t name_len)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (find_word(table[i].ops, op, op_len) >= 0) {
            int32_t index = find_word(table[i].outputs, name, name_len);

            return index < 0 ? 0 : index;
        }
    return 0;
}
