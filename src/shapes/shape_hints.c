/* shape_hints.c: what ops imply about the shapes of their inputs, and about consumers that refer to
 * them by name (shapes.md sections 5.7, 5.17, 5.20 and 7). */
#include "shapes/shape_hints.h"

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/strbuf.h"
#include "shapes/window.h"

void shape_hints_init(struct shape_hints *h)
{
    *h = (struct shape_hints){0};
    intern_init(&h->keys);
}

void shape_hints_done(struct shape_hints *h)
{
    EACH(vec_done, &h->list, &h->producers, &h->consumers);
    intern_done(&h->keys);
}

COMPARE_BY_TWO(by_key, struct hint_producer, key, output)

/* Sorts the producers and merges those with the same key and output. */
static void merge_producers(struct shape_hints *h, struct arena *keep)
{
    vec_sort(&h->producers, by_key);
    vec_merge(&h->producers, last, p, by_key(last, p) == 0,
              last->shape = dims_weaken(keep, last->shape, p->shape));
}

void shape_hints_deliver(struct shape_hints *h, struct budget *budget, struct arena *keep)
{
    enum { COPIES = 2 }; /* of a hint, until the node takes it */

    merge_producers(h, keep);
    for (size_t i = 0; i < h->consumers.n; i++) {
        const struct hint_consumer *t = &h->consumers.data[i];
        size_t at = 0;

        LOWER_BOUND(at, h->producers.n, k, h->producers.data[k].key < t->key);
        for (; at < h->producers.n && h->producers.data[at].key == t->key; at++)
            if (budget_take(budget, COPIES * sizeof *h->list.data, 1))
                vec_push(&h->list, ((struct shape_hint){t->node, h->producers.data[at].output,
                                                        h->producers.data[at].shape, NULL}));
            else
                return;
    }
}

/* ---- hints */

/* Input I has shape S. */
static void hint(struct opctx *c, uint32_t i, const struct dims *s)
{
    if (s && i < c->n_in && c->in_edge[i]->source != NODE_NONE)
        vec_push(&c->hints->list, ((struct shape_hint){c->in_edge[i]->source,
                                                      c->in_edge[i]->own_index, s, NULL}));
}

/* The contents of the handle at input I have shape S. */
static void hint_element(struct opctx *c, uint32_t i, const struct dims *s)
{
    if (s && i < c->n_in && c->in_edge[i]->source != NODE_NONE)
        vec_push(&c->hints->list, ((struct shape_hint){c->in_edge[i]->source,
                                                      c->in_edge[i]->own_index, NULL, s}));
}

/* Size AT of input I, of rank RANK, is SIZE. */
static void hint_size(struct opctx *c, uint32_t i, uint32_t rank, uint32_t at, int64_t size)
{
    const struct dims *s = in_shape(c, i);

    if (s ? s->rank == rank && s->d[at] < 0 && size >= 0 : rank > 0)
        hint(c, i, dims_replace(c->keep, ctx_unknown(c, rank), at, size));
}

static const struct dims *out_shape(const struct opctx *c)
{
    return c->n_out > 0 ? c->out[0].shape : NULL;
}

/* Input 0 has the shape of the output. */
static void hint_same(struct opctx *c)
{
    const struct handle *h = c->n_out > 0 ? c->out[0].handle : NULL;

    hint(c, 0, out_shape(c));
    if (h && h->n == 1)
        hint_element(c, 0, h->shapes[0]);
}

/* All inputs from arg on have the shape of the output. */
static void hint_all_same(struct opctx *c)
{
    for (uint32_t i = (uint32_t)c->arg; i < c->n_in; i++)
        hint(c, i, out_shape(c));
}

/* Assign, unless it may change the variable's shape. */
static void hint_assigned(struct opctx *c)
{
    if (opctx_bool(c, "validate_shape", true))
        hint_all_same(c);
}

/* A variable has the shape of the value assigned to it. */
static void hint_variable_assigned(struct opctx *c)
{
    if (dims_full(in_shape(c, 1)))
        hint_element(c, 0, in_shape(c, 1));
}

/* Elements of a stack have the shape of the pushed value. */
static void hint_pushed(struct opctx *c)
{
    hint_element(c, 0, in_shape(c, 1));
}

/* The one unknown size of input 0, from the number of elements. */
static void hint_reshaped(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *out = out_shape(c);
    int64_t known = 1, open = -1;

    if (!s || !dims_full(out))
        return;
    for (uint32_t i = 0; i < s->rank; i++) {
        if (s->d[i] >= 0)
            known = ctx_mul(c, known, s->d[i]);
        else if (open < 0)
            open = i;
        else
            return;
    }
    if (open >= 0 && known > 0 && sat_remainder(dims_elements(out), known) == 0)
        hint_size(c, 0, s->rank, (uint32_t)open, quotient(dims_elements(out), known));
}

/* Size I_AT of input I equals size K_AT of input K. */
static void hint_equal_sizes(struct opctx *c, uint32_t i, uint32_t i_rank, uint32_t i_at,
                             uint32_t k,
                             uint32_t k_rank, uint32_t k_at)
{
    hint_size(c, i, i_rank, i_at, dim_at(in_shape(c, k), k_at));
    hint_size(c, k, k_rank, k_at, dim_at(in_shape(c, i), i_at));
}

