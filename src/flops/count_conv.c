/* count_conv.c: full counts of convolutions and pooling of all ranks: forward, backward, fused and
 * quantised (flops.md sections 5.1 and 6.3). */
#include "flops/count_rules.h"

#include "base/satmath.h"
#include "shapes/rules/dot_numbers.h"

/* Flags in a row's arg, above the number of spatial dimensions. */
enum {
    KIND_DEPTHWISE = 8,
    KIND_FUSED = 16, /* steps in attribute fused_ops */
    KIND_STEPS = 32, /* steps in the op's name */
    KIND_PADDED = 64, /* the filter is input 2, after the paddings */
};

/* Multiplies by the filter dimensions that contribute to one output value. */
static void filter_taps(struct opctx *c, struct tally *t, const struct dims *filter,
                        uint32_t n_spatial, bool depthwise)
{
    bool oihw = opctx_string_is(c, "filter_format", "HWIO", "OIHW");
    bool vect = opctx_string_is(c, "filter_format", "HWIO", "OIHW_VECT_I");
    const uint32_t first = oihw || vect ? 2 : 0;

    tally_need(t, filter);
    for (uint32_t i = 0; i < n_spatial; i++)
        tally_dim(t, filter, first + i);
    if (depthwise)
        return;
    tally_dim(t, filter, oihw || vect ? 1 : n_spatial);
    if (vect)
        tally_dim(t, filter, -1);
}

static void count_convolution(struct opctx *c, struct tally *t)
{
    const struct dims *out = tally_output(c, 0);

    tally_plus_mac(t);
    tally_elements(t, out);
    filter_taps(c, t, tally_input(t, c, c->arg & KIND_PADDED ? 2 : 1), (uint32_t)c->arg & 3,
                (c->arg & KIND_DEPTHWISE) != 0);
    if (c->arg & KIND_FUSED)
        count_fused(c, t, out);
    if (c->arg & KIND_STEPS)
        count_name_steps(c, t);
}

/* The generic op: every filter dimension but the last. */
static void count_generic_convolution(struct opctx *c, struct tally *t)
{
    const struct dims *filter = tally_input(t, c, 1);

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    tally_need(t, filter);
    for (uint32_t i = 0; filter && i + 1 < filter->rank; i++)
        tally_dim(t, filter, i);
}

/* The filter of a gradient op: input arg, or the output for -1. */
static const struct dims *backprop_filter(struct opctx *c, struct tally *t)
{
    return c->arg < 0 ? tally_output(c, 0) : tally_input(t, c, (uint32_t)c->arg);
}

/* 2 N(g) N(filter) / Cout: equal to the forward pass. */
static void count_backprop(struct opctx *c, struct tally *t)
{
    const struct dims *filter = backprop_filter(c, t);

    tally_plus_mac(t);
    tally_elements(t, tally_input(t, c, 2));
    tally_need(t, filter);
    for (uint32_t i = 0; filter && i + 1 < filter->rank; i++)
        tally_dim(t, filter, i);
}

/* 2 N(g) kh kw */
static void count_depthwise_backprop(struct opctx *c, struct tally *t)
{
    const struct dims *filter = backprop_filter(c, t);

    tally_plus_mac(t);
    tally_elements(t, tally_input(t, c, 2));
    tally_dim(t, filter, 0);
    tally_dim(t, filter, 1);
}

static void count_dilation_backprop(struct opctx *c, struct tally *t)
{
    const struct dims *filter = tally_input(t, c, 1), *g = tally_input(t, c, 2);

    tally_each(t, 2, g);
    tally_dim(t, filter, 0);
    tally_dim(t, filter, 1);
    tally_each(t, 1, g);
}

/* Plus 9 operations for each value of the resized image. */
static void count_resize_convolution(struct opctx *c, struct tally *t)
{
    const struct dims *in = tally_input(t, c, 0);
    const struct value *size = in_const(c, 1);

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    filter_taps(c, t, tally_input(t, c, 3), 2, false);
    tally_plus(t);
    tally_times(t, 9);
    tally_dim(t, in, 0);
    tally_size(t, size && size->n == 2 ? size->v[0] : DIM_UNKNOWN);
    tally_size(t, size && size->n == 2 ? size->v[1] : DIM_UNKNOWN);
    tally_dim(t, in, 3);
}

/* Plus scale, bias, activation and side input of each value. */
static void count_bias_activation(struct opctx *c, struct tally *t)
{
    const struct dims *out = tally_output(c, 0), *side = in_shape(c, 3);

    tally_plus_mac(t);
    tally_elements(t, out);
    filter_taps(c, t, tally_input(t, c, 1), 2, false);
    tally_each(t, 2, out);
    if (opctx_string_is(c, "activation_mode", "Relu", "Relu"))
        tally_each(t, 1, out);
    if (side && side->rank > 0)
        tally_each(t, 2, out);
}

