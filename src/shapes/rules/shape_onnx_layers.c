/* shape_onnx_layers.c: shapes of ONNX operators that are whole layers, or that transform signals:
 * attention, recurrent layers, losses, Fourier transforms (formats-onnx.md section 5). */
#include "shapes/shape_onnx.h"

/* ---- attention */

/* Self-attention with one weight tensor for queries, keys and values. */
static void attention(struct opctx *c)
{
    const struct dims *in = ctx_rank(c, in_shape(c, 0), 3), *w = in_shape(c, 1);
    size_t n;
    const int64_t *sizes = opctx_ints(c, "qkv_hidden_sizes", &n);
    const int64_t all = dim_at(w, -1);
    int64_t size = n == 3 ? sizes[2] : all < 0 ? DIM_UNKNOWN : quotient(all, 3);

    out_count(c, 2);
    if (in)
        out_set(c, 0, dims_replace(c->keep, in, 2, size < 0 ? DIM_UNKNOWN : size));
}

/* S with the heads as a dimension of its own: batch, heads, length, size. */
static const struct dims *split_heads(struct opctx *c, const struct dims *s, int64_t heads)
{
    const int64_t size = dim_at(s, 2);
    const int64_t d[] = {dim_at(s, 0), heads, dim_at(s, 1), size < 0 || heads <= 0 ? DIM_UNKNOWN : quotient(size, heads)};

    if (!s || s->rank == 4)
        return s;
    return s->rank == 3 && heads > 0 ? ctx_new(c, 4, d) : NULL;
}

/* S, keys or values, after those of input PAST. */
static const struct dims *after_past(struct opctx *c, const struct dims *s, uint32_t past)
{
    const bool has_past = past < c->n_in && (c->in_edge[past]->source != NODE_NONE || c->in[past].shape);
    const int64_t length = has_past ? dim_at(in_shape(c, past), 2) : 0, added = dim_at(s, 2);

    return s ? dims_replace(c->keep, s, 2,
                            length < 0 || added < 0 ? DIM_UNKNOWN : clamp_add(length, added)) : NULL;
}

/* Attention over inputs q, k and v: of rank 4, or of rank 3 with the heads side by side.  Other
 * outputs: all keys, all values, and the product of queries and keys. */
static void attention_qkv(struct opctx *c)
{
    const struct dims *q = in_shape(c, 0), *v = in_shape(c, 2);
    const int64_t heads = opctx_int(c, "q_num_heads", 0), kv_heads = opctx_int(c, "kv_num_heads", heads);
    const struct dims *q4 = split_heads(c, q, heads);
    const struct dims *keys = after_past(c, split_heads(c, in_shape(c, 1), kv_heads), 4);
    int64_t size = dim_at(v, -1);

    out_count(c, 4);
    out_set(c, 1, keys);
    out_set(c, 2, after_past(c, split_heads(c, v, kv_heads), 5));
    if (q4)
        out_set(c, 3, dims_replace(c->keep, q4, 3, dim_at(keys, 2)));
    if (q && q->rank == 3 && heads > 0 && kv_heads > 0 && size >= 0)
        size = clamp_mul(quotient(size, kv_heads), heads);
    if (q && (q->rank == 3 || q->rank == 4))
        out_set(c, 0, dims_replace(c->keep, q, q->rank - 1, size));
}

/* Input 0 with the last size of input arg. */
static void last_of_input(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *v = in_shape(c, (uint32_t)c->arg);

    out_count(c, 3);
    if (s && s->rank > 0 && v)
        out_set(c, 0, dims_replace(c->keep, s, s->rank - 1, dim_at(v, -1)));
    else if (s && !v)
        out_set(c, 0, s);
}

/* Looks up the words of input 0 in the embedding table, input 2. */
static void embedded(struct opctx *c)
{
    out_count(c, 2);
    if (in_shape(c, 0) && in_shape(c, 2))
        out_set(c, 0, dims_concat(c->keep, in_shape(c, 0),
                                  dims_vector(c->keep, dim_at(in_shape(c, 2), -1))));
}

/* ---- recurrent layers */