static void hint_mat_mul(struct opctx *c)
{
    bool ta = opctx_bool(c, "transpose_a", false), tb = opctx_bool(c, "transpose_b", false);

    hint_equal_sizes(c, 0, 2, ta ? 0 : 1, 1, 2, tb ? 1 : 0);
}

static void hint_batch_mat_mul(struct opctx *c)
{
    const struct dims *a = in_shape(c, 0), *b = in_shape(c, 1);
    bool ta = opctx_bool(c, "adj_x", false), tb = opctx_bool(c, "adj_y", false);

    if (a && b && a->rank >= 2 && b->rank >= 2)
        hint_equal_sizes(c, 0, a->rank, a->rank - (ta ? 2 : 1), 1, b->rank, b->rank - (tb ? 1 : 2));
}

/* The image has as many channels as the filter; arg: number of spatial dimensions. */
static void hint_convolution(struct opctx *c)
{
    uint32_t n = (uint32_t)c->arg;
    struct image_layout l;

    if (layout_of(c, n, &l) && !l.vect)
        hint_equal_sizes(c, 0, n + 2, l.channel, 1, n + 2, n);
}

/* Inputs 1 to arg are vectors with one element for each channel. */
static void hint_channels(struct opctx *c)
{
    const struct dims *out = out_shape(c);
    bool first = opctx_string_is(c, "data_format", "NHWC", "NCHW") ||
                 opctx_string_is(c, "data_format", "NHWC", "NCDHW");

    hint(c, 0, out);
    for (uint32_t i = 1; out && out->rank >= 2 && i <= (uint32_t)c->arg; i++)
        hint_size(c, i, 1, 0, out->d[first ? 1 : out->rank - 1]);
}

/* ---- references by name */

static strid key_of(struct opctx *c, const char *kind, const char *attribute)
{
    struct attr_bytes name = opctx_string(c, attribute, "");
    struct strbuf sb = {0};
    strid key = STRID_NONE;

    if (name.len > 0) {
        sb_adds(&sb, kind);
        sb_add(&sb, name.bytes, name.len);
        key = intern_put(&c->hints->keys, sb_text(&sb), sb.len);
    }
    sb_done(&sb);
    return key;
}

static void add_producer(struct opctx *c, strid key, int64_t output, const struct dims *s)
{
    if (key != STRID_NONE && s && output >= 0 && output < INT32_MAX)
        vec_push(&c->hints->producers, ((struct hint_producer){key, (int32_t)output, s}));
}

static void add_consumer(struct opctx *c, strid key)
{
    if (key != STRID_NONE)
        vec_push(&c->hints->consumers, ((struct hint_consumer){key, c->node}));
}

static void hint_sent(struct opctx *c)
{
    add_producer(c, key_of(c, "sent ", "tensor_name"), 0, in_shape(c, 0));
}

static void hint_received(struct opctx *c)
{
    add_consumer(c, key_of(c, "sent ", "tensor_name"));
}

static void hint_staged(struct opctx *c)
{
    for (uint32_t i = 0; i < c->n_in; i++)
        add_producer(c, key_of(c, "staged ", "shared_name"), i, in_shape(c, i));
}

/* Inputs: key, indices of the components, values. */
static void hint_map_staged(struct opctx *c)
{
    const struct value *which = in_const(c, 1);

    for (uint32_t i = 0; which && i < which->n; i++)
        add_producer(c, key_of(c, "staged ", "shared_name"), which->v[i], in_shape(c, 2 + i));
}

static void hint_unstaged(struct opctx *c)
{
    add_consumer(c, key_of(c, "staged ", "shared_name"));
}

const struct op_rule hint_rules[] = {
    {"Identity Snapshot StopGradient PreventGradient CheckNumerics CheckNumericsV2 RefIdentity "
     "GuaranteeConst EnsureShape Cast Abs Neg Sign Square Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos "
     "Tanh Sigmoid Floor Ceil Round Rint Erf LogicalNot Relu Relu6 LeakyRelu Elu Selu Softplus "
     "Softsign Softmax LogSoftmax ZerosLike OnesLike ClipByValue LRN Exit RefEnter Enter "
     "NextIteration",
     hint_same, 0},
    {"AddN AccumulateNV2 ReluGrad Relu6Grad LeakyReluGrad EluGrad SeluGrad SoftplusGrad "
     "SoftsignGrad AssignAdd AssignSub",
     hint_all_same, 0},
    {"Select", hint_all_same, 1},
    {"Assign", hint_assigned, 0},
    {"AssignVariableOp", hint_variable_assigned, 0},
    {"StackPush StackPushV2", hint_pushed, 0},
    {"Reshape", hint_reshaped, 0},
    {"MatMul SparseMatMul _FusedMatMul", hint_mat_mul, 0},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3", hint_batch_mat_mul, 0},
    {"Conv2D _FusedConv2D DepthwiseConv2dNative _FusedDepthwiseConv2dNative", hint_convolution, 2},
    {"Conv3D _FusedConv3D", hint_convolution, 3},
    {"BiasAdd BiasAddV1", hint_channels, 1},
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx", hint_channels, 2},
    {"Send _Send _HostSend", hint_sent, 0},
    {"Recv _Recv _HostRecv", hint_received, 0},
    {"Stage", hint_staged, 0},
    {"MapStage OrderedMapStage", hint_map_staged, 0},
    {"Unstage StagePeek MapUnstage MapPeek OrderedMapUnstage OrderedMapPeek", hint_unstaged, 0},
    {0},
};
