/* shape_xla.c: shapes of convolutions with explicit dimension numbers (flops.md section 6.3; window
 * arithmetic: shapes.md section 4). */
#include "shapes/shape_rules.h"

#include "shapes/rules/dot_numbers.h"
#include "shapes/window.h"

/* The window along each spatial dimension. */
struct window {
    int64_t stride[CONV_SPATIAL_MAX], spread_input[CONV_SPATIAL_MAX],
        spread_kernel[CONV_SPATIAL_MAX], pads[2 * CONV_SPATIAL_MAX];
    enum padding padding;
};

static int64_t window_size(struct opctx *c, const struct window *w, uint32_t i, int64_t in,
                           int64_t kernel)
{
    /* The input is dilated: spread_input - 1 zeros between neighbours. */
    if (in > 0)
        in = ctx_add(c, ctx_mul(c, clamp_sub(in, 1), w->spread_input[i]), 1);
    return window_out(c, in, kernel, w->stride[i], w->spread_kernel[i], w->padding, w->pads[2 * i],
                      w->pads[2 * i + 1]);
}

static const struct dims *convolved(struct opctx *c, const struct conv_numbers *n,
                                    const struct window *w)
{
    const struct dims *in = in_shape(c, 0), *kernel = in_shape(c, 1), *s;
    int64_t batches = opctx_int(c, "batch_group_count", 1);
    uint32_t at;

    if (in->rank != n->input.n_spatial + 2 || kernel->rank != in->rank) {
        opctx_fail(c, "the ranks of image and kernel do not fit");
        return NULL;
    }
    s = ctx_unknown(c, in->rank);
    if (ctx_axis(c, n->output.batch, in->rank, &at))
        s = dims_replace(c->keep, s, at, ctx_div(c, dim_at(in, n->input.batch), batches, true));
    if (ctx_axis(c, n->output.feature, in->rank, &at))
        s = dims_replace(c->keep, s, at, dim_at(kernel, n->kernel.feature));
    for (uint32_t i = 0; i < n->input.n_spatial; i++)
        if (ctx_axis(c, n->output.spatial[i], in->rank, &at))
            s = dims_replace(c->keep, s, at,
                             window_size(c, w, i, dim_at(in, n->input.spatial[i]),
                                         dim_at(kernel, n->kernel.spatial[i])));
    return s;
}

static bool numbers_of(struct opctx *c, struct conv_numbers *n)
{
    struct attr_bytes bytes = opctx_string(c, "dimension_numbers", "");
    const struct dims *kernel = in_shape(c, 1);

    return in_shape(c, 0) && kernel && kernel->rank >= 2 &&
           conv_numbers_parse(n, bytes.bytes, bytes.len, kernel->rank - 2);
}

/* Copies V to OUT; false unless it has N elements. */
static bool copy_value(const struct value *v, int64_t *out, uint32_t n)
{
    for (uint32_t i = 0; v && v->n == n && i < n; i++)
        out[i] = v->v[i];
    return v && v->n == n;
}

/* The window comes from inputs; TensorFlow infers the rank only. */
static void shape_xla_convolution(struct opctx *c)
{
    const struct dims *in = in_shape(c, 0);
    struct window w = {.padding = PADDING_EXPLICIT};
    struct conv_numbers n;
    uint32_t k;

    if (in)
        out_set(c, 0, ctx_unknown(c, in->rank));
    if (!c->stronger || !numbers_of(c, &n))
        return;
    k = n.input.n_spatial;
    if (copy_value(in_const(c, 2), w.stride, k) && copy_value(in_const_matrix(c, 3), w.pads, 2 * k) &&
        copy_value(in_const(c, 4), w.spread_input, k) &&
        copy_value(in_const(c, 5), w.spread_kernel, k))
        out_set(c, 0, convolved(c, &n, &w));
}

/* The window comes from attributes. */
static void shape_quantized_convolution(struct opctx *c)
{
    struct window w;
    struct conv_numbers n;

    if (!numbers_of(c, &n) || !padding_of(c, &w.padding))
        return;
    for (uint32_t i = 0; i < n.input.n_spatial; i++) {
        w.stride[i] = list_entry(c, "window_strides", i, 1);
        w.spread_input[i] = list_entry(c, "lhs_dilation", i, 1);
        w.spread_kernel[i] = list_entry(c, "rhs_dilation", i, 1);
        w.pads[2 * i] = list_entry(c, "explicit_padding", 2 * (size_t)i, 0);
        w.pads[2 * i + 1] = list_entry(c, "explicit_padding", 2 * (size_t)i + 1, 0);
    }
    out_set(c, 0, convolved(c, &n, &w));
}

const struct op_rule shape_rules_xla[] = {
    {"XlaConv XlaConvV2", shape_xla_convolution, 0},
    {"UniformQuantizedConvolution UniformQuantizedConvolutionHybrid", shape_quantized_convolution,
     0},
    {0},
};
