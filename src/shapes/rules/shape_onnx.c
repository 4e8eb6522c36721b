/* shape_onnx.c: shapes of ONNX operators: element-wise ops, products, reductions, and nodes with
 * bodies (formats-onnx.md section 5). */
#include "shapes/shape_onnx.h"

#include "shapes/shape_graph.h"

/* ---- element-wise */

/* Broadcasts all inputs; with arg 1 only inputs 0 and 3, since the others are scales. */
static void broadcast_all(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);

    if (c->arg == 1)
        s = ctx_broadcast(c, s, in_shape(c, 3));
    for (uint32_t i = 1; c->arg == 0 && i < c->n_in; i++)
        s = ctx_broadcast(c, s, in_shape(c, i));
    out_set(c, 0, s);
}

/* Output 0 as input 0; in outputs 1 and 2 the dimensions from `axis` on are 1. */
static void layer_normalization(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t axis = opctx_int(c, "axis", -1);
    int64_t d[DIMS_MAX_RANK];

    out_count(c, 3);
    out_set(c, 0, s);
    if (!s)
        return;
    axis = axis < 0 ? clamp_add(axis, s->rank) : axis;
    for (uint32_t i = 0; i < s->rank; i++)
        d[i] = (int64_t)i < axis ? s->d[i] : 1;
    out_set(c, 1, ctx_new(c, s->rank, d));
    out_set(c, 2, ctx_new(c, s->rank, d));
}

/* ---- products */

/* Matrix product by NumPy's rules: a vector is a row as A, a column as B; its dimension is
 * removed. */
static const struct dims *product(struct opctx *c, const struct dims *a, const struct dims *b,
                                  bool ta, bool tb)
{
    const struct dims *batch, *rest = &dims_scalar;

    if (!a || !b)
        return NULL;
    if (a->rank == 0 || b->rank == 0) {
        opctx_fail(c, "a factor of a matrix product is a scalar");
        return NULL;
    }
    (void)ctx_merge_dim(c, dim_at(a, ta && a->rank > 1 ? -2 : -1),
                        b->rank == 1 ? b->d[0] : dim_at(b, tb ? -1 : -2));
    batch = ctx_broadcast(c, dims_slice(c->keep, a, 0, -2), dims_slice(c->keep, b, 0, -2));
    if (a->rank > 1)
        rest = dims_concat(c->keep, rest, dims_vector(c->keep, dim_at(a, ta ? -1 : -2)));
    if (b->rank > 1)
        rest = dims_concat(c->keep, rest, dims_vector(c->keep, dim_at(b, tb ? -2 : -1)));
    return dims_concat(c->keep, batch, rest);
}

/* The second factor is input arg. */
static void mat_mul(struct opctx *c)
{
    out_set(c, 0, product(c, in_shape(c, 0), in_shape(c, (uint32_t)c->arg), false, false));
}

static void fused_mat_mul(struct opctx *c)
{
    out_set(c, 0, product(c, in_shape(c, 0), in_shape(c, 1), opctx_int(c, "transA", 0) != 0,
                          opctx_int(c, "transB", 0) != 0));
}

static void gemm(struct opctx *c)
{
    const struct dims *a = ctx_rank(c, in_shape(c, 0), 2);
    const struct dims *b = ctx_rank(c, in_shape(c, (uint32_t)c->arg), 2);
    const bool ta = opctx_int(c, "transA", 0) != 0, tb = opctx_int(c, "transB", 0) != 0;

    (void)ctx_merge_dim(c, dim_at(a, ta ? 0 : 1), dim_at(b, tb ? 1 : 0));
    out_set(c, 0, ctx_matrix(c, dim_at(a, ta ? 1 : 0), dim_at(b, tb ? 0 : 1)));
}

