/* count_matrix.c: full counts of matrix products, Einsum, solvers,
 * decompositions and Fourier transforms; flops.md sections 6.1, 6.2 and 6.9. */
#include "flops/count_rules.h"

#include "base/satmath.h"

#include <math.h>
#include <string.h>

#include "shapes/rules/dot_numbers.h"
#include "shapes/rules/einsum.h"

/* 2 * k * N(out), plus fused steps (arg 1) or steps in the op's name (arg 2). */
static void count_mat_mul(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);

    tally_plus_mac(t);
    tally_dim(t, a, opctx_bool(c, "transpose_a", false) ? 0 : 1);
    tally_elements(t, tally_output(c, 0));
    if (c->arg == 1)
        count_fused(c, t, tally_output(c, 0));
    if (c->arg == 2)
        count_name_steps(c, t);
}

static void count_batch_mat_mul(struct opctx *c, struct tally *t)
{
    const struct dims *a = tally_input(t, c, 0);

    tally_plus_mac(t);
    tally_dim(t, a, opctx_bool(c, "adj_x", false) ? -2 : -1);
    tally_elements(t, tally_output(c, 0));
    if (c->arg == 1)
        count_fused(c, t, tally_output(c, 0));
}

static void count_dot(struct opctx *c, struct tally *t)
{
    struct attr_bytes bytes = opctx_string(c, "dimension_numbers", "");
    const struct dims *a = tally_input(t, c, 0);
    struct dot_numbers numbers;

    tally_plus_mac(t);
    tally_elements(t, tally_output(c, 0));
    if (!dot_numbers_parse(&numbers, bytes.bytes, bytes.len))
        tally_stop(t, FLOPS_NO_RULE);
    for (uint32_t i = 0; t->state != FLOPS_NO_RULE && i < numbers.n[DOT_LEFT_CONTRACTING]; i++)
        tally_dim(t, a, numbers.at[DOT_LEFT_CONTRACTING][i]);
}

static void count_sparse_dense(struct opctx *c, struct tally *t)
{
    const struct dims *b = tally_input(t, c, 3);

    tally_plus_mac(t);
    tally_dim(t, tally_input(t, c, 1), 0);
    tally_dim(t, b, opctx_bool(c, "adjoint_b", false) ? 0 : 1);
}

static void count_quantized_dot(struct opctx *c, struct tally *t)
{
    tally_plus_mac(t);
    tally_dim(t, tally_input(t, c, 0), -1);
    tally_elements(t, tally_output(c, 0));
}

/* ---- Einsum */

/* Sets of labels, and counts over their sizes. */
struct labels {
    bool has[EINSUM_LABELS];
};

static void set_labels(struct labels *set, const struct einsum_term *term)
{
    memset(set, 0, sizeof *set);
    for (uint32_t i = 0; i < term->n; i++)
        set->has[term->label[i]] = true;
}

/* Multiplies by the sizes of all labels in A or B; B may be NULL. */
static void times_labels(struct tally *t, const struct einsum *e, const struct labels *a,
                         const struct labels *b)
{
    for (size_t i = 0; i < EINSUM_LABELS; i++)
        if (a->has[i] || (b && b->has[i]))
            tally_size(t, e->size[i]);
}

/* Reduces over the labels of SET that neither later operands nor the output need: N(before) -
 * N(after). */
static void reduce_unused_labels(struct tally *t, const struct einsum *e, struct labels *set,
                      const struct labels *others)
{
    struct labels before = *set;
    bool any = false;

    for (size_t i = 0; i < EINSUM_LABELS; i++)
        if (set->has[i] && !others->has[i]) {
            set->has[i] = false;
            any = true;
        }
    if (!any)
        return;
    tally_plus(t);
    times_labels(t, e, &before, NULL);
    tally_minus(t);
    times_labels(t, e, set, NULL);
}

/* Collects the labels of the output and of the operands from FROM on. */
static void needed_later(const struct einsum *e, uint32_t from, struct labels *set)
{
    set_labels(set, &e->output);
    for (uint32_t k = from; k < e->n_operands; k++)
        for (uint32_t i = 0; i < e->operand[k].n; i++)
            set->has[e->operand[k].label[i]] = true;
}

