/* shape_image.c: shapes of image and audio ops (shapes.md section 5.16). */
#include "shapes/shape_rules.h"

/* S with rows and columns replaced by SIZE (two elements; NULL: unknown). */
static const struct dims *resized(struct opctx *c, const struct dims *s, const struct value *size)
{
    s = ctx_rank(c, s, 4);
    if (!s)
        return NULL;
    if (size && size->n != 2) {
        opctx_fail(c, "an image size has two numbers");
        return NULL;
    }
    s = dims_replace(c->keep, s, 1, size ? size->v[0] : DIM_UNKNOWN);
    return dims_replace(c->keep, s, 2, size ? size->v[1] : DIM_UNKNOWN);
}

/* The size at input I; TensorFlow uses it only if all of it is known. */
static const struct value *size_at(struct opctx *c, uint32_t i)
{
    return c->stronger ? in_entries(c, i) : in_const(c, i);
}

/* The size comes from input arg. */
static void shape_resize(struct opctx *c)
{
    out_set(c, 0, resized(c, in_shape(c, 0), size_at(c, (uint32_t)c->arg)));
}

static void shape_quantized_resize(struct opctx *c)
{
    out_count(c, 3);
    out_set(c, 0, resized(c, in_shape(c, 0), size_at(c, 1)));
    out_scalars(c, 1, 3);
}

static void shape_crop_and_resize(struct opctx *c)
{
    const struct dims *s = resized(c, in_shape(c, 0), size_at(c, 3));

    out_set(c, 0, s ? dims_replace(c->keep, s, 0, dim_at(in_shape(c, 1), 0)) : NULL);
}

static int64_t channels_of(struct opctx *c)
{
    int64_t n = opctx_int(c, "channels", 0);

    return n > 0 ? n : DIM_UNKNOWN;
}

static void shape_decode_image(struct opctx *c)
{
    const int64_t d[] = {DIM_UNKNOWN, DIM_UNKNOWN, channels_of(c)};

    if (c->arg == 0 || !opctx_bool(c, "expand_animations", true))
        out_set(c, 0, ctx_new(c, 3, d));
}

/* arg outputs: indices, then (of three) scores, then the number of valid ones. */
static void shape_non_max_suppression(struct opctx *c)
{
    bool padded = opctx_bool(c, "pad_to_max_output_size", false);
    const struct dims *s = ctx_vector(c, padded ? in_const_dim(c, 2) : DIM_UNKNOWN);
    uint32_t n = (uint32_t)c->arg;

    out_count(c, c->arg);
    out_set(c, 0, s);
    if (n == 3)
        out_set(c, 1, s);
    if (n > 1)
        out_set(c, n - 1, &dims_scalar);
}

static void shape_combined_non_max_suppression(struct opctx *c)
{
    const struct dims *boxes = in_shape(c, 0), *scores = in_shape(c, 1);
    int64_t per_class = in_const_dim(c, 2), total = in_const_dim(c, 3), d[3];

    out_count(c, 4);
    d[0] = ctx_merge_dim(c, dim_at(boxes, 0), dim_at(scores, 0));
    d[1] = total;
    if (opctx_bool(c, "pad_per_class", false))
        d[1] = dim_min(total, ctx_mul(c, per_class, dim_at(scores, 2)));
    d[2] = 4;
    out_set(c, 0, ctx_new(c, 3, d));
    out_set(c, 1, ctx_new(c, 2, d));
    out_set(c, 2, ctx_new(c, 2, d));
    out_set(c, 3, ctx_new(c, 1, d));
}

static void shape_spectrogram(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 2);
    int64_t window = opctx_int(c, "window_size", 0), stride = opctx_int(c, "stride", 0);
    int64_t length = dim_at(s, 0), d[3];
    uint64_t power = 1;

    if (window < 2 || stride < 1 || window > INT64_MAX / 4) {
        opctx_fail(c, "window or stride is not positive");
        return;
    }
    while (power < (uint64_t)window)
        power *= 2;
    d[0] = dim_at(s, 1);
    d[1] = length < 0        ? DIM_UNKNOWN
           : length < window ? 0
                             : clamp_add(1, quotient(clamp_sub(length, window), stride));
    d[2] = (int64_t)(power / 2 + 1);
    out_set(c, 0, ctx_new(c, 3, d));
}

static void shape_mfcc(struct opctx *c)
{
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 3);

    if (s)
        s = dims_replace(c->keep, s, 2, opctx_int(c, "dct_coefficient_count", 13));
    out_set(c, 0, s);
}

const struct op_rule shape_rules_image[] = {
    {"ResizeBilinear ResizeNearestNeighbor ResizeBicubic ResizeArea ScaleAndTranslate "
     "ResizeNearestNeighborGrad ExtractGlimpse ExtractGlimpseV2",
     shape_resize, 1},
    {"ImageProjectiveTransformV2 ImageProjectiveTransformV3", shape_resize, 2},
    {"QuantizedResizeBilinear", shape_quantized_resize, 0},
    {"CropAndResize", shape_crop_and_resize, 0},
    {"DecodeJpeg DecodePng DecodeBmp DecodeAndCropJpeg DecodeWebP", shape_decode_image, 0},
    {"DecodeImage", shape_decode_image, 1},
    {"NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps",
     shape_non_max_suppression, 1},
    {"NonMaxSuppressionV4", shape_non_max_suppression, 2},
    {"NonMaxSuppressionV5", shape_non_max_suppression, 3},
    {"CombinedNonMaxSuppression", shape_combined_non_max_suppression, 0},
    {"AudioSpectrogram", shape_spectrogram, 0},
    {"Mfcc", shape_mfcc, 0},
    {0},
};