static void mat_mul_n_bits(struct opctx *c)
{
    const struct dims *a = ctx_rank_at_least(c, in_shape(c, 0), 1);

    if (a)
        out_set(c, 0, dims_replace(c->keep, a, a->rank - 1, opctx_int(c, "N", DIM_UNKNOWN)));
}

/* ---- reductions */

/* True when optional input I is present. */
static bool is_given(const struct opctx *c, uint32_t i)
{
    const struct profile *p = c->profile;

    return i < c->n_in &&
           (c->in_edge[i]->source != NODE_NONE ||
            profile_input_name(p, (uint32_t)(c->in_edge[i] - p->inputs)) != STRID_EMPTY);
}

const int64_t *onnx_list(struct opctx *c, const char *name, uint32_t i, int64_t *n)
{
    const struct value *v = in_const(c, i);
    size_t n_listed;
    const int64_t *list = opctx_ints(c, name, &n_listed);

    *n = (int64_t)n_listed;
    if (list || !is_given(c, i))
        return list;
    *n = v ? (int64_t)v->n : -1;
    return v ? v->v : NULL;
}

static void reduce(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    const bool keep = opctx_int(c, "keepdims", 1) != 0;
    bool gone[DIMS_MAX_RANK] = {false};
    int64_t d[DIMS_MAX_RANK], n_axes;
    const int64_t *axes = onnx_list(c, "axes", 1, &n_axes);
    uint32_t n = 0, at;

    if (!s || n_axes < 0)
        return;
    for (uint32_t i = 0; (int64_t)i < n_axes; i++) {
        if (!ctx_axis(c, axes[i], s->rank, &at))
            return;
        gone[at] = true;
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        const bool is_gone =
            gone[i] || (n_axes == 0 && opctx_int(c, "noop_with_empty_axes", 0) == 0);

        if (!is_gone || keep)
            d[n++] = is_gone ? 1 : s->d[i];
    }
    out_set(c, 0, ctx_new(c, n, d));
}

static void arg_max(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    uint32_t at;

    if (!s || !ctx_axis(c, opctx_int(c, "axis", 0), s->rank, &at))
        return;
    out_set(c, 0, opctx_int(c, "keepdims", 1) ? dims_replace(c->keep, s, at, 1)
                                              : dims_drop(c->keep, s, at));
}

static void top_k(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t k = opctx_int(c, "k", DIM_UNKNOWN);
    uint32_t at;

    out_count(c, 2);
    (void)in_const_scalar(c, 1, &k);
    if (s && ctx_axis(c, opctx_int(c, "axis", -1), s->rank, &at))
        out_set_all(c, dims_replace(c->keep, s, at, k < 0 ? DIM_UNKNOWN : k));
}

/* ---- nodes with bodies */

/* The shape of result I of the bodies: control inputs, in the order of bodies and outputs. */
static const struct dims *result_of(const struct opctx *c, uint32_t i)
{
    const struct profile *p = c->profile;

    for (uint32_t k = p->input_begin[c->node]; k < p->input_begin[c->node + 1]; k++)
        if (p->inputs[k].own_index == INPUT_CONTROL && i-- == 0)
            return shape_graph_tensor(c->graph, p->inputs[k].source, p->inputs[k].output_index)
                .shape;
    return NULL;
}

static uint32_t n_results(const struct opctx *c)
{
    const struct profile *p = c->profile;
    uint32_t n = 0;

    for (uint32_t k = p->input_begin[c->node]; k < p->input_begin[c->node + 1]; k++)
        n += p->inputs[k].own_index == INPUT_CONTROL;
    return n;
}

/* Both branches have one result for each output.  A known condition selects a branch, else an output
 * is what both have in common. */