/* Counts one pair of operands.  Labels of only one operand are reduced first; the product then
 * costs one multiply-add for each combination of labels, or one multiplication without contraction.
 * LEFT becomes the labels of the result. */
static void count_pair(struct tally *t, const struct einsum *e, struct labels *left,
                       struct labels *right,
                       const struct labels *later)
{
    struct labels others;
    bool contracted = false;

    for (size_t i = 0; i < EINSUM_LABELS; i++)
        others.has[i] = later->has[i] || right->has[i];
    reduce_unused_labels(t, e, left, &others);
    for (size_t i = 0; i < EINSUM_LABELS; i++)
        others.has[i] = later->has[i] || left->has[i];
    reduce_unused_labels(t, e, right, &others);
    for (size_t i = 0; i < EINSUM_LABELS; i++)
        contracted |= left->has[i] && right->has[i] && !later->has[i];
    tally_plus(t);
    if (contracted)
        tally_mac(t);
    times_labels(t, e, left, right);
    for (size_t i = 0; i < EINSUM_LABELS; i++)
        left->has[i] = (left->has[i] || right->has[i]) && later->has[i];
}

static void count_einsum(struct opctx *c, struct tally *t)
{
    struct attr_bytes equation = opctx_string(c, "equation", "");
    struct labels left, right, later;
    struct einsum e;

    for (uint32_t i = 0; i < c->n_in; i++)
        tally_need(t, in_shape(c, i));
    if (t->state != FLOPS_COUNTED ||
        !einsum_parse(&e, equation.bytes, equation.len, c->in, c->n_in)) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    set_labels(&left, &e.operand[0]);
    if (e.n_operands == 1) {
        needed_later(&e, 1, &later);
        reduce_unused_labels(t, &e, &left, &later);
    }
    for (uint32_t k = 1; k < e.n_operands; k++) {
        set_labels(&right, &e.operand[k]);
        needed_later(&e, k + 1, &later);
        count_pair(t, &e, &left, &right, &later);
    }
}

/* ---- linear algebra: n x n or m x n matrices, batched */

static void batch(struct tally *t, const struct dims *s)
{
    tally_need(t, s);
    for (uint32_t i = 0; s && i + 2 < s->rank; i++)
        tally_dim(t, s, i);
}

/* A complex multiply-add consists of four real ones. */
static int64_t real_products(struct opctx *c)
{
    enum { COMPLEX64 = 8, COMPLEX128 = 18 };
    int64_t type = opctx_int(c, "T", 0);

    return type == COMPLEX64 || type == COMPLEX128 ? 4 : 1;
}

/* A * m^I * n^K / B for each matrix of S. */
static void add_power(struct opctx *c, struct tally *t, const struct dims *s, int64_t a, unsigned i,
                      unsigned k, int64_t b)
{
    a = clamp_mul(a, real_products(c));
    tally_plus(t);
    if (a != 1)
        tally_times(t, a);
    batch(t, s);
    for (; i > 0; i--)
        tally_dim(t, s, -2);
    for (; k > 0; k--)
        tally_dim(t, s, -1);
    if (b != 1)
        tally_divide(t, b);
}

/* arg: 0: 2 n^3; 1: n^3 / 3; 2: 2 n^3 / 3; 3: 2 n^3 / 3 + n. */
static void count_cubic(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0);

    add_power(c, t, s, c->arg == 1 ? 1 : 2, 0, 3, c->arg == 0 ? 1 : 3);
    if (c->arg == 3)
        add_power(c, t, s, 1, 0, 1, 1);
}

/* arg * n^2 k; a general matrix (arg 2) adds its decomposition. */
static void count_solve(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0), *b = tally_input(t, c, 1);

    if (c->arg == 2)
        add_power(c, t, s, 2, 0, 3, 3);
    add_power(c, t, s, c->arg, 0, 2, 1);
    tally_dim(t, b, -1);
}

/* arg * N(right side); arg 2 also multiplies by the number of bands. */
static void count_banded_solve(struct opctx *c, struct tally *t)
{
    tally_each(t, clamp_mul(c->arg, real_products(c)), tally_input(t, c, 1));
    if (c->arg == 2)
        tally_dim(t, tally_input(t, c, 0), -2);
}

