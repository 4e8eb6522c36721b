/* shape_onnx_windows.c: shapes of convolutions, pooling, padding, resizing and sampling in ONNX, where
 * channels come before the spatial dimensions (formats-onnx.md section 5). */
#include "shapes/shape_onnx.h"

#include <math.h>

#include "shapes/window.h"

/* Values of attribute `auto_pad`. */
enum auto_pad { PADS_LISTED, PADS_SAME, PADS_NONE };

static enum auto_pad auto_pad_of(struct opctx *c)
{
    if (opctx_string_is(c, "auto_pad", "NOTSET", "SAME_UPPER") ||
        opctx_string_is(c, "auto_pad", "NOTSET", "SAME_LOWER"))
        return PADS_SAME;
    return opctx_string_is(c, "auto_pad", "NOTSET", "VALID") ? PADS_NONE : PADS_LISTED;
}

/* The output size of spatial dimension I of N for input size IN and a window of SIZE. */
static int64_t window(struct opctx *c, int64_t in, int64_t size, uint32_t i, uint32_t n)
{
    const enum auto_pad pads = auto_pad_of(c);
    const int64_t stride = list_entry(c, "strides", i, 1);
    const int64_t dilation = list_entry(c, "dilations", i, 1);
    const bool listed = pads == PADS_LISTED;
    int64_t before = listed ? list_entry(c, "pads", i, 0) : 0;
    int64_t after = listed ? list_entry(c, "pads", n + i, 0) : 0;
    int64_t spread, room, out;

    if (opctx_int(c, "ceil_mode", 0) == 0 || !listed)
        return window_out(c, in, size, stride, dilation,
                          pads == PADS_SAME ? PADDING_SAME : PADDING_EXPLICIT, before, after);
    if (in < 0 || size <= 0 || stride <= 0 || dilation <= 0)
        return DIM_UNKNOWN;
    spread = ctx_add(c, ctx_mul(c, clamp_sub(size, 1), dilation), 1);
    room = clamp_sub(ctx_add(c, ctx_add(c, in, before), after), spread);
    if (c->failed || room < 0)
        return DIM_UNKNOWN;
    out = clamp_add(quotient_up(room, stride), 1);
    /* a window may not begin in the padding after the image */
    return clamp_mul(clamp_sub(out, 1), stride) >= clamp_add(in, before) ? clamp_sub(out, 1) : out;
}

/* The weight is input arg. */
static void conv(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *w = in_shape(c, (uint32_t)c->arg);
    int64_t d[DIMS_MAX_RANK];

    if (!x)
        return;
    w = ctx_rank(c, w, x->rank);
    d[0] = x->d[0];
    d[1] = dim_at(w, 0);
    for (uint32_t i = 2; i < x->rank; i++)
        d[i] = window(c, x->d[i], list_entry(c, "kernel_shape", i - 2, dim_at(w, i)), i - 2,
                      x->rank - 2);
    out_set(c, 0, ctx_new(c, x->rank, d));
}

static int64_t transposed(struct opctx *c, int64_t in, int64_t size, uint32_t i, uint32_t n)
{
    const int64_t stride = list_entry(c, "strides", i, 1);
    const int64_t dilation = list_entry(c, "dilations", i, 1);
    const enum auto_pad pads = auto_pad_of(c);
    int64_t out;

    if (in <= 0 || size <= 0 || stride <= 0 || dilation <= 0)
        return DIM_UNKNOWN;
    if (pads == PADS_SAME)
        return ctx_mul(c, in, stride);
    out = clamp_add(clamp_mul(stride, clamp_sub(in, 1)), list_entry(c, "output_padding", i, 0));
    out = clamp_add(out, clamp_add(clamp_mul(clamp_sub(size, 1), dilation), 1));
    if (pads == PADS_LISTED)
        out = clamp_sub(out, clamp_add(list_entry(c, "pads", i, 0), list_entry(c, "pads", n + i, 0)));
    return out < 0 ? DIM_UNKNOWN : out;
}

static void conv_transpose(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2), *w;
    int64_t d[DIMS_MAX_RANK];
    size_t n;
    const int64_t *given = opctx_ints(c, "output_shape", &n);

    if (!x)
        return;
    w = ctx_rank(c, in_shape(c, 1), x->rank);
    d[0] = x->d[0];
    d[1] = dim_mul(dim_at(w, 1), opctx_int(c, "group", 1), &(bool){true});
    for (uint32_t i = 2; i < x->rank; i++)
        d[i] = given && n == x->rank - 2
                   ? given[i - 2]
                   : transposed(c, x->d[i], list_entry(c, "kernel_shape", i - 2, dim_at(w, i)),
                                i - 2, x->rank - 2);
    out_set(c, 0, ctx_new(c, x->rank, d));
}