static void if_else(struct opctx *c)
{
    const uint32_t n = n_results(c) / 2;
    int64_t condition = 0;
    const bool is_known = in_const_scalar(c, 0, &condition);

    out_count(c, n);
    for (uint32_t i = 0; i < c->n_out; i++) {
        const uint32_t at = c->out_index[i];
        const struct dims *x = at < n ? result_of(c, at) : NULL;
        const struct dims *y = at < n ? result_of(c, n + at) : NULL;

        if (is_known)
            c->out[i].shape = condition ? x : y;
        else
            c->out[i].shape = x && y && x->rank == y->rank ? dims_weaken(c->keep, x, y) : NULL;
    }
}

/* Stacks N_STEPS results along a new first dimension. */
static const struct dims *stack_steps(struct opctx *c, const struct dims *s, int64_t n_steps)
{
    return s ? dims_insert(c->keep, s, 0, n_steps) : NULL;
}

/* Results are the condition, the loop variables, and the outputs stacked over all steps. */
static void loop(struct opctx *c)
{
    const uint32_t n_round = c->n_in > 2 ? c->n_in - 2 : 0, n = n_results(c);

    out_count(c, n ? clamp_sub(n, 1) : 0);
    for (uint32_t i = 0; i < c->n_out; i++) {
        const uint32_t at = c->out_index[i];
        const struct dims *s = result_of(c, at + 1);

        if (at >= n_round)
            c->out[i].shape = stack_steps(c, s, DIM_UNKNOWN);
        else if (s && dims_equal(s, in_shape(c, at + 2)))
            c->out[i].shape = s;
    }
}

/* Op set 8 has the lengths of the sequences, mostly omitted, as input 0; a batch is the first
 * dimension of everything else. */
static void scan(struct opctx *c)
{
    const bool has_batch = c->n_in > 0 && c->in_edge[0]->source == NODE_NONE && !c->in[0].shape;
    const uint32_t first = has_batch ? 1 : 0;
    const int64_t n_scanned = opctx_int(c, "num_scan_inputs", 0);
    const int64_t n_round = clamp_sub(clamp_sub(c->n_in, first), n_scanned);
    const struct dims *in = n_round >= 0 && n_scanned > 0 ? in_shape(c, (uint32_t)n_round + first) : NULL;

    out_count(c, n_results(c));
    for (uint32_t i = 0; i < c->n_out; i++) {
        const struct dims *s = result_of(c, c->out_index[i]);

        if ((int64_t)c->out_index[i] >= n_round)
            s = stack_steps(c, s, dim_at(in, has_batch));
        c->out[i].shape = s && has_batch ? dims_insert(c->keep, s, 0, dim_at(in, 0)) : s;
    }
}

void shape_results(struct opctx *c)
{
    const uint32_t n = n_results(c);

    out_count(c, n ? n : 1);
    for (uint32_t i = 0; n && i < c->n_out; i++)
        c->out[i].shape = result_of(c, c->out_index[i]);
}

const struct op_rule shape_rules_onnx[] = {
    {"LayerNormalization RMSNormalization SimplifiedLayerNormalization", layer_normalization, 0},
    {"Add Sub Mul Div Pow Mod And Or Xor Equal Greater GreaterOrEqual Less LessOrEqual BitShift "
     "BitwiseAnd BitwiseOr BitwiseXor Max Min Sum Mean StringConcat Where",
     broadcast_all, 0},
    {"QLinearAdd QLinearMul", broadcast_all, 1},
    {"MatMul MatMulInteger MatMulIntegerToFloat DynamicQuantizeMatMul", mat_mul, 1},
    {"QLinearMatMul", mat_mul, 3},
    {"FusedMatMul", fused_mat_mul, 0},
    {"MatMulNBits MatMulBnb4", mat_mul_n_bits, 0},
    {"Gemm FusedGemm", gemm, 1},
    {"QGemm", gemm, 3},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
     "ReduceSum ReduceSumSquare",
     reduce, 0},
    {"ArgMax ArgMin", arg_max, 0},
    {"TopK", top_k, 0},
    {"If", if_else, 0},
    {"Loop", loop, 0},
    {"Scan", scan, 0},
    {0},
};