static void count_least_squares(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0), *b = tally_input(t, c, 1);

    if (!opctx_bool(c, "fast", true)) {
        add_power(c, t, s, 2, 1, 2, 1);
        return;
    }
    add_power(c, t, s, 1, 1, 2, 1);
    add_power(c, t, s, 1, 0, 3, 3);
    add_power(c, t, s, 2, 1, 1, 1);
    tally_dim(t, b, -1);
}

/* S with the larger of its last two dimensions first. */
static const struct dims *tall_matrix(struct opctx *c, const struct dims *s)
{
    int64_t m = dim_at(s, -2), n = dim_at(s, -1);

    if (!dims_full(s) || s->rank < 2 || m >= n)
        return s;
    s = dims_replace(c->keep, s, s->rank - 2, n);
    return dims_replace(c->keep, s, s->rank - 1, m);
}

/* 4 m n^2 - 4 n^3 / 3. */
static void add_triangular(struct opctx *c, struct tally *t, const struct dims *s)
{
    add_power(c, t, s, 4, 1, 2, 1);
    tally_minus(t);
    tally_times(t, clamp_mul(4, real_products(c)));
    batch(t, s);
    for (uint32_t i = 0; i < 3; i++)
        tally_dim(t, s, -1);
    tally_divide(t, 3);
}

static void count_qr(struct opctx *c, struct tally *t)
{
    const struct dims *s = tall_matrix(c, tally_input(t, c, 0));

    /* R takes one, Q another */
    add_triangular(c, t, s);
}

static void count_svd(struct opctx *c, struct tally *t)
{
    const struct dims *s = tall_matrix(c, tally_input(t, c, 0));

    if (opctx_bool(c, "compute_uv", true)) {
        add_power(c, t, s, 14, 1, 2, 1);
        add_power(c, t, s, 8, 0, 3, 1);
        return;
    }
    add_triangular(c, t, s);
}

/* arg 0: symmetric, 1: general, 2: symmetric, always with eigenvectors. */
static void count_eigen(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0);
    bool vectors = c->arg == 2 || opctx_bool(c, "compute_v", true);

    if (c->arg == 1)
        add_power(c, t, s, vectors ? 25 : 10, 0, 3, 1);
    else
        add_power(c, t, s, vectors ? 9 : 4, 0, 3, vectors ? 1 : 3);
}

/* ---- Fourier transforms: 5 N sum(log2 n) over the last |arg| dimensions of S */

/* 1000 * log2 of the product of the last N dimensions, rounded, so that counts are integers. */
static int64_t log2_milli(struct tally *t, const struct dims *s, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 1; i <= n; i++) {
        int64_t size = dim_at(s, clamp_neg(i));

        if (size < 0)
            tally_stop(t, FLOPS_UNKNOWN_SHAPE);
        sum += size > 1 ? log2((double)size) : 0;
    }
    return (int64_t)llround(sum * 1000);
}

/* arg < 0: real transforms take half the work; S is the real side, which is the larger one. */
static void count_fft(struct opctx *c, struct tally *t)
{
    const struct dims *in = tally_input(t, c, 0), *out = tally_output(c, 0);
    const struct dims *s = c->arg < 0 && dims_elements(out) > dims_elements(in) ? out : in;
    uint32_t n = (uint32_t)(c->arg < 0 ? clamp_neg(c->arg) : c->arg);

    tally_need(t, in);
    tally_need(t, out);
    tally_each(t, 5, s);
    tally_times(t, log2_milli(t, s, n));
    tally_divide(t, c->arg < 0 ? 2000 : 1000);
}

/* Axes are input 2, the lengths along them input 1 (arg < 0: of the real side). */
static void count_fft_nd(struct opctx *c, struct tally *t)
{
    const struct dims *s = tally_input(t, c, 0);
    const struct value *lengths = in_const(c, 1), *axes = in_const(c, 2);
    uint32_t at;

    if (!s || !lengths || !axes || lengths->n != axes->n) {
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
        return;
    }
    for (uint32_t i = 0; i < axes->n; i++)
        if (ctx_axis(c, axes->v[i], s->rank, &at))
            s = dims_replace(c->keep, s, at, lengths->v[i]);
    tally_each(t, 5, s);
    tally_times(t, log2_milli(t, ctx_new(c, axes->n, lengths->v), axes->n));
    tally_divide(t, c->arg < 0 ? 2000 : 1000);
}

