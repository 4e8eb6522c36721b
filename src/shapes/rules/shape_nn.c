/* shape_nn.c: shapes of normalisations, losses, sampling and recurrent cells (shapes.md sections
 * 5.13 to 5.15). */
#include "shapes/shape_rules.h"

#include <string.h>

/* ---- normalisation */

static int64_t channel_of(struct opctx *c, const struct dims *s)
{
    bool first = opctx_string_is(c, "data_format", "NHWC", "NCHW") ||
                 opctx_string_is(c, "data_format", "NHWC", "NCDHW");

    return dim_at(s, first ? 1 : -1);
}

static const struct dims *with_channels(struct opctx *c, const struct dims *s, int64_t channels)
{
    bool first = opctx_string_is(c, "data_format", "NHWC", "NCHW") ||
                 opctx_string_is(c, "data_format", "NHWC", "NCDHW");

    if (!s || s->rank < 2)
        return s;
    return dims_replace(c->keep, s, first ? 1 : s->rank - 1, channels);
}

static bool is_5d(struct opctx *c)
{
    return opctx_string_is(c, "data_format", "NHWC", "NDHWC") ||
           opctx_string_is(c, "data_format", "NHWC", "NCDHW");
}

/* True when mean and variance are inputs: for inference, and for running averages. */
static bool reads_statistics(struct opctx *c)
{
    const struct attr_value *factor = opctx_attr(c, "exponential_avg_factor");

    return !opctx_bool(c, "is_training", true) ||
           (factor && factor->kind == ATTR_FLOAT && factor->v.f != 1);
}

/* Four vectors of C after the image, and arg outputs of unknown shape. */
static void shape_batch_norm(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), is_5d(c) ? 5 : 4), *vector;
    int64_t channels = channel_of(c, s);
    uint32_t n_vectors = reads_statistics(c) ? 5 : 3;

    out_count(c, clamp_add(5, c->arg));
    for (uint32_t i = 1; i < n_vectors; i++)
        channels = ctx_merge_dim(c, channels, dim_at(in_shape(c, i), 0));
    out_set(c, 0, with_channels(c, s, channels));
    vector = ctx_vector(c, channels);
    for (uint32_t i = 1; i < 5; i++)
        out_set(c, i, vector);
}

static void shape_batch_norm_grad(struct opctx *c)
{
    const struct dims *s = ctx_merge(c, in_shape(c, 0), in_shape(c, 1)), *vector;
    int64_t channels;

    s = ctx_rank(c, s, is_5d(c) ? 5 : 4);
    channels = ctx_merge_dim(c, channel_of(c, s), dim_at(in_shape(c, 2), 0));
    out_count(c, 5);
    out_set(c, 0, with_channels(c, s, channels));
    vector = ctx_vector(c, channels);
    out_set(c, 1, vector);
    out_set(c, 2, vector);
    out_set(c, 3, ctx_vector(c, 0));
    out_set(c, 4, ctx_vector(c, 0));
}

/* arg scalars follow.  With arg 0, inputs 1 to 4 are vectors of C. */
static void shape_global_norm(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 4);
    int64_t channels = dim_at(s, 3);

    out_count(c, clamp_add(1, c->arg));
    for (uint32_t i = 1; c->arg == 0 && i < 5; i++)
        channels = ctx_merge_dim(c, channels, dim_at(in_shape(c, i), 0));
    out_set(c, 0, s ? dims_replace(c->keep, s, 3, channels) : NULL);
    out_scalars(c, 1, 1 + (uint32_t)c->arg);
}

static void shape_global_norm_grad(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, ctx_merge(c, in_shape(c, 0), in_shape(c, 4)), 4), *vector;
    int64_t channels = dim_at(s, 3);

    out_count(c, 5);
    for (uint32_t i = 1; i < 4; i++)
        channels = ctx_merge_dim(c, channels, dim_at(in_shape(c, i), 0));
    out_set(c, 0, s ? dims_replace(c->keep, s, 3, channels) : NULL);
    vector = ctx_vector(c, channels);
    for (uint32_t i = 1; i < 5; i++)
        out_set(c, i, vector);
}

