/* shape_conv.c: shapes of convolutions and their gradients (shapes.md section 5.11). */
#include "shapes/shape_rules.h"

#include "shapes/window.h"

/* Kinds of convolutions that use the same function. */
enum {
    CONV_2D = 2,
    CONV_3D = 3,
    CONV_DEPTHWISE = 16, /* added to the number of spatial dimensions */
    CONV_QUANTIZED = 32, /* two scalar outputs after the image */
};

/* The dimension indexes of a filter. */
struct filter {
    const struct dims *shape;
    uint32_t spatial, in, out;
    bool vect;
};

static struct filter filter_of(struct opctx *c, const struct dims *s, uint32_t n_spatial)
{
    struct filter f = {s, 0, n_spatial, n_spatial + 1, false};

    if (opctx_string_is(c, "filter_format", "HWIO", "OIHW"))
        f = (struct filter){s, 2, 1, 0, false};
    else if (opctx_string_is(c, "filter_format", "HWIO", "OIHW_VECT_I"))
        f = (struct filter){s, 2, 1, 0, true};
    f.shape = ctx_rank(c, s, n_spatial + 2 + (f.vect ? 1 : 0));
    return f;
}

/* Fails unless the input channels are a multiple of the filter's and the output channels a multiple
 * of the number of groups. */
static void check_groups(struct opctx *c, int64_t in, int64_t filter_in, int64_t out)
{
    if (in < 0 || filter_in < 0 || in == filter_in)
        return;
    if (filter_in == 0 || sat_remainder(in, filter_in) != 0 ||
        (out >= 0 && in > 0 && sat_remainder(out, quotient(in, filter_in)) != 0))
        opctx_fail(c, "the channels do not fit the filter");
}

static int64_t spatial_out(struct opctx *c, const struct image_layout *l, const struct dims *image,
                           int64_t size, uint32_t i, enum padding padding)
{
    uint32_t at = l->spatial[i], dilation = at;

    /* TensorFlow swaps the dilations of H and W in 3-D convolutions. */
    if (l->n_spatial == 3 && i > 0)
        dilation = l->spatial[3 - i];
    return window_out(c, dim_at(image, at), size, list_entry(c, "strides", at, 1),
                      list_entry(c, "dilations", dilation, 1), padding,
                      list_entry(c, "explicit_paddings", 2 * at, 0),
                      list_entry(c, "explicit_paddings", 2 * at + 1, 0));
}

/* The output image of a convolution. */
static const struct dims *convolved(struct opctx *c, const struct dims *image,
                                    const struct dims *filter, uint32_t n_spatial, bool depthwise)
{
    struct image_layout l;
    struct filter f;
    enum padding padding;
    int64_t d[SPATIAL_MAX + 3], channels;

    if (!layout_of(c, n_spatial, &l) || !padding_of(c, &padding))
        return NULL;
    image = ctx_rank(c, image, l.rank);
    f = filter_of(c, filter, n_spatial);
    if (!image || !f.shape)
        return NULL;
    d[l.batch] = dim_at(image, l.batch);
    for (uint32_t i = 0; i < n_spatial; i++)
        d[l.spatial[i]] =
            spatial_out(c, &l, image, dim_at(f.shape, f.spatial + i), i, padding);
    channels = dim_at(f.shape, f.out);
    if (depthwise) {
        (void)ctx_merge_dim(c, dim_at(image, l.channel), dim_at(f.shape, f.in));
        channels = ctx_mul(c, dim_at(f.shape, f.in), channels);
    } else if (!l.vect && !f.vect) {
        check_groups(c, dim_at(image, l.channel), dim_at(f.shape, f.in), channels);
    }
    d[l.channel] = channels;
    if (l.vect) {
        d[l.rank - 1] = dim_at(image, l.rank - 1);
        d[l.channel] = ctx_div(c, channels, d[l.rank - 1] > 0 ? d[l.rank - 1] : 4, true);
    }
    return c->failed ? NULL : ctx_new(c, l.rank, d);
}

static void shape_convolution(struct opctx *c)
{
    uint32_t scalars = c->arg & CONV_QUANTIZED ? 2 : 0;

    out_count(c, 1 + scalars);
    out_set(c, 0, convolved(c, in_shape(c, 0), in_shape(c, 1), (uint32_t)c->arg & 3,
                            (c->arg & CONV_DEPTHWISE) != 0));
    out_scalars(c, 1, 1 + scalars);
}

/* The generic convolution: leading batch dimensions, two or three spatial ones, channels last or
 * first. */
