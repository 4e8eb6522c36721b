/* count_nn.c: full counts of normalisations, losses, recurrent cells and
 * optimisers; flops.md sections 6.4, 6.5, 6.6 and 6.13. */
#include "flops/count_rules.h"

#include "base/satmath.h"

/* ---- normalisation */

static bool channels_first(struct opctx *c)
{
    return opctx_string_is(c, "data_format", "NHWC", "NCHW") ||
           opctx_string_is(c, "data_format", "NHWC", "NCDHW");
}

/* PER_VALUE * N(x) + PER_CHANNEL * C. */
static void count_normalisation(struct opctx *c, struct tally *t, int64_t per_value,
                                int64_t per_channel)
{
    const struct dims *x = tally_input(t, c, 0);

    tally_each(t, per_value, x);
    if (per_channel == 0)
        return;
    tally_plus(t);
    tally_times(t, per_channel);
    tally_dim(t, x, channels_first(c) ? 1 : -1);
}

/* Adds activation and side input of fused ops (arg 1). */
static void fused_extras(struct opctx *c, struct tally *t)
{
    const struct dims *x = tally_input(t, c, 0);

    if (c->arg != 1)
        return;
    if (opctx_int(c, "num_side_inputs", 0) > 0)
        tally_each(t, 1, x);
    if (opctx_string_is(c, "activation_mode", "Identity", "Relu"))
        tally_each(t, 1, x);
}

static void count_batch_norm(struct opctx *c, struct tally *t)
{
    if (opctx_bool(c, "is_training", true))
        count_normalisation(c, t, 4, count_weight(c, t, COUNT_T + COUNT_D + 6));
    else
        count_normalisation(c, t, 2, 0);
    fused_extras(c, t);
}

static void count_batch_norm_grad(struct opctx *c, struct tally *t)
{
    count_normalisation(c, t, 11, count_weight(c, t, COUNT_T + COUNT_D + 5));
    fused_extras(c, t);
}

static void count_global_norm(struct opctx *c, struct tally *t)
{
    if (opctx_bool(c, "scale_after_normalization", true))
        count_normalisation(c, t, 4, 4);
    else
        count_normalisation(c, t, 2, 4);
}

/* N(in0) * (a * depth_radius + b); arg: a, 2 forward, 4 backward. */
static void count_local_response(struct opctx *c, struct tally *t)
{
    int64_t radius = opctx_int(c, "depth_radius", 5);

    if (radius < 0 || radius > INT32_MAX)
        tally_stop(t, FLOPS_NO_RULE);
    else
        tally_each(t,
                   clamp_add(clamp_mul(c->arg, radius),
                             c->arg == 2 ? count_weight(c, t, COUNT_T + COUNT_D + 3) : 10),
                   tally_input(t, c, 0));
}

/* ---- losses */

/* 5 for each logit, and arg for each row (all dimensions but the last). */
static void count_sparse_softmax_loss(struct opctx *c, struct tally *t)
{
    const struct dims *logits = tally_input(t, c, 0);

    tally_each(t, 5, logits);
    tally_each(t, c->arg, dims_slice(c->keep, logits, 0, -1));
}

/* ---- recurrent cells */

/* TIMES * 2 * STEPS * B * (I + H) * gates * H + WEIGHT * STEPS * B * H. */
static void count_cell(struct tally *t, int64_t steps, int64_t batch, const struct dims *weights,
                       int64_t hidden, int64_t times, int64_t weight)
{
    if (times > 0) {
        tally_plus_mac(t);
        if (times != 1)
            tally_times(t, times);
        tally_size(t, steps);
        tally_size(t, batch);
        tally_elements(t, weights);
    }
    tally_plus(t);
    tally_times(t, weight);
    tally_size(t, steps);
    tally_size(t, batch);
    tally_size(t, hidden);
}

/* Element-wise work of an LSTM step; BASE 14 is bias 4, forget bias 1, gates 4, state 3, tanh 1,
 * output 1.  CLIP: whether the state is clipped by default. */
static int64_t lstm_weight(struct opctx *c, int64_t base, int64_t peephole, bool clip)
{
    const struct attr_value *v = opctx_attr(c, "cell_clip");
    int64_t weight = base;

    if (v && v->kind == ATTR_FLOAT)
        clip = v->v.f > 0;
    if (clip)
        weight = clamp_add(weight, 2);
    if (opctx_bool(c, "use_peephole", false))
        weight = clamp_add(weight, peephole);
    return weight;
}