/* ---- losses, decoders, sampling */

static void shape_softmax_loss(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, ctx_broadcast(c, in_shape(c, 0), in_shape(c, 1)), 2);

    out_count(c, 2);
    out_set(c, 0, ctx_vector(c, dim_at(s, 0)));
    out_set(c, 1, s);
}

static void shape_sparse_softmax_loss(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 2);
    const struct dims *labels = ctx_rank(c, in_shape(c, 1), 1);
    int64_t rows = ctx_merge_dim(c, dim_at(s, 0), dim_at(labels, 0));

    out_count(c, 2);
    out_set(c, 0, ctx_vector(c, rows));
    out_set(c, 1, s ? dims_replace(c->keep, s, 0, rows) : NULL);
}

static void shape_ctc_loss(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 3);
    int64_t batch = ctx_merge_dim(c, dim_at(s, 1), dim_at(in_shape(c, 3), 0));

    out_count(c, 2);
    out_set(c, 0, ctx_vector(c, batch));
    out_set(c, 1, s ? dims_replace(c->keep, s, 1, batch) : NULL);
}

/* top_paths sparse tensors and the log probabilities; arg 1: greedy. */
static void shape_ctc_decoder(struct opctx *c)
{
    int64_t n = c->arg == 1 ? 1 : opctx_int(c, "top_paths", 1);
    uint32_t k;
    const int64_t batch = ctx_merge_dim(c, dim_at(in_shape(c, 0), 1), dim_at(in_shape(c, 1), 0));

    if (n < 1 || n > UINT16_MAX) {
        opctx_fail(c, "the number of paths is not positive");
        return;
    }
    k = (uint32_t)n;
    out_count(c, 3 * k + 1);
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = c->out_index[i] < k       ? ctx_matrix(c, DIM_UNKNOWN, 2)
                          : c->out_index[i] < 2 * k ? ctx_vector(c, DIM_UNKNOWN)
                                                    : ctx_vector(c, 2);
    out_set(c, 3 * k, ctx_matrix(c, batch, n));
}

/* The state of the examples, then one output for each input with sparse or dense weights. */
static void shape_sdca_optimizer(struct opctx *c)
{
    static const char *const counts[] = {"num_sparse_features", "num_dense_features",
                                         "num_sparse_features_with_values"};
    uint32_t n[3], first;

    for (uint32_t i = 0; i < 3; i++) {
        const int64_t count = opctx_int(c, counts[i], 0);

        if (count < 0 || count > UINT16_MAX) {
            memset(n, 0, sizeof n);
            break;
        }
        n[i] = (uint32_t)count;
    }
    out_count(c, 1 + n[0] + n[1]);
    out_set(c, 0, ctx_matrix(c, DIM_UNKNOWN, 4));
    /* the inputs: sparse example indices, feature indices and values, dense features, example
     * weights, example labels, sparse indices, then the weights */
    first = 2 * n[0] + n[2] + n[1] + 2 + n[0];
    for (uint32_t i = 1; i < c->n_out; i++)
        c->out[i].shape = in_shape(c, first + c->out_index[i] - 1);
}

/* ---- recurrent cells */

/* arg outputs of [B, H]; H comes from input 1, the previous state. */
static void shape_block_cell(struct opctx *c)
{
    const struct dims *s = ctx_matrix(c, dim_at(in_shape(c, 0), 0), dim_at(in_shape(c, 1), 1));

    out_count(c, c->arg);
    for (uint32_t i = 0; i < c->n_out; i++)
        out_set(c, i, s);
}