static void shape_generic_convolution(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *f = in_shape(c, 1);
    int64_t batch = opctx_int(c, "batch_dims", 1), d[DIMS_MAX_RANK];
    bool first = opctx_string_is(c, "data_format", "CHANNELS_LAST", "CHANNELS_FIRST");
    enum padding padding;
    uint32_t n, at;

    if (!s || !f || !padding_of(c, &padding))
        return;
    n = f->rank >= 4 && f->rank <= 5 ? f->rank - 2 : 0;
    if (n == 0 || batch < 0 || batch > s->rank || s->rank != (uint32_t)batch + 1 + n) {
        opctx_fail(c, "the ranks of image and filter do not fit");
        return;
    }
    for (uint32_t i = 0; i < s->rank; i++)
        d[i] = s->d[i];
    for (uint32_t i = 0; i < n; i++) {
        at = (uint32_t)batch + i + (first ? 1 : 0);
        d[at] = window_out(c, s->d[at], f->d[i], list_entry(c, "strides", at, 1),
                           list_entry(c, "dilations", at, 1), padding,
                           list_entry(c, "explicit_paddings", 2 * (size_t)at, 0),
                           list_entry(c, "explicit_paddings", 2 * (size_t)at + 1, 0));
    }
    d[first ? (uint32_t)batch : s->rank - 1] = f->d[n + 1];
    out_set(c, 0, ctx_new(c, s->rank, d));
}

static void shape_conv2d_backprop_input(struct opctx *c)
{
    const struct value *sizes = in_entries(c, 0);
    const struct dims *filter = in_shape(c, 1), *gradient = ctx_rank(c, in_shape(c, 2), 4), *s;
    int64_t d[4];
    struct image_layout l;

    if (sizes && sizes->n == 2 && layout_of(c, 2, &l) && l.rank == 4) {
        d[l.batch] = dim_at(gradient, l.batch);
        for (uint32_t i = 0; i < 2; i++)
            d[l.spatial[i]] = sizes->v[i];
        d[l.channel] = dim_at(filter, 2);
        out_set(c, 0, ctx_new(c, 4, d));
        return;
    }
    s = ctx_rank(c, in_as_shape(c, 0), 4);
    out_set(c, 0, s ? dims_replace(c->keep, s, 0, dim_at(gradient, 0)) : NULL);
}

static void shape_dilation2d(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 4), *f = ctx_rank(c, in_shape(c, 1), 3);
    enum padding padding;
    int64_t d[4];

    if (!s || !f || !padding_of(c, &padding))
        return;
    d[0] = s->d[0];
    d[3] = ctx_merge_dim(c, s->d[3], f->d[2]);
    for (uint32_t i = 1; i < 3; i++)
        d[i] = window_out(c, s->d[i], f->d[i - 1], list_entry(c, "strides", i, 1),
                          list_entry(c, "rates", i, 1), padding, 0, 0);
    out_set(c, 0, ctx_new(c, 4, d));
}

/* S with the paddings of input IN; if RESIZED, rows and columns are first replaced by SIZE. */
static const struct dims *padded(struct opctx *c, const struct dims *s, bool resized,
                                 const struct value *size, uint32_t in)
{
    const struct value *p = in_const_matrix(c, in);
    int64_t d[4];

    for (uint32_t i = 0; i < 4; i++) {
        d[i] = s->d[i];
        if (resized && (i == 1 || i == 2))
            d[i] = size && size->n == 2 ? size->v[i - 1] : DIM_UNKNOWN;
        d[i] = p && p->n == 8 ? ctx_add(c, ctx_add(c, d[i], p->v[2 * i]), p->v[2 * i + 1])
                              : DIM_UNKNOWN;
    }
    return ctx_new(c, 4, d);
}

/* Convolution after padding (input arg); arg 2: after resizing to input 1 and padding. */
static void shape_fused_pad(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 4);
    const struct value *size = c->arg == 2 ? in_const(c, 1) : NULL;
    uint32_t in = (uint32_t)c->arg;

    if (s)
        out_set(c, 0, convolved(c, padded(c, s, in == 2, size, in), in_shape(c, in + 1), 2, false));
}

/* The paddings are the input after the filter and the inputs of fused steps. */
static void shape_mkl_pad(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 4);
    int64_t in = clamp_add(2, opctx_int(c, "num_args", 0));

    if (s && in >= 2 && in < (int64_t)c->n_in)
        out_set(c, 0, convolved(c, padded(c, s, false, NULL, (uint32_t)in), in_shape(c, 1), 2,
                                false));
}

