/* count_tflite.c: operation counts of TFLite operators (formats-tflite.md section 3). */
#include "flops/count_rules.h"

/* 2 * N(out0) * w[FROM] * ... * w[TO], of the weight, input 1. */
static void count_weighted(struct opctx *c, struct tally *t, const struct dims *image, int64_t from,
                           int64_t to)
{
    const struct dims *w = tally_input(t, c, 1);

    tally_plus_mac(t);
    tally_elements(t, image);
    for (; from <= to; from = clamp_add(from, 1))
        tally_dim(t, w, from);
}

static void count_conv(struct opctx *c, struct tally *t)
{
    count_weighted(c, t, tally_output(c, 0), c->arg == 3 ? 0 : 1, 3);
}

static void count_depthwise(struct opctx *c, struct tally *t)
{
    count_weighted(c, t, tally_output(c, 0), 1, 2);
}

static void count_transpose(struct opctx *c, struct tally *t)
{
    count_weighted(c, t, tally_input(t, c, 2), 0, 2);
}

static void count_connected(struct opctx *c, struct tally *t)
{
    count_weighted(c, t, tally_output(c, 0), 1, 1);
}

static void count_batch(struct opctx *c, struct tally *t)
{
    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    tally_dim(t, tally_input(t, c, 0), opctx_int(c, "adj_x", 0) ? -2 : -1);
}

/* 2 * in0[0] * in0[1] * N of each matrix among inputs 1 to 8. */
static void count_lstm(struct opctx *c, struct tally *t)
{
    for (uint32_t i = 1; i <= 8 && i < c->n_in; i++) {
        const struct dims *w = in_shape(c, i);

        if (!w || w->rank != 2)
            continue;
        tally_plus_mac(t);
        tally_dim(t, tally_input(t, c, 0), 0);
        tally_dim(t, tally_input(t, c, 0), 1);
        tally_elements(t, w);
    }
}

static void count_pool(struct opctx *c, struct tally *t)
{
    tally_plus(t);
    tally_elements(t, tally_output(c, 0));
    tally_size(t, opctx_int(c, "filter_height", DIM_UNKNOWN));
    tally_size(t, opctx_int(c, "filter_width", DIM_UNKNOWN));
}

static void count_sum(struct opctx *c, struct tally *t)
{
    tally_each(t, clamp_sub(c->n_in, 1), tally_output(c, 0));
}

const struct count_rule count_rules_tflite[] = {
    {"CONV_2D", "2 * N(out) * kh * kw * Cin", count_conv, 2},
    {"CONV_3D", "2 * N(out) * kd * kh * kw * Cin", count_conv, 3},
    {"DEPTHWISE_CONV_2D", "2 * N(out) * kh * kw", count_depthwise, 0},
    {"TRANSPOSE_CONV", "2 * N(image) * Cout * kh * kw", count_transpose, 0},
    {"FULLY_CONNECTED", "2 * N(out) * w[1]", count_connected, 0},
    {"BATCH_MATMUL", "2 * N(out) * k", count_batch, 0},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", "2 * in0[0] * in0[1] * N(weights)", count_lstm, 0},
    {"AVERAGE_POOL_2D MAX_POOL_2D L2_POOL_2D", "N(out) * kh * kw", count_pool, 0},
    {"SOFTMAX LOG_SOFTMAX", "5 * N(in)", count_each_input, 5},
    {"MEAN CUMSUM", "N(in)", count_each_input, 1},
    {"SUM REDUCE_MAX REDUCE_MIN REDUCE_PROD ARG_MAX ARG_MIN", "N(in) - N(out)", count_each_input_less_output, 1},
    {"ADD_N", "N(out) * (inputs - 1)", count_sum, 0},
    {"QUANTIZE", "4 * N(out)", count_each_output, 4},
    {"RELU6 LEAKY_RELU PRELU HARD_SWISH SQUARED_DIFFERENCE RSQRT DEQUANTIZE", "2 * N(out)",
     count_each_output, 2},
    {"ADD SUB MUL DIV MAXIMUM MINIMUM POW FLOOR_DIV FLOOR_MOD LOGISTIC TANH RELU RELU_N1_TO_1 ELU "
     "GELU EXP LOG SQRT SQUARE NEG ABS SIGN SIN COS FLOOR CEIL ROUND LESS LESS_EQUAL GREATER "
     "GREATER_EQUAL EQUAL NOT_EQUAL LOGICAL_AND LOGICAL_OR LOGICAL_NOT SELECT SELECT_V2",
     "N(out)", count_each_output, 1},
    {0},
};