/* Inputs: x, cs_prev, h_prev, w, ... */
static void count_lstm_cell(struct opctx *c, struct tally *t)
{
    const struct dims *x = tally_input(t, c, 0), *w = tally_input(t, c, 3);

    count_cell(t, 1, dim_at(x, 0), w, dim_at(tally_input(t, c, 1), 1), 1,
               lstm_weight(c, 14, 6, true));
}

static void count_lstm_cell_grad(struct opctx *c, struct tally *t)
{
    const struct dims *state = tally_input(t, c, 1);

    count_cell(t, 1, dim_at(state, 0), NULL, dim_at(state, 1), 0, lstm_weight(c, 22, 12, false));
}

/* Inputs: seq_len_max, x, cs_prev, h_prev, w, ...  arg: 0 version 1, 1 version 2 (no clipping), 2
 * gradients. */
static void count_block_lstm(struct opctx *c, struct tally *t)
{
    const struct dims *x = tally_input(t, c, 1), *w = tally_input(t, c, 4);
    int64_t hidden = dim_at(tally_input(t, c, 2), 1);

    if (c->arg == 2)
        count_cell(t, dim_at(x, 0), dim_at(x, 1), w, hidden, 2, lstm_weight(c, 26, 12, false));
    else
        count_cell(t, dim_at(x, 0), dim_at(x, 1), w, hidden, 1, lstm_weight(c, 14, 6, c->arg == 0));
}

/* Inputs: x, h_prev, w_ru [I+H, 2H], w_c [I+H, H].  arg: element-wise work per unit. */
static void count_gru_cell(struct opctx *c, struct tally *t)
{
    const struct dims *x = tally_input(t, c, 0), *h = tally_input(t, c, 1);

    for (uint32_t i = 2; i < 4; i++) {
        tally_plus_mac(t);
        tally_dim(t, x, 0);
        tally_elements(t, tally_input(t, c, i));
    }
    tally_each(t, c->arg, h);
    if (c->arg == 18)
        tally_each(t, 1, x);
}

struct rnn {
    int64_t steps, batch, input, hidden, proj, dirs, layers, gates, weight, times;
    bool skip;
};

static void read_rnn(struct opctx *c, struct tally *t, struct rnn *r)
{
    const struct dims *x = tally_input(t, c, 0), *h = tally_input(t, c, 1);
    bool time_major = opctx_bool(c, "time_major", true);
    bool lstm = opctx_string_is(c, "rnn_mode", "lstm", "lstm");
    bool gru = opctx_string_is(c, "rnn_mode", "lstm", "gru");

    *r = (struct rnn){
        .steps = dim_at(x, time_major ? 0 : 1),
        .batch = dim_at(x, time_major ? 1 : 0),
        .input = dim_at(x, 2),
        .hidden = dim_at(h, 2),
        .proj = opctx_int(c, "num_proj", 0),
        .dirs = opctx_string_is(c, "direction", "unidirectional", "bidirectional") ? 2 : 1,
        .gates = lstm ? 4 : gru ? 3 : 1,
        .weight = lstm ? 9 : gru ? 8 : 1,
        .times = c->arg,
        .skip = opctx_string_is(c, "input_mode", "linear_input", "skip_input"),
    };
    if (r->proj > 0)
        r->hidden = dim_at(tally_input(t, c, 2), 2);
    /* [layers * dirs, B, H], or [B, layers * dirs, H] with the batch first */
    r->layers = dim_at(h, time_major ? 0 : 1);
    r->layers = r->layers < 0 ? r->layers : quotient(r->layers, r->dirs);
}

/* TIMES * 2 * layers * dirs * T * B * A * WIDTH. */
static void rnn_term(struct tally *t, const struct rnn *r, int64_t layers, int64_t a, int64_t width)
{
    tally_plus_mac(t);
    tally_times(t, clamp_mul(r->times, r->dirs));
    tally_size(t, layers);
    tally_size(t, r->steps);
    tally_size(t, r->batch);
    tally_size(t, a);
    tally_size(t, width);
}

/* For each direction and layer: products of input and state, and element-wise work.  arg: 1
 * forward, 2 backward. */