/* Patches of the sizes in attribute ksizes; arg is the number of spatial dimensions. */
static void shape_extract_patches(struct opctx *c)
{
    uint32_t n = (uint32_t)c->arg;
    const struct dims *s = ctx_rank(c, in_shape(c, 0), n + 2);
    int64_t d[SPATIAL_MAX + 2], size;
    enum padding padding;

    if (!s || !padding_of(c, &padding))
        return;
    d[0] = s->d[0];
    d[n + 1] = s->d[n + 1];
    for (uint32_t i = 1; i <= n; i++) {
        size = list_entry(c, "ksizes", i, 1);
        d[i] = window_out(c, s->d[i], size, list_entry(c, "strides", i, 1),
                          list_entry(c, "rates", i, 1), padding, 0, 0);
        d[n + 1] = ctx_mul(c, d[n + 1], size);
    }
    out_set(c, 0, ctx_new(c, n + 2, d));
}

static void shape_bias_add(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    bool first = opctx_string_is(c, "data_format", "NHWC", "NCHW");
    uint32_t at;

    if (s) {
        at = first ? 1 : s->rank - 1;
        s = dims_replace(c->keep, s, at, ctx_merge_dim(c, s->d[at], dim_at(in_shape(c, 1), 0)));
    }
    out_set(c, 0, s);
}

static void shape_bias_add_grad(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    bool first = opctx_string_is(c, "data_format", "NHWC", "NCHW");

    out_set(c, 0, ctx_vector(c, dim_at(s, first ? 1 : -1)));
}

const struct op_rule shape_rules_conv[] = {
    {"Conv2D _FusedConv2D _MklConv2D _MklConv2DWithBias _MklFusedConv2D _MklNativeConv2D "
     "_MklNativeConv2DWithBias _MklNativeFusedConv2D FusedConv2DBiasActivation",
     shape_convolution, CONV_2D},
    {"QuantizedConv2D QuantizedConv2DAndRelu QuantizedConv2DAndRequantize "
     "QuantizedConv2DAndReluAndRequantize QuantizedConv2DPerChannel QuantizedConv2DWithBias "
     "QuantizedConv2DWithBiasAndRelu QuantizedConv2DWithBiasAndRequantize "
     "QuantizedConv2DWithBiasAndReluAndRequantize QuantizedConv2DWithBiasSumAndRelu "
     "QuantizedConv2DWithBiasSumAndReluAndRequantize "
     "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize _FusedQuantizedConv2D "
     "_MklQuantizedConv2D _MklQuantizedConv2DAndRelu _MklQuantizedConv2DAndRequantize "
     "_MklQuantizedConv2DAndReluAndRequantize _MklQuantizedConv2DPerChannel "
     "_MklQuantizedConv2DWithBias _MklQuantizedConv2DWithBiasAndRelu "
     "_MklQuantizedConv2DWithBiasAndRequantize _MklQuantizedConv2DWithBiasAndReluAndRequantize "
     "_MklQuantizedConv2DWithBiasSumAndRelu _MklQuantizedConv2DWithBiasSumAndReluAndRequantize "
     "_MklQuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
     shape_convolution, CONV_2D + CONV_QUANTIZED},
    {"Conv3D _FusedConv3D _MklConv3D _MklNativeConv3D _MklNativeFusedConv3D", shape_convolution,
     CONV_3D},
    {"Conv", shape_generic_convolution, 0},
    {"DepthwiseConv2dNative _FusedDepthwiseConv2dNative _MklDepthwiseConv2dNative "
     "_MklNativeDepthwiseConv2dNative _MklFusedDepthwiseConv2dNative "
     "_MklNativeFusedDepthwiseConv2dNative",
     shape_convolution, CONV_2D + CONV_DEPTHWISE},
    {"QuantizedDepthwiseConv2D QuantizedDepthwiseConv2DWithBias "
     "QuantizedDepthwiseConv2DWithBiasAndRelu "
     "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize _FusedQuantizedDepthwiseConv2D "
     "_MklQuantizedDepthwiseConv2D _MklQuantizedDepthwiseConv2DWithBias "
     "_MklQuantizedDepthwiseConv2DWithBiasAndRelu "
     "_MklQuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
     shape_convolution, CONV_2D + CONV_DEPTHWISE + CONV_QUANTIZED},
    {"Conv2DBackpropInput _MklConv2DBackpropInput _MklNativeConv2DBackpropInput",
     shape_conv2d_backprop_input, 0},
    {"Dilation2D", shape_dilation2d, 0},
    {"FusedPadConv2D", shape_fused_pad, 1},
    {"FusedResizeAndPadConv2D", shape_fused_pad, 2},
    {"_MklPadWithConv2D _MklNativePadWithConv2D _MklPadWithFusedConv2D "
     "_MklNativePadWithFusedConv2D",
     shape_mkl_pad, 0},
    {"ExtractImagePatches", shape_extract_patches, 2},
    {"ExtractVolumePatches", shape_extract_patches, 3},
    {"BiasAdd BiasAddV1", shape_bias_add, 0},
    {"BiasAddGrad", shape_bias_add_grad, 0},
    {0},
};
