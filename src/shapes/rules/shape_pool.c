/* shape_pool.c: shapes of pooling and its gradients (shapes.md section 5.12). */
#include "shapes/shape_rules.h"

#include <math.h>

#include "shapes/window.h"

enum {
    POOL_CHANNELS = 16, /* added to the number of spatial dimensions: the window has a channel
                         * size */
    POOL_TWO = 32,      /* two outputs of the same shape */
    POOL_SCALARS = 64,  /* followed by two scalars */
};

static const struct dims *pooled(struct opctx *c, const struct dims *s, uint32_t n_spatial,
                                 bool channels, const struct value *ksize,
                                 const struct value *strides)
{
    struct image_layout l;
    enum padding padding;
    int64_t d[SPATIAL_MAX + 3];

    if (!layout_of(c, n_spatial, &l) || !padding_of(c, &padding))
        return NULL;
    s = ctx_rank(c, s, l.rank);
    if (!s)
        return NULL;
    for (uint32_t i = 0; i < l.rank; i++)
        d[i] = s->d[i];
    for (uint32_t i = 0; i < n_spatial; i++) {
        uint32_t at = l.spatial[i];
        int64_t size = ksize ? ksize->v[at] : list_entry(c, "ksize", at, 1);
        int64_t stride = strides ? strides->v[at] : list_entry(c, "strides", at, 1);

        d[at] = window_out(c, s->d[at], size, stride, 1, padding,
                           list_entry(c, "explicit_paddings", 2 * at, 0),
                           list_entry(c, "explicit_paddings", 2 * at + 1, 0));
    }
    if (channels && !l.vect) {
        int64_t size = ksize ? ksize->v[l.channel] : list_entry(c, "ksize", l.channel, 1);

        if (size > 1)
            d[l.channel] = window_out(c, s->d[l.channel], size, size, 1, PADDING_VALID, 0, 0);
    }
    return c->failed ? NULL : ctx_new(c, l.rank, d);
}

static void shape_pool(struct opctx *c)
{
    const struct dims *s = pooled(c, in_shape(c, 0), (uint32_t)c->arg & 3,
                                  (c->arg & POOL_CHANNELS) != 0, NULL, NULL);

    out_count(c, c->arg & POOL_SCALARS ? 3 : c->arg & POOL_TWO ? 2 : 1);
    out_set(c, 0, s);
    if (c->arg & POOL_TWO)
        out_set(c, 1, s);
    if (c->arg & POOL_SCALARS)
        out_scalars(c, 1, 3);
}

/* Window and strides come from inputs 1 and 2. */
static void shape_max_pool_v2(struct opctx *c)
{
    const struct value *ksize = in_const(c, 1), *strides = in_const(c, 2);

    if (ksize && strides && ksize->n == 4 && strides->n == 4)
        out_set(c, 0, pooled(c, in_shape(c, 0), 2, true, ksize, strides));
    else
        out_set(c, 0, ctx_unknown(c, 4));
}

static void shape_fractional_pool(struct opctx *c)
{
    const struct attr_value *ratio = opctx_attr(c, "pooling_ratio");
    const struct dims *s = ctx_rank(c, in_shape(c, 0), 4);
    int64_t d[4];

    out_count(c, 3);
    if (!s || !ratio || ratio->kind != ATTR_LIST || ratio->item_kind != ATTR_FLOAT ||
        ratio->n_items != 4)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        double r = ratio->v.list_f[i];

        if (!(r > 0) || (s->d[i] >= 0 && (double)s->d[i] / r > 9e18)) {
            opctx_fail(c, "a pooling ratio is not positive");
            return;
        }
        d[i] = s->d[i] < 0 ? DIM_UNKNOWN : (int64_t)floor((double)s->d[i] / r);
    }
    out_set(c, 0, ctx_new(c, 4, d));
    out_set(c, 1, ctx_vector(c, d[1]));
    out_set(c, 2, ctx_vector(c, d[2]));
}

const struct op_rule shape_rules_pool[] = {
    {"AvgPool", shape_pool, 2},
    {"MaxPool", shape_pool, 2 + POOL_CHANNELS},
    {"MaxPoolWithArgmax", shape_pool, 2 + POOL_CHANNELS + POOL_TWO},
    {"AvgPool3D MaxPool3D", shape_pool, 3},
    {"QuantizedAvgPool", shape_pool, 2 + POOL_SCALARS},
    {"QuantizedMaxPool", shape_pool, 2 + POOL_CHANNELS + POOL_SCALARS},
    {"MaxPoolGradGrad MaxPoolGradGradWithArgmax", shape_pool, 2 + POOL_CHANNELS},
    {"MaxPool3DGradGrad", shape_pool, 3},
    {"MaxPoolV2", shape_max_pool_v2, 0},
    {"FractionalAvgPool FractionalMaxPool", shape_fractional_pool, 0},
    {0},
};
