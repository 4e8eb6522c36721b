/* count_compat.c: the operation counts of TensorFlow's own statistics, including their defects
 * (flops.md sections 1 and 2). */
#include "flops/count_rules.h"

#include "base/satmath.h"

int64_t count_weight(const struct opctx *c, struct tally *t, int arg)
{
    int64_t functions = arg / COUNT_T % (COUNT_D / COUNT_T), divisions = arg / COUNT_D;

    t->uses_transcendental |= functions > 0;
    t->uses_division |= divisions > 0;
    return clamp_add(arg % COUNT_T, clamp_add(clamp_mul(functions, c->transcendental),
                                              clamp_mul(divisions, c->division)));
}

void count_each_output(struct opctx *c, struct tally *t)
{
    tally_each(t, count_weight(c, t, c->arg), tally_output(c, 0));
}

void count_each_input(struct opctx *c, struct tally *t)
{
    tally_each(t, count_weight(c, t, c->arg), tally_input(t, c, 0));
}

void count_each_second_input(struct opctx *c, struct tally *t)
{
    tally_each(t, c->arg, tally_input(t, c, 1));
}

void count_each_input_less_output(struct opctx *c, struct tally *t)
{
    tally_each(t, c->arg, tally_input(t, c, 0));
    tally_minus(t);
    tally_elements(t, tally_output(c, 0));
}

/* The statistic reads transpose_a only. */
static void compat_mat_mul(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);

    tally_need(t, a);
    tally_plus_mac(t);
    tally_dim(t, a, opctx_bool(c, "transpose_a", false) ? 0 : 1);
    tally_elements(t, tally_output(c, 0));
}

/* The statistic reads an attribute that these ops do not have. */
static void compat_batch_mat_mul(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);

    tally_need(t, a);
    tally_plus_mac(t);
    tally_dim(t, a, opctx_bool(c, "transpose_a", false) ? -2 : -1);
    tally_elements(t, tally_output(c, 0));
}

/* arg: the number of leading filter dimensions that count. */
static void compat_convolution(struct opctx *c, struct tally *t)
{
    const struct dims *filter = tally_input(t, c, 1);

    tally_need(t, tally_input(t, c, 0));
    tally_need(t, filter);
    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    for (uint32_t i = 0; i < (uint32_t)c->arg; i++)
        tally_dim(t, filter, i);
}

/* An addition and a maximum, which is not a multiply-add. */
static void compat_dilation2d(struct opctx *c, struct tally *t)
{
    const struct dims *filter = tally_input(t, c, 1);

    tally_need(t, tally_input(t, c, 0));
    tally_need(t, filter);
    tally_plus(t);
    tally_times(t, 2);
    tally_elements(t, tally_output(c, 0));
    tally_dim(t, filter, 0);
    tally_dim(t, filter, 1);
}

/* N(in) - N(out). */
static void compat_difference(struct opctx *c, struct tally *t)
{
    tally_plus(t);
    tally_elements(t, tally_input(t, c, 0));
    tally_minus(t);
    tally_elements(t, tally_output(c, 0));
}

static void compat_mean(struct opctx *c, struct tally *t)
{
    tally_each(t, 1, tally_input(t, c, 0));
    tally_need(t, tally_output(c, 0));
}

static void check_nhwc(struct opctx *c, struct tally *t)
{
    if (!opctx_string_is(c, "data_format", "NHWC", "NHWC"))
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
}

/* N(image) * N(filter) / (image channels * strides). */
static void backprop(struct opctx *c, struct tally *t, const struct dims *image,
                     const struct dims *filter)
{
    size_t n;
    const int64_t *strides = opctx_ints(c, "strides", &n);
    int64_t by = dim_at(image, -1);
    bool saturated = false;

    check_nhwc(c, t);
    tally_plus_mac(t);
    tally_elements(t, image);
    tally_elements(t, filter);
    if (n < 3 || (image && image->rank == 0)) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    by = sat_mul(sat_mul(by, strides[1], &saturated), strides[2], &saturated);
    if (dims_full(image))
        tally_divide(t, by);
}

static void compat_backprop_input(struct opctx *c, struct tally *t)
{
    backprop(c, t, tally_output(c, 0), tally_input(t, c, 1));
}

static void compat_backprop_filter(struct opctx *c, struct tally *t)
{
    backprop(c, t, tally_input(t, c, 0), tally_output(c, 0));
}

int64_t count_window(struct opctx *c, struct tally *t)
{
    size_t n;
    const int64_t *ksize = opctx_ints(c, "ksize", &n);
    int64_t product = 1;

    for (size_t i = 0; i < n; i++)
        product = sat_mul(product, ksize[i], &t->sum.saturated);
    return product;
}

static void compat_pool(struct opctx *c, struct tally *t)
{
    check_nhwc(c, t);
    tally_each(t, count_window(c, t), tally_output(c, 0));
}