const struct count_rule count_rules_matrix[] = {
    {"SparseMatMul _MklMatMul", "2 * k * N(out)", count_mat_mul, 0},
    {"_FusedMatMul _MklFusedMatMul _MklNativeFusedMatMul", "2 * k * N(out) + fused steps",
     count_mat_mul,
     1},
    {"QuantizedMatMul QuantizedMatMulWithBias QuantizedMatMulWithBiasAndRelu "
     "QuantizedMatMulWithBiasAndReluAndRequantize QuantizedMatMulWithBiasAndRequantize "
     "QuantizedMatMulWithBiasAndDequantize _QuantizedMatMul",
     "2 * k * N(out) + N(out) a step", count_mat_mul, 2},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3 _MklBatchMatMul _MklBatchMatMulV2", "2 * k * N(out)",
     count_batch_mat_mul, 0},
    {"_MklFusedBatchMatMulV2", "2 * k * N(out) + fused steps", count_batch_mat_mul, 1},
    {"XlaDot XlaDotV2", "2 * N(out) * contracted sizes", count_dot, 0},
    {"SparseTensorDenseMatMul", "2 * nonzeros * n", count_sparse_dense, 0},
    {"TridiagonalMatMul", "5 * N(out)", count_each_output, 5},
    {"Cross", "3 * N(out)", count_each_output, 3},
    {"UniformQuantizedDot UniformQuantizedDotHybrid", "2 * k * N(out)", count_quantized_dot, 0},
    {"Einsum XlaEinsum _MklEinsum", "2 * all label sizes (1 * when none is contracted)",
     count_einsum, 0},

    {"Cholesky BatchCholesky", "n^3 / 3", count_cubic, 1},
    {"CholeskyGrad BatchCholeskyGrad MatrixInverse BatchMatrixInverse", "2 * n^3", count_cubic, 0},
    {"Lu", "2 * n^3 / 3", count_cubic, 2},
    {"MatrixDeterminant LogMatrixDeterminant BatchMatrixDeterminant", "2 * n^3 / 3 + n",
     count_cubic, 3},
    {"MatrixSolve BatchMatrixSolve", "2 * n^3 / 3 + 2 * n^2 * k", count_solve, 2},
    {"MatrixTriangularSolve BatchMatrixTriangularSolve", "n^2 * k", count_solve, 1},
    {"BandedTriangularSolve", "2 * bands * n * k", count_banded_solve, 2},
    {"TridiagonalSolve", "8 * n * k", count_banded_solve, 8},
    {"MatrixSolveLs BatchMatrixSolveLs", "m * n^2 + n^3 / 3 + 2 * m * n * k", count_least_squares,
     0},
    {"Qr", "4 * m * n^2 - 4 * n^3 / 3", count_qr, 0},
    {"Svd BatchSvd", "14 * m * n^2 + 8 * n^3 (values only: 4 * m * n^2 - 4 * n^3 / 3)", count_svd,
     0},
    {"SelfAdjointEigV2 BatchSelfAdjointEigV2", "9 * n^3 (values only: 4 * n^3 / 3)", count_eigen,
     0},
    {"SelfAdjointEig BatchSelfAdjointEig", "9 * n^3", count_eigen, 2},
    {"Eig", "25 * n^3 (values only: 10 * n^3)", count_eigen, 1},

    {"FFT IFFT BatchFFT BatchIFFT", "5 * N * log2(n)", count_fft, 1},
    {"FFT2D IFFT2D BatchFFT2D BatchIFFT2D", "5 * N * log2(n)", count_fft, 2},
    {"FFT3D IFFT3D BatchFFT3D BatchIFFT3D", "5 * N * log2(n)", count_fft, 3},
    {"RFFT IRFFT", "5 * N * log2(n) / 2", count_fft, -1},
    {"RFFT2D IRFFT2D", "5 * N * log2(n) / 2", count_fft, -2},
    {"RFFT3D IRFFT3D", "5 * N * log2(n) / 2", count_fft, -3},
    {"FFTND IFFTND", "5 * N * log2(n)", count_fft_nd, 1},
    {"RFFTND IRFFTND", "5 * N * log2(n) / 2", count_fft_nd, -1},
    {0},
};