static void recurrent(struct opctx *c)
{
    const struct dims *x = ctx_rank(c, in_shape(c, 0), 3), *r = ctx_rank(c, in_shape(c, 2), 3);
    const bool batch_first = opctx_int(c, "layout", 0) == 1;
    const int64_t steps = dim_at(x, batch_first ? 1 : 0), batch = dim_at(x, batch_first ? 0 : 1);
    const int64_t dirs = dim_at(r, 0), size = dim_at(r, 2);
    const int64_t all[] = {steps, dirs, batch, size}, all_b[] = {batch, steps, dirs, size};
    const int64_t last[] = {dirs, batch, size}, last_b[] = {batch, dirs, size};

    out_count(c, 3);
    out_set(c, 0, ctx_new(c, 4, batch_first ? all_b : all));
    out_set(c, 1, ctx_new(c, 3, batch_first ? last_b : last));
    out_set(c, 2, ctx_new(c, 3, batch_first ? last_b : last));
}

/* ---- losses */

/* A scalar, or one number for each label in input 1; output 1 are the logarithms of input 0. */
static void loss(struct opctx *c)
{
    out_count(c, 2);
    out_set(c, 0, opctx_string_is(c, "reduction", "mean", "none") ? in_shape(c, 1) : &dims_scalar);
    out_set(c, 1, in_shape(c, 0));
}

/* ---- signals */

static int64_t half(int64_t n)
{
    return n < 0 ? DIM_UNKNOWN : clamp_add(n / 2, 1);
}

/* The axis is input 2 in newer op sets; complex numbers are the last dimension. */
static void fourier(struct opctx *c)
{
    const struct dims *x = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const bool one_sided = opctx_int(c, "onesided", 0) != 0, inverse = opctx_int(c, "inverse", 0) != 0;
    int64_t axis = opctx_int(c, "axis", x && x->rank == 3 ? 1 : INT64_MAX), size;
    uint32_t at;

    (void)in_const_scalar(c, 2, &axis);
    if (!x || axis == INT64_MAX || !ctx_axis(c, axis, x->rank, &at))
        return;
    size = x->d[at];
    if (c->n_in > 1 && (c->in_edge[1]->source != NODE_NONE || c->in[1].shape))
        size = in_const_dim(c, 1);
    else if (one_sided && inverse)
        size = size < 1 ? DIM_UNKNOWN : clamp_mul(2, clamp_sub(size, 1));
    x = dims_replace(c->keep, x, at, one_sided && !inverse ? half(size) : size);
    out_set(c, 0, dims_replace(c->keep, x, x->rank - 1, one_sided && inverse ? 1 : 2));
}

/* Inputs: signal, distance of the frames, window, length of a frame. */
static void short_fourier(struct opctx *c)
{
    const struct dims *x = in_shape(c, 0);
    const int64_t step = in_const_dim(c, 1), all = dim_at(x, 1);
    const int64_t length = c->n_in > 3 ? in_const_dim(c, 3) : dim_at(in_shape(c, 2), 0);
    const int64_t n = all >= length && length >= 0 && step > 0
                          ? clamp_add(quotient(clamp_sub(all, length), step), 1) : DIM_UNKNOWN;
    const int64_t d[] = {dim_at(x, 0), n, opctx_int(c, "onesided", 1) ? half(length) : length, 2};

    out_set(c, 0, ctx_new(c, 4, d));
}

static void mel_weights(struct opctx *c)
{
    out_set(c, 0, ctx_matrix(c, half(in_const_dim(c, 1)), in_const_dim(c, 0)));
}

const struct op_rule shape_rules_onnx_layers[] = {
    {"com.microsoft.Attention QAttention", attention, 0},
    {"Attention", attention_qkv, 0},
    {"FlexAttention MultiHeadAttention PackedMultiHeadAttention", last_of_input, 2},
    {"EmbedLayerNormalization", embedded, 0},
    {"LSTM GRU RNN", recurrent, 0},
    {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", loss, 0},
    {"DFT", fourier, 0},
    {"STFT", short_fourier, 0},
    {"MelWeightMatrix", mel_weights, 0},
    {0},
};