static void count_xla_convolution(struct opctx *c, struct tally *t)
{
    struct attr_bytes bytes = opctx_string(c, "dimension_numbers", "");
    const struct dims *kernel = tally_input(t, c, 1);
    struct conv_numbers numbers;

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    if (!conv_numbers_parse(&numbers, bytes.bytes, bytes.len,
                            kernel && kernel->rank > 2 ? kernel->rank - 2 : 0)) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    for (uint32_t i = 0; i < numbers.kernel.n_spatial; i++)
        tally_dim(t, kernel, numbers.kernel.spatial[i]);
    tally_dim(t, kernel, numbers.kernel.batch);
}

/* ---- pooling */

/* window * N(out) */
static void count_pool(struct opctx *c, struct tally *t)
{
    tally_each(t, count_window(c, t), tally_output(c, 0));
}

/* The window comes from input 1. */
static void count_pool_v2(struct opctx *c, struct tally *t)
{
    const struct value *ksize = in_const(c, 1);

    tally_plus(t);
    for (uint32_t i = 0; ksize && i < ksize->n; i++)
        tally_size(t, ksize->v[i]);
    if (!ksize)
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
    tally_elements(t, tally_output(c, 0));
}

/* 2 * window * N(gradient); the gradient is input 1. */
static void count_avg_pool_grad(struct opctx *c, struct tally *t)
{
    tally_plus(t);
    tally_times(t, 2);
    tally_times(t, count_window(c, t));
    tally_elements(t, tally_input(t, c, 1));
}

/* (window + arg) * N(in1); the V2 op has its window at input 3. */
static void count_max_pool_grad(struct opctx *c, struct tally *t)
{
    int64_t window = count_window(c, t);
    const struct value *ksize = in_const(c, 3);

    if (!opctx_attr(c, "ksize")) {
        if (!ksize)
            tally_stop(t, FLOPS_UNKNOWN_SHAPE);
        for (uint32_t i = 0; ksize && i < ksize->n; i++)
            window = sat_mul(window, ksize->v[i], &t->sum.saturated);
    }
    tally_each(t, sat_add(window, c->arg, &t->sum.saturated), tally_input(t, c, 1));
}