static void pool(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const bool last = opctx_int(c, "channels_last", 0) != 0;
    int64_t d[DIMS_MAX_RANK];

    out_count(c, 2);
    if (!x)
        return;
    for (uint32_t i = 0; i < x->rank; i++)
        d[i] = x->d[i];
    for (uint32_t i = 0; i < x->rank - 2; i++)
        d[i + (last ? 1 : 2)] = window(c, x->d[i + (last ? 1 : 2)],
                                       list_entry(c, "kernel_shape", i, DIM_UNKNOWN), i, x->rank - 2);
    out_set_all(c, ctx_new(c, x->rank, d));
}

static void pool_all(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const bool last = opctx_int(c, "channels_last", 0) != 0;
    int64_t d[DIMS_MAX_RANK];

    if (!x)
        return;
    for (uint32_t i = 0; i < x->rank; i++)
        d[i] = i == 0 || i == (last ? x->rank - 1 : 1) ? x->d[i] : 1;
    out_set(c, 0, ctx_new(c, x->rank, d));
}

/* ---- padding and resizing */

static void pad(struct opctx *c)
{
    const struct dims *x = in_shape(c, 0);
    const struct value *given = in_const(c, 1), *axes = in_const(c, 3);
    size_t n;
    const int64_t *pads = opctx_ints(c, "pads", &n);
    int64_t d[DIMS_MAX_RANK];
    uint32_t at;

    if (!pads && given) {
        pads = given->v;
        n = given->n;
    }
    if (!x)
        return;
    if (!pads || n % 2 != 0 || (c->n_in > 3 && c->in_edge[3]->source != NODE_NONE && !axes) ||
        n / 2 != (axes ? axes->n : x->rank)) {
        out_set(c, 0, ctx_unknown(c, x->rank));
        return;
    }
    for (uint32_t i = 0; i < x->rank; i++)
        d[i] = x->d[i];
    for (uint32_t i = 0; i < n / 2; i++) {
        if (!ctx_axis(c, axes ? axes->v[i] : i, x->rank, &at))
            return;
        if (d[at] >= 0)
            d[at] = clamp_add(d[at], clamp_add(pads[i], pads[n / 2 + i]));
        d[at] = d[at] < 0 ? DIM_UNKNOWN : d[at];
    }
    out_set(c, 0, ctx_new(c, x->rank, d));
}

/* Scale factor I of N of a Resize or Upsample, from input arg or the attribute; NAN if unknown. */
static double scale_of(struct opctx *c, uint32_t i, uint32_t n)
{
    const uint32_t at = c->arg == 2 && c->n_in < 3 ? 1 : (uint32_t)c->arg;
    const struct reals *r = at < c->n_in ? c->in[at].reals : NULL;
    const struct attr_value *v = opctx_attr(c, "scales");

    if (r && r->n == n)
        return r->v[i];
    if (v && v->kind == ATTR_LIST && v->item_kind == ATTR_FLOAT && v->n_items == n)
        return v->v.list_f[i];
    return NAN;
}

/* The factor that all dimensions share when the aspect ratio is kept: the smallest ratio of a size in
 * input 3 to that of X, or the largest; NAN when each size holds, INFINITY when it is unknown. */
static double common_scale(struct opctx *c, const struct dims *x, const int64_t *axes, uint32_t n)
{
    const bool is_least = opctx_string_is(c, "keep_aspect_ratio_policy", "stretch", "not_larger");
    const struct value *sizes = in_known(c, 3);
    double scale = NAN;

    if (!sizes || sizes->n != n ||
        (!is_least && !opctx_string_is(c, "keep_aspect_ratio_policy", "stretch", "not_smaller")))
        return NAN;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t from = dim_at(x, axes ? axes[i] : i);
        const double ratio = (double)sizes->v[i] / (double)from;

        if (from <= 0 || sizes->v[i] < 0)
            return INFINITY;
        if (isnan(scale) || (is_least ? ratio < scale : ratio > scale))
            scale = ratio;
    }
    return scale;
}

/* The sizes are input 3; without them the factors apply. */
static void resize(struct opctx *c)
{
    const struct dims *x = in_shape(c, 0);
    const struct value *sizes = in_known(c, 3);
    size_t n_axes;
    const int64_t *axes = opctx_ints(c, "axes", &n_axes);
    const uint32_t n = axes ? (uint32_t)n_axes : x ? x->rank : 0;
    const double common = common_scale(c, x, axes, n);
    int64_t d[DIMS_MAX_RANK];

    if (!x)
        return;
    for (uint32_t i = 0; i < x->rank; i++)
        d[i] = axes ? x->d[i] : DIM_UNKNOWN;
    for (uint32_t i = 0; i < n; i++) {
        const double scale = scale_of(c, i, n);
        uint32_t at;

        if (!ctx_axis(c, axes ? axes[i] : i, x->rank, &at))
            return;
        d[at] = DIM_UNKNOWN;
        if (!isnan(common))
            d[at] = x->d[at] >= 0 && (double)x->d[at] * common < 9e15
                        ? (int64_t)floor((double)x->d[at] * common + 0.5) : DIM_UNKNOWN;
        else if (sizes && sizes->n == n)
            d[at] = sizes->v[i] < 0 ? DIM_UNKNOWN : sizes->v[i];
        else if (x->d[at] >= 0 && scale >= 0 && (double)x->d[at] * scale < 9e15)
            d[at] = (int64_t)floor((double)x->d[at] * scale);
    }
    out_set(c, 0, ctx_new(c, x->rank, d));
}