static void shape_block_lstm(struct opctx *c)
{
    const struct dims *x = ctx_rank(c, in_shape(c, 1), 3);
    const int64_t d[] = {dim_at(x, 0), dim_at(x, 1),
                         ctx_div(c, dim_at(in_shape(c, c->n_in - 1), 0), 4, true)};

    out_count(c, 7);
    out_set_all(c, ctx_new(c, 3, d));
}

/* output, output_h, output_c, and arg outputs of unknown shape. */
static void shape_cudnn_rnn(struct opctx *c)
{
    const struct dims *x = ctx_rank(c, in_shape(c, 0), 3), *h = ctx_rank(c, in_shape(c, 1), 3);
    int64_t dirs = opctx_string_is(c, "direction", "unidirectional", "bidirectional") ? 2 : 1;
    int64_t width = opctx_int(c, "num_proj", 0);

    out_count(c, clamp_add(3, c->arg));
    if (width <= 0)
        width = dim_at(h, 2);
    if (x)
        out_set(c, 0, dims_replace(c->keep, x, 2, ctx_mul(c, width, dirs)));
    out_set(c, 1, h);
    out_set(c, 2, opctx_string_is(c, "rnn_mode", "lstm", "lstm") ? in_shape(c, 2) : &dims_scalar);
}

static void shape_cudnn_params_to_canonical(struct opctx *c)
{
    int64_t n = opctx_int(c, "num_params", opctx_int(c, "num_params_weights", 0));
    int64_t biases = opctx_int(c, "num_params_biases", n);

    if (n < 0 || n > UINT16_MAX || biases < 0 || biases > UINT16_MAX)
        return;
    out_count(c, clamp_add(n, biases));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape =
            c->out_index[i] < n ? ctx_unknown(c, 2) : ctx_vector(c, DIM_UNKNOWN);
}

const struct op_rule shape_rules_nn[] = {
    {"FusedBatchNorm FusedBatchNormV2 _MklFusedBatchNorm _MklFusedBatchNormV2 "
     "_MklNativeFusedBatchNorm _MklNativeFusedBatchNormV2",
     shape_batch_norm, 0},
    {"FusedBatchNormV3 _FusedBatchNormEx _MklFusedBatchNormV3 _MklNativeFusedBatchNormV3 "
     "_MklFusedBatchNormEx _MklNativeFusedBatchNormEx",
     shape_batch_norm, 1},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 _FusedBatchNormGradEx "
     "_MklFusedBatchNormGrad _MklFusedBatchNormGradV2 _MklFusedBatchNormGradV3 "
     "_MklNativeFusedBatchNormGrad _MklNativeFusedBatchNormGradV2 "
     "_MklNativeFusedBatchNormGradV3",
     shape_batch_norm_grad, 0},
    {"BatchNormWithGlobalNormalization", shape_global_norm, 0},
    {"QuantizedBatchNormWithGlobalNormalization", shape_global_norm, 2},
    {"BatchNormWithGlobalNormalizationGrad", shape_global_norm_grad, 0},

    {"SoftmaxCrossEntropyWithLogits", shape_softmax_loss, 0},
    {"SparseSoftmaxCrossEntropyWithLogits", shape_sparse_softmax_loss, 0},
    {"CTCLoss CTCLossV2", shape_ctc_loss, 0},
    {"CTCGreedyDecoder", shape_ctc_decoder, 1},
    {"CTCBeamSearchDecoder", shape_ctc_decoder, 0},
    {"SdcaOptimizer SdcaOptimizerV2", shape_sdca_optimizer, 0},

    {"LSTMBlockCell", shape_block_cell, 7},
    {"BlockLSTM BlockLSTMV2", shape_block_lstm, 0},
    {"GRUBlockCell", shape_block_cell, 4},
    {"CudnnRNN", shape_cudnn_rnn, 1},
    {"CudnnRNNV2 CudnnRNNV3", shape_cudnn_rnn, 2},
    {"CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2", shape_cudnn_params_to_canonical, 0},
    {0},
};