static void compat_avg_pool_grad(struct opctx *c, struct tally *t)
{
    check_nhwc(c, t);
    tally_plus(t);
    tally_times(t, 2);
    tally_times(t, count_window(c, t));
    tally_elements(t, tally_input(t, c, 1));
}

static void compat_max_pool_grad(struct opctx *c, struct tally *t)
{
    check_nhwc(c, t);
    tally_each(t, sat_add(count_window(c, t), 1, &t->sum.saturated), tally_input(t, c, 1));
}

static void compat_l2_loss(struct opctx *c, struct tally *t)
{
    tally_each(t, 3, tally_input(t, c, 0));
    tally_minus(t);
    tally_times(t, 1);
}

/* Counts all entries of NodeDef.input, including control inputs. */
static void compat_add_n(struct opctx *c, struct tally *t)
{
    const uint32_t n = c->profile->input_begin[c->node + 1] - c->profile->input_begin[c->node];

    tally_plus(t);
    if (n == 0) {
        tally_times(t, 0);
        return;
    }
    tally_elements(t, tally_input(t, c, 0));
    tally_times(t, n - 1);
}

const struct statistic count_rules_compat[] = {
    {{"MatMul", "2 * k * N(out)", compat_mat_mul, 0}, FLOPS_SINCE_0_7},
    {{"BatchMatMul", "2 * in[-1] * N(out)", compat_batch_mat_mul, 0}, FLOPS_SINCE_1_15},
    {{"BatchMatMulV2", "2 * in[-1] * N(out)", compat_batch_mat_mul, 0}, FLOPS_SINCE_2_1},
    {{"BatchMatMulV3", "2 * in[-1] * N(out)", compat_batch_mat_mul, 0}, FLOPS_SINCE_2_6},
    {{"Conv2D", "2 * N(out) * kh * kw * Cin", compat_convolution, 3}, FLOPS_SINCE_0_7},
    {{"Conv3D", "2 * N(out) * kd * kh * kw * Cin", compat_convolution, 4}, FLOPS_SINCE_1_14},
    {{"DepthwiseConv2dNative", "2 * N(out) * kh * kw", compat_convolution, 2}, FLOPS_SINCE_0_9},
    {{"Dilation2D", "2 * N(out) * kh * kw", compat_dilation2d, 0}, FLOPS_SINCE_0_9},
    {{"BiasAdd", "N(in)", count_each_input, 1}, FLOPS_SINCE_0_7},
    {{"AddV2", "N(out)", count_each_output, 1}, FLOPS_NEWEST},
    {{"BiasAddGrad", "N(in) - N(out)", compat_difference, 0}, FLOPS_SINCE_1_4},
    {{"Conv2DBackpropInput", "2 * N(out) * N(filter) / (C * strides)", compat_backprop_input, 0},
     FLOPS_SINCE_1_4},
    {{"Conv2DBackpropFilter", "2 * N(in) * N(filter) / (C * strides)", compat_backprop_filter, 0},
     FLOPS_SINCE_1_4},
    {{"AvgPool MaxPool", "window * N(out)", compat_pool, 0}, FLOPS_SINCE_1_4},
    {{"AvgPoolGrad", "2 * window * N(gradient)", compat_avg_pool_grad, 0}, FLOPS_SINCE_1_4},
    {{"MaxPoolGrad", "(window + 1) * N(gradient)", compat_max_pool_grad, 0}, FLOPS_SINCE_1_4},
    {{"Reciprocal Square Log Neg AssignSub AssignAdd", "N(in)", count_each_input, 1},
     FLOPS_SINCE_1_4},
    {{"Rsqrt", "2 * N(in)", count_each_input, 2}, FLOPS_SINCE_1_4},
    {{"L2Loss", "3 * N(in) - 1", compat_l2_loss, 0}, FLOPS_SINCE_1_4},
    {{"Softmax", "5 * N(in)", count_each_input, 5}, FLOPS_SINCE_1_4},
    {{"AddN", "N(in) * (n - 1)", compat_add_n, 0}, FLOPS_SINCE_1_4},
    {{"Add Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater LessEqual Less Equal "
      "NotEqual",
      "N(out)", count_each_output, 1},
     FLOPS_SINCE_1_4},
    {{"RsqrtGrad", "4 * N(out)", count_each_output, 4}, FLOPS_SINCE_1_4},
    {{"SquaredDifference", "2 * N(out)", count_each_output, 2}, FLOPS_SINCE_1_4},
    {{"Mean", "N(in)", compat_mean, 0}, FLOPS_SINCE_1_4},
    {{"Sum ArgMax ArgMin", "N(in) - N(out)", compat_difference, 0}, FLOPS_SINCE_1_4},
    {{0}, 0},
};