static void count_cudnn_rnn(struct opctx *c, struct tally *t)
{
    struct rnn r;
    int64_t recurrent, gates;
    bool saturated = false;

    read_rnn(c, t, &r);
    recurrent = r.proj > 0 ? r.proj : r.hidden;
    if (r.layers == 0) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    gates = r.hidden < 0 ? DIM_UNKNOWN : dim_mul(r.gates, r.hidden, &saturated);
    if (!r.skip)
        rnn_term(t, &r, r.layers < 0 ? r.layers : 1, gates, r.input);
    if (r.layers > 1)
        rnn_term(t, &r, clamp_sub(r.layers, 1), gates, dim_mul(recurrent, r.dirs, &saturated));
    rnn_term(t, &r, r.layers, gates, recurrent);
    if (r.proj > 0)
        rnn_term(t, &r, r.layers, r.proj, r.hidden);
    tally_plus(t);
    tally_times(t, clamp_mul(clamp_mul(r.times, r.dirs),
                             clamp_add(clamp_mul(2, r.gates), r.weight)));
    tally_size(t, r.layers);
    tally_size(t, r.steps);
    tally_size(t, r.batch);
    tally_size(t, r.hidden);
}

/* ---- optimisers */

/* A row's arg: GRADIENT * index of the gradient input + FLAGGED * what an attribute adds to the
 * cost of each element + the cost of each element. */
enum { GRADIENT = 256, FLAGGED = 32 };

static void count_flagged(struct opctx *c, struct tally *t, bool flag)
{
    tally_each(t, clamp_add(c->arg % FLAGGED, flag ? c->arg % GRADIENT / FLAGGED : 0),
               tally_input(t, c, (uint32_t)(c->arg / GRADIENT)));
}

static void count_optimiser(struct opctx *c, struct tally *t)
{
    count_flagged(c, t, false);
}

static void count_nesterov(struct opctx *c, struct tally *t)
{
    count_flagged(c, t, opctx_bool(c, "use_nesterov", false));
}

static void count_adagrad(struct opctx *c, struct tally *t)
{
    count_flagged(c, t, opctx_bool(c, "update_slots", true));
}