const struct count_rule count_rules_conv[] = {
    {"Conv", "2 * N(out) * N(filter) / Cout", count_generic_convolution, 0},
    {"_FusedConv2D _MklFusedConv2D _MklNativeFusedConv2D",
     "2 * N(out) * kh * kw * Cin + fused steps", count_convolution, 2 + KIND_FUSED},
    {"_FusedConv3D _MklNativeFusedConv3D", "2 * N(out) * kd * kh * kw * Cin + fused steps",
     count_convolution, 3 + KIND_FUSED},
    {"_FusedDepthwiseConv2dNative _MklFusedDepthwiseConv2dNative "
     "_MklNativeFusedDepthwiseConv2dNative _FusedQuantizedDepthwiseConv2D",
     "2 * N(out) * kh * kw + fused steps", count_convolution, 2 + KIND_DEPTHWISE + KIND_FUSED},
    {"_MklPadWithFusedConv2D _MklNativePadWithFusedConv2D _FusedQuantizedConv2D",
     "2 * N(out) * kh * kw * Cin + fused steps", count_convolution, 2 + KIND_FUSED},
    {"_MklConv2D _MklNativeConv2D _MklPadWithConv2D _MklNativePadWithConv2D",
     "2 * N(out) * kh * kw * Cin", count_convolution, 2},
    {"_MklConv2DWithBias _MklNativeConv2DWithBias", "2 * N(out) * kh * kw * Cin + N(out)",
     count_convolution, 2 + KIND_STEPS},
    {"_MklConv3D _MklNativeConv3D", "2 * N(out) * kd * kh * kw * Cin", count_convolution, 3},
    {"_MklDepthwiseConv2dNative _MklNativeDepthwiseConv2dNative", "2 * N(out) * kh * kw",
     count_convolution, 2 + KIND_DEPTHWISE},
    {"FusedPadConv2D", "2 * N(out) * kh * kw * Cin", count_convolution, 2 + KIND_PADDED},
    {"FusedResizeAndPadConv2D", "2 * N(out) * kh * kw * Cin + 9 * N(resized)",
     count_resize_convolution,
     0},
    {"FusedConv2DBiasActivation", "2 * N(out) * kh * kw * Cin + steps * N(out)",
     count_bias_activation,
     0},
    {"QuantizedConv2D QuantizedConv2DAndRelu QuantizedConv2DAndRequantize "
     "QuantizedConv2DAndReluAndRequantize QuantizedConv2DPerChannel QuantizedConv2DWithBias "
     "QuantizedConv2DWithBiasAndRelu QuantizedConv2DWithBiasAndRequantize "
     "QuantizedConv2DWithBiasAndReluAndRequantize QuantizedConv2DWithBiasSumAndRelu "
     "QuantizedConv2DWithBiasSumAndReluAndRequantize "
     "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize _MklQuantizedConv2D "
     "_MklQuantizedConv2DAndRelu _MklQuantizedConv2DAndRequantize "
     "_MklQuantizedConv2DAndReluAndRequantize _MklQuantizedConv2DPerChannel "
     "_MklQuantizedConv2DWithBias _MklQuantizedConv2DWithBiasAndRelu "
     "_MklQuantizedConv2DWithBiasAndRequantize _MklQuantizedConv2DWithBiasAndReluAndRequantize "
     "_MklQuantizedConv2DWithBiasSumAndRelu _MklQuantizedConv2DWithBiasSumAndReluAndRequantize "
     "_MklQuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
     "2 * N(out) * kh * kw * Cin + N(out) a step", count_convolution, 2 + KIND_STEPS},
    {"QuantizedDepthwiseConv2D QuantizedDepthwiseConv2DWithBias "
     "QuantizedDepthwiseConv2DWithBiasAndRelu "
     "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize _MklQuantizedDepthwiseConv2D "
     "_MklQuantizedDepthwiseConv2DWithBias _MklQuantizedDepthwiseConv2DWithBiasAndRelu "
     "_MklQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
     "2 * N(out) * kh * kw + N(out) a step", count_convolution, 2 + KIND_DEPTHWISE + KIND_STEPS},
    {"XlaConv XlaConvV2 UniformQuantizedConvolution UniformQuantizedConvolutionHybrid",
     "2 * N(out) * kernel sizes * kernel input features", count_xla_convolution, 0},
    {"Conv2DBackpropInput Conv2DBackpropInputV2 Conv3DBackpropInput Conv3DBackpropInputV2 "
     "_MklConv2DBackpropInput _MklNativeConv2DBackpropInput _MklConv3DBackpropInputV2 "
     "_MklNativeConv3DBackpropInputV2",
     "2 * N(gradient) * N(filter) / Cout", count_backprop, 1},
    {"Conv2DBackpropFilter Conv2DBackpropFilterV2 Conv3DBackpropFilter Conv3DBackpropFilterV2 "
     "_MklConv2DBackpropFilter _MklNativeConv2DBackpropFilter _MklConv3DBackpropFilterV2 "
     "_MklNativeConv3DBackpropFilterV2",
     "2 * N(gradient) * N(filter) / Cout", count_backprop, -1},
    {"DepthwiseConv2dNativeBackpropInput _MklDepthwiseConv2dNativeBackpropInput "
     "_MklNativeDepthwiseConv2dNativeBackpropInput",
     "2 * N(gradient) * kh * kw", count_depthwise_backprop, 1},
    {"DepthwiseConv2dNativeBackpropFilter _MklDepthwiseConv2dNativeBackpropFilter "
     "_MklNativeDepthwiseConv2dNativeBackpropFilter",
     "2 * N(gradient) * kh * kw", count_depthwise_backprop, -1},
    {"Dilation2DBackpropInput Dilation2DBackpropFilter",
     "2 * N(gradient) * kh * kw + N(gradient)", count_dilation_backprop, 0},

    {"AvgPool MaxPool AvgPool3D MaxPool3D MaxPoolWithArgmax QuantizedAvgPool QuantizedMaxPool",
     "window * N(out)", count_pool, 0},
    {"MaxPoolV2", "window * N(out)", count_pool_v2, 0},
    {"AvgPoolGrad AvgPool3DGrad", "2 * window * N(gradient)", count_avg_pool_grad, 0},
    {"MaxPoolGrad MaxPool3DGrad MaxPoolGradV2", "(window + 1) * N(gradient)", count_max_pool_grad,
     1},
    {"MaxPoolGradGrad MaxPoolGradGradV2 MaxPool3DGradGrad", "window * N(in1)", count_max_pool_grad,
     0},
    {"MaxPoolGradWithArgmax", "N(gradient)", count_each_second_input, 1},
    {"FractionalAvgPool FractionalMaxPool", "N(in)", count_each_input, 1},
    {"FractionalAvgPoolGrad FractionalMaxPoolGrad", "N(out)", count_each_output, 1},
    {0},
};