static void depth_to_space(struct opctx *c)
{
    const struct dims *x = ctx_rank(c, in_shape(c, 0), 4);
    const int64_t b = opctx_int(c, "blocksize", 1);
    int64_t d[4];

    if (!x || b <= 0 || b > 1 << 20)
        return;
    for (uint32_t i = 0; i < 4; i++)
        d[i] = x->d[i];
    if (c->arg == 0) {
        d[1] = ctx_div(c, x->d[1], clamp_mul(b, b), true);
        d[2] = ctx_mul(c, x->d[2], b);
        d[3] = ctx_mul(c, x->d[3], b);
    } else {
        d[1] = ctx_mul(c, x->d[1], clamp_mul(b, b));
        d[2] = ctx_div(c, x->d[2], b, true);
        d[3] = ctx_div(c, x->d[3], b, true);
    }
    out_set(c, 0, ctx_new(c, 4, d));
}

static void roi_align(struct opctx *c)
{
    const int64_t d[] = {dim_at(in_shape(c, 1), 0), dim_at(in_shape(c, 0), 1),
                         opctx_int(c, "output_height", 1), opctx_int(c, "output_width", 1)};

    out_set(c, 0, ctx_new(c, 4, d));
}

/* ---- sampling */

/* Batch and channels of input 0, then the dimensions of the grid without its last. */
static void grid_sample(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *grid = x ? ctx_rank(c, in_shape(c, 1), x->rank) : NULL;

    if (grid)
        out_set(c, 0, dims_concat(c->keep, dims_slice(c->keep, x, 0, 2), dims_slice(c->keep, grid, 1, -1)));
}

/* Input 1 is batch, channels, sizes: the grid has the coordinates of each position. */
static void affine_grid(struct opctx *c)
{
    const struct dims *to = in_as_shape(c, 1);

    if (to && to->rank >= 3)
        out_set(c, 0, dims_insert(c->keep, dims_drop(c->keep, to, 1), to->rank - 1, to->rank - 2));
}

/* Blocks of the size in input 2 form an image of the size in input 1. */
static void col2im(struct opctx *c)
{
    const struct dims *x = ctx_rank(c, in_shape(c, 0), 3), *image = in_as_shape(c, 1);
    const int64_t block = dims_elements(in_as_shape(c, 2));
    const int64_t d[] = {dim_at(x, 0), block > 0 ? ctx_div(c, dim_at(x, 1), block, true) : DIM_UNKNOWN};

    if (image)
        out_set(c, 0, dims_concat(c->keep, ctx_new(c, 2, d), image));
}

/* The sizes are input 2; without it the ones of which a pooling makes input 0. */
static void max_unpool(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    int64_t d[DIMS_MAX_RANK];

    if (c->n_in > 2) {
        out_set(c, 0, in_as_shape(c, 2));
        return;
    }
    if (!x)
        return;
    for (uint32_t i = 0; i < x->rank; i++)
        d[i] = i < 2 ? x->d[i]
                     : transposed(c, x->d[i], list_entry(c, "kernel_shape", i - 2, DIM_UNKNOWN), i - 2,
                                  x->rank - 2);
    out_set(c, 0, ctx_new(c, x->rank, d));
}

/* Input 0 with the sizes in input 1 for `axes`, or for all dimensions. */
static void center_crop_pad(struct opctx *c)
{
    const struct dims *x = in_shape(c, 0), *to = in_as_shape(c, 1);
    size_t n;
    const int64_t *axes = opctx_ints(c, "axes", &n);
    uint32_t at;

    n = axes ? n : x ? x->rank : 0;
    if (!x || !to || to->rank != n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        if (!ctx_axis(c, axes ? axes[i] : i, x->rank, &at))
            return;
        x = dims_replace(c->keep, x, at, to->d[i]);
    }
    out_set(c, 0, x);
}

const struct op_rule shape_rules_onnx_windows[] = {
    {"Conv ConvInteger DeformConv FusedConv", conv, 1},
    {"QLinearConv", conv, 3},
    {"ConvTranspose", conv_transpose, 0},
    {"MaxPool AveragePool LpPool QLinearAveragePool", pool, 0},
    {"GlobalAveragePool GlobalMaxPool GlobalLpPool QLinearGlobalAveragePool", pool_all, 0},
    {"Pad", pad, 0},
    {"Resize", resize, 2},
    {"Upsample", resize, 1},
    {"DepthToSpace", depth_to_space, 0},
    {"SpaceToDepth", depth_to_space, 1},
    {"RoiAlign", roi_align, 0},
    {"GridSample", grid_sample, 0},
    {"AffineGrid", affine_grid, 0},
    {"Col2Im", col2im, 0},
    {"MaxUnpool", max_unpool, 0},
    {"CenterCropPad", center_crop_pad, 0},
    {0},
};