const struct count_rule count_rules_nn[] = {
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _MklFusedBatchNorm _MklFusedBatchNormV2 "
     "_MklFusedBatchNormV3 _MklNativeFusedBatchNorm _MklNativeFusedBatchNormV2 "
     "_MklNativeFusedBatchNormV3",
     "4 * N(x) + (6 + T + D) * C (inference: 2 * N(x))", count_batch_norm, 0},
    {"_FusedBatchNormEx _MklFusedBatchNormEx _MklNativeFusedBatchNormEx",
     "4 * N(x) + (6 + T + D) * C (inference: 2 * N(x)) + activation", count_batch_norm, 1},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 _MklFusedBatchNormGrad "
     "_MklFusedBatchNormGradV2 _MklFusedBatchNormGradV3 _MklNativeFusedBatchNormGrad "
     "_MklNativeFusedBatchNormGradV2 _MklNativeFusedBatchNormGradV3",
     "11 * N(x) + (5 + T + D) * C", count_batch_norm_grad, 0},
    {"_FusedBatchNormGradEx", "11 * N(x) + (5 + T + D) * C + activation", count_batch_norm_grad, 1},
    {"BatchNormWithGlobalNormalization", "4 * N(x) + 4 * C", count_global_norm, 0},
    {"BatchNormWithGlobalNormalizationGrad QuantizedInstanceNorm _MklFusedInstanceNorm "
     "_MklLayerNorm",
     "8 * N(x)", count_each_input, 8},
    {"QuantizedBatchNormWithGlobalNormalization", "4 * N(x)", count_each_input, 4},
    {"LRN", "N(in) * (2 * depth_radius + 3 + T + D)", count_local_response, 2},
    {"LRNGrad", "N(in) * (4 * depth_radius + 10)", count_local_response, 4},

    {"LogSoftmax", "5 * N(logits)", count_each_input, 5},
    {"SoftmaxCrossEntropyWithLogits", "8 * N(logits)", count_each_input, 8},
    {"SparseSoftmaxCrossEntropyWithLogits", "5 * N(logits) + 3 * rows", count_sparse_softmax_loss,
     3},
    {"SparseSoftmax", "5 * nonzeros", count_each_second_input, 5},
    {"InTopK InTopKV2 TopK TopKV2 ApproxTopK NthElement", "N(in)", count_each_input, 1},

    {"LSTMBlockCell", "2 * B * N(w) + 14 * B * H (+ clip 2, peephole 6)", count_lstm_cell, 0},
    {"LSTMBlockCellGrad", "22 * B * H (+ peephole 12)", count_lstm_cell_grad, 0},
    {"BlockLSTM", "steps * (2 * B * N(w) + 14 * B * H (+ clip 2, peephole 6))", count_block_lstm,
     0},
    {"BlockLSTMV2", "steps * (2 * B * N(w) + 14 * B * H (+ clip 2, peephole 6))", count_block_lstm,
     1},
    {"BlockLSTMGrad BlockLSTMGradV2", "steps * (4 * B * N(w) + 26 * B * H (+ peephole 12))",
     count_block_lstm, 2},
    {"GRUBlockCell", "2 * B * (N(w_ru) + N(w_c)) + 11 * B * H", count_gru_cell, 11},
    {"GRUBlockCellGrad", "2 * B * (N(w_ru) + N(w_c)) + 18 * B * H + B * I", count_gru_cell, 18},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3",
     "per direction and layer: steps * B * (2 * g * H * (in + H) + H * (2 * g + e))",
    count_cudnn_rnn,
     1},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3", "2 * forward", count_cudnn_rnn, 2},

    {"ApplyGradientDescent ResourceApplyGradientDescent", "2 * N(gradient)", count_optimiser,
     2 * GRADIENT + 2},
    {"ApplyProximalGradientDescent ResourceApplyProximalGradientDescent", "9 * N(gradient)",
     count_optimiser, 4 * GRADIENT + 9},
    {"SparseApplyProximalGradientDescent ResourceSparseApplyProximalGradientDescent",
     "9 * N(gradient)", count_optimiser, 4 * GRADIENT + 9},
    {"ApplyMomentum ResourceApplyMomentum SparseApplyMomentum ResourceSparseApplyMomentum",
     "4 * N(gradient) (nesterov: 7)", count_nesterov, 3 * GRADIENT + 3 * FLAGGED + 4},
    {"ResourceApplyKerasMomentum ResourceSparseApplyKerasMomentum", "4 * N(gradient) (nesterov: 6)",
     count_nesterov, 3 * GRADIENT + 2 * FLAGGED + 4},
    {"ApplyAdagrad ResourceApplyAdagrad SparseApplyAdagrad ResourceSparseApplyAdagrad",
     "7 * N(gradient) (no slot update: 5)", count_adagrad, 3 * GRADIENT + 2 * FLAGGED + 5},
    {"ApplyAdagradV2 ResourceApplyAdagradV2 SparseApplyAdagradV2 ResourceSparseApplyAdagradV2",
     "7 * N(gradient) (no slot update: 5)", count_adagrad, 4 * GRADIENT + 2 * FLAGGED + 5},
    {"ApplyProximalAdagrad ResourceApplyProximalAdagrad SparseApplyProximalAdagrad "
     "ResourceSparseApplyProximalAdagrad",
     "12 * N(gradient)", count_optimiser, 5 * GRADIENT + 12},
    {"ApplyAdagradDA ResourceApplyAdagradDA SparseApplyAdagradDA ResourceSparseApplyAdagradDA",
     "10 * N(gradient)", count_optimiser, 3 * GRADIENT + 10},
    {"ApplyAdadelta ResourceApplyAdadelta SparseApplyAdadelta ResourceSparseApplyAdadelta",
     "17 * N(gradient)", count_optimiser, 6 * GRADIENT + 17},
    {"ApplyAdam ResourceApplyAdam", "12 * N(gradient) (nesterov: 15)", count_nesterov,
     9 * GRADIENT + 3 * FLAGGED + 12},
    {"ApplyAdamWithAmsgrad ResourceApplyAdamWithAmsgrad", "13 * N(gradient)", count_optimiser,
     10 * GRADIENT + 13},
    {"ApplyAdaMax ResourceApplyAdaMax", "10 * N(gradient)", count_optimiser, 8 * GRADIENT + 10},
    {"ApplyRMSProp ResourceApplyRMSProp", "11 * N(gradient)", count_optimiser, 7 * GRADIENT + 11},
    {"SparseApplyRMSProp ResourceSparseApplyRMSProp", "11 * N(gradient)", count_optimiser,
     7 * GRADIENT + 11},
    {"ApplyCenteredRMSProp ResourceApplyCenteredRMSProp SparseApplyCenteredRMSProp "
     "ResourceSparseApplyCenteredRMSProp",
     "16 * N(gradient)", count_optimiser, 8 * GRADIENT + 16},
    {"ApplyFtrl ResourceApplyFtrl SparseApplyFtrl ResourceSparseApplyFtrl", "17 * N(gradient)",
     count_optimiser, 3 * GRADIENT + 17},
    {"ApplyFtrlV2 ResourceApplyFtrlV2 SparseApplyFtrlV2 ResourceSparseApplyFtrlV2",
     "19 * N(gradient)", count_optimiser, 3 * GRADIENT + 19},
    {"ApplyAddSign ResourceApplyAddSign ApplyPowerSign ResourceApplyPowerSign", "11 * N(gradient)",
     count_optimiser, 6 * GRADIENT + 11},
    {0},
};
