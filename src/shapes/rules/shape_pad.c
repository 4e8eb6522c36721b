/* shape_pad.c: shapes of padding, blocks, diagonals and sets of elements (shapes.md section
 * 5.5). */
#include "shapes/shape_rules.h"

/* Pads in both directions; arg -1: removes the padding. */
static void shape_pad(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t rank = s ? (int64_t)s->rank : dim_at(in_shape(c, 1), 0);
    const struct value *pads;
    int64_t d[DIMS_MAX_RANK];

    if (rank < 0 || rank > DIMS_MAX_RANK)
        return;
    pads = in_const_matrix(c, 1);
    if (!s || !pads) {
        out_set(c, 0, rank == 0 ? &dims_scalar : ctx_unknown(c, rank));
        return;
    }
    if (pads->n != 2 * s->rank) {
        opctx_fail(c, "the paddings do not fit the rank");
        return;
    }
    for (uint32_t i = 0; i < s->rank; i++) {
        const int64_t before = pads->v[2 * i], after = pads->v[2 * i + 1];

        if (before < 0 || after < 0)
            opctx_fail(c, "a padding is negative");
        d[i] = c->arg < 0 ? ctx_add(c, ctx_add(c, s->d[i], clamp_neg(before)), clamp_neg(after))
                          : ctx_add(c, ctx_add(c, s->d[i], before), after);
        if (c->failed)
            return;
    }
    out_set(c, 0, ctx_new(c, s->rank, d));
}

/* Applies BLOCK and PADS to the N spatial sizes of S.  PADS are paddings or crops, two numbers for
 * each dimension; NULL: unknown. */
static void space_batch(struct opctx *c, const struct dims *s, const int64_t *block, uint32_t n,
                        const int64_t *pads)
{
    int64_t d[DIMS_MAX_RANK], size, blocks = 1;
    bool to_batch = c->arg > 0;

    s = ctx_rank_at_least(c, s, n + 1);
    if (!s)
        return;
    for (uint32_t i = 0; i < s->rank; i++)
        d[i] = s->d[i];
    for (uint32_t i = 0; i < n; i++) {
        blocks = block ? ctx_mul(c, blocks, block[i]) : DIM_UNKNOWN;
        size = s->d[i + 1];
        if (!block || !pads)
            size = DIM_UNKNOWN;
        else if (to_batch)
            size = ctx_div(c, ctx_add(c, ctx_add(c, size, pads[2 * i]), pads[2 * i + 1]), block[i],
                           true);
        else
            size = ctx_add(c, ctx_add(c, ctx_mul(c, size, block[i]), clamp_neg(pads[2 * i])),
                           clamp_neg(pads[2 * i + 1]));
        d[i + 1] = size;
    }
    if (blocks == DIM_UNKNOWN)
        d[0] = DIM_UNKNOWN;
    else
        d[0] = to_batch ? ctx_mul(c, s->d[0], blocks) : ctx_div(c, s->d[0], blocks, true);
    if (!c->failed)
        out_set(c, 0, ctx_new(c, s->rank, d));
}

static bool all_positive(const int64_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i] <= 0)
            return false;
    return true;
}

static void shape_space_to_batch_nd(struct opctx *c)
{
    const struct value *block = in_const(c, 1);
    const struct value *pads;
    int64_t length = dims_elements(in_shape(c, 1));

    if (length < 0 || length >= DIMS_MAX_RANK)
        return;
    pads = in_const_matrix(c, 2);
    if (block && (block->n != length || !all_positive(block->v, block->n)))
        opctx_fail(c, "the block shape is not positive");
    else
        space_batch(c, in_shape(c, 0), block ? block->v : NULL, (uint32_t)length,
                    pads && pads->n == 2 * (uint32_t)length ? pads->v : NULL);
}

static void shape_space_to_batch(struct opctx *c)
{
    const int64_t size = opctx_int(c, "block_size", 0), block[] = {size, size};
    const struct value *pads = in_const_matrix(c, 1);

    if (!all_positive(block, 2))
        opctx_fail(c, "the block size is not positive");
    else
        space_batch(c, ctx_rank(c, in_shape(c, 0), 4), block, 2,
                    pads && pads->n == 4 ? pads->v : NULL);
}

static void shape_depth_space(struct opctx *c)
{
    int64_t b = opctx_int(c, "block_size", 0), d[5];
    bool vect = opctx_string_is(c, "data_format", "NHWC", "NCHW_VECT_C");
    bool first = vect || opctx_string_is(c, "data_format", "NHWC", "NCHW");
    uint32_t depth = first ? 1 : 3, row = first ? 2 : 1;
    const struct dims *s = ctx_rank(c, in_shape(c, 0), vect ? 5 : 4);

    if (b <= 0 || b > INT32_MAX)
        opctx_fail(c, "the block size is not positive");
    if (!s || c->failed)
        return;
    for (uint32_t i = 0; i < s->rank; i++)
        d[i] = s->d[i];
    for (uint32_t i = row; i < row + 2; i++)
        d[i] = c->arg > 0 ? ctx_div(c, d[i], b, true) : ctx_mul(c, d[i], b);
    d[depth] = c->arg > 0 ? ctx_mul(c, d[depth], clamp_mul(b, b))
                          : ctx_div(c, d[depth], clamp_mul(b, b), true);
    out_set(c, 0, ctx_new(c, s->rank, d));
}

/* Bytes of an element by DataType number (_REF types from 101 on); 0 when the size varies. */
static int64_t type_bytes(int64_t dtype)
{
    static const uint8_t bytes[] = {
        [1] = 4,  [2] = 8,  [3] = 4,  [4] = 1,  [5] = 2,  [6] = 1,  [8] = 8,  [9] = 8,  [10] = 1,
        [11] = 1, [12] = 1, [13] = 4, [14] = 2, [15] = 2, [16] = 2, [17] = 2, [18] = 16, [19] = 2,
        [22] = 4, [23] = 8, [24] = 1, [25] = 1,
    };

    dtype = dtype > 100 ? clamp_sub(dtype, 100) : dtype;
    return dtype > 0 && dtype < (int64_t)sizeof bytes ? bytes[dtype] : 0;
}

static void shape_bitcast(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t from = type_bytes(opctx_int(c, "T", 0)), to = type_bytes(opctx_int(c, "type", 0));

    if (!s || from == 0 || to == 0)
        return;
    if (from > to)
        s = dims_insert(c->keep, s, s->rank, quotient(from, to));
    else if (from < to && ctx_rank_at_least(c, s, 1)) {
        (void)ctx_merge_dim(c, dim_at(s, -1), quotient(to, from));
        s = dims_slice(c->keep, s, 0, -1);
    }
    out_set(c, 0, s);
}

static void shape_diag_part(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t half = s ? s->rank / 2 : 0;

    if (s && s->rank % 2 != 0)
        opctx_fail(c, "the rank is odd");
    else if (s)
        out_set(c, 0, ctx_merge(c, dims_slice(c->keep, s, 0, half),
                                dims_slice(c->keep, s, half, s->rank)));
}

static void shape_matrix_diag(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);

    if (s)
        out_set(c, 0, dims_insert(c->keep, s, s->rank, s->d[s->rank - 1]));
}

static void shape_matrix_diag_part(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);

    if (s)
        out_set(c, 0, dims_concat(c->keep, dims_slice(c->keep, s, 0, -2),
                                  ctx_vector(c, dim_min(dim_at(s, -2), dim_at(s, -1)))));
}

/* Reads the range of diagonals from input IN. */
static bool diagonals(struct opctx *c, uint32_t in, int64_t *lo, int64_t *hi)
{
    const struct value *k = in_const(c, in);

    if (!k || k->n == 0 || k->n > 2)
        return false;
    *lo = k->v[0];
    *hi = k->v[k->n - 1];
    if (*hi < *lo || *lo < -INT32_MAX || *hi > INT32_MAX) {
        opctx_fail(c, "the range of diagonals is empty");
        return false;
    }
    return true;
}

static void shape_matrix_diag_part_v2(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    int64_t lo, hi, d[2], rows, cols;

    if (!s || !diagonals(c, 1, &lo, &hi))
        return;
    rows = ctx_add(c, dim_at(s, -2), hi < 0 ? hi : 0);
    cols = ctx_add(c, dim_at(s, -1), lo > 0 ? clamp_neg(lo) : 0);
    d[0] = clamp_add(clamp_sub(hi, lo), 1);
    d[1] = dim_min(rows, cols);
    out_set(c, 0, dims_concat(c->keep, dims_slice(c->keep, s, 0, -2),
                              d[0] == 1 ? ctx_vector(c, d[1]) : ctx_new(c, 2, d)));
}

static void shape_matrix_diag_v2(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 1);
    int64_t lo, hi, given, d[2] = {DIM_UNKNOWN, DIM_UNKNOWN};
    uint32_t n_last;

    if (!s)
        return;
    if (!diagonals(c, 1, &lo, &hi)) {
        out_set(c, 0, NULL);
        return;
    }
    n_last = hi > lo ? 2 : 1;
    /* num_rows and num_cols: -1 is the smallest square or rectangle. */
    d[0] = ctx_add(c, dim_at(s, -1), hi < 0 ? clamp_neg(hi) : 0);
    d[1] = ctx_add(c, dim_at(s, -1), lo > 0 ? lo : 0);
    if (!in_const_scalar(c, 2, &given))
        d[0] = DIM_UNKNOWN;
    else if (given >= 0)
        d[0] = given;
    if (!in_const_scalar(c, 3, &given))
        d[1] = DIM_UNKNOWN;
    else if (given >= 0)
        d[1] = given;
    if (in_const_dim(c, 2) < 0 && in_const_dim(c, 3) < 0)
        d[0] = d[1] = dim_max(d[0], d[1]);
    s = dims_slice(c->keep, ctx_rank_at_least(c, s, n_last), 0, clamp_neg(n_last));
    out_set(c, 0, dims_concat(c->keep, s, ctx_new(c, 2, d)));
}

/* Input 0; its batch dimensions are refined by the diagonals (input 1).  arg: the input that
 * selects diagonals; 0: the main one. */
static void shape_matrix_set_diag(struct opctx *c)
{
    const struct dims *s = ctx_rank_at_least(c, in_shape(c, 0), 2);
    const struct dims *diagonal = ctx_rank_at_least(c, in_shape(c, 1), 1);
    int64_t lo = 0, hi = 0;
    bool known = c->arg == 0 || diagonals(c, (uint32_t)c->arg, &lo, &hi);

    if (diagonal && known)
        s = ctx_merge(c, s,
                      dims_concat(c->keep, dims_slice(c->keep, diagonal, 0, hi > lo ? -2 : -1),
                                  ctx_unknown(c, 2)));
    out_set(c, 0, s);
}

static void shape_where(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);

    out_set(c, 0, ctx_matrix(c, DIM_UNKNOWN, s ? (int64_t)s->rank : DIM_UNKNOWN));
}

static void shape_unique_v2(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *out;
    const struct value *axis = in_const(c, 1);
    int64_t length = DIM_UNKNOWN;
    uint32_t at = 0;

    out_count(c, c->arg);
    out_set(c, 2, ctx_vector(c, DIM_UNKNOWN));
    out_set(c, 1, ctx_vector(c, DIM_UNKNOWN));
    if (!s)
        return;
    out = ctx_unknown(c, s->rank);
    if (axis && axis->n == 1 && ctx_axis(c, axis->v[0], s->rank, &at)) {
        length = s->d[at];
        if (c->stronger)
            out = dims_replace(c->keep, s, at, DIM_UNKNOWN);
    } else if (axis && axis->n == 0 && s->rank == 1) {
        length = s->d[0];
    }
    out_set(c, 0, out);
    out_set(c, 1, ctx_vector(c, length));
}

static void shape_unravel_index(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);

    if (s)
        out_set(c, 0, s->rank == 0 ? in_shape(c, 1)
                                   : ctx_matrix(c, dim_at(in_shape(c, 1), 0), dims_elements(s)));
}

static void shape_fingerprint(struct opctx *c)
{
    out_set(c, 0, ctx_matrix(c, dim_at(in_shape(c, 0), 0), in_is_op(c, 1, "Const") ? 8 : DIM_UNKNOWN));
}

const struct op_rule shape_rules_pad[] = {
    {"Pad PadV2 MirrorPad", shape_pad, 1},
    {"MirrorPadGrad", shape_pad, -1},
    {"SpaceToBatchND", shape_space_to_batch_nd, 1},
    {"BatchToSpaceND", shape_space_to_batch_nd, -1},
    {"SpaceToBatch", shape_space_to_batch, 1},
    {"BatchToSpace", shape_space_to_batch, -1},
    {"SpaceToDepth", shape_depth_space, 1},
    {"DepthToSpace", shape_depth_space, -1},
    {"Bitcast", shape_bitcast, 0},
    {"DiagPart", shape_diag_part, 0},
    {"MatrixDiag BatchMatrixDiag", shape_matrix_diag, 0},
    {"MatrixDiagPart BatchMatrixDiagPart", shape_matrix_diag_part, 0},
    {"MatrixDiagV2 MatrixDiagV3", shape_matrix_diag_v2, 0},
    {"MatrixDiagPartV2 MatrixDiagPartV3", shape_matrix_diag_part_v2, 0},
    {"MatrixSetDiag BatchMatrixSetDiag", shape_matrix_set_diag, 0},
    {"MatrixSetDiagV2 MatrixSetDiagV3", shape_matrix_set_diag, 2},
    {"Where", shape_where, 0},
    {"UniqueV2", shape_unique_v2, 2}, {"UniqueWithCountsV2", shape_unique_v2, 3}, {"UnravelIndex", shape_unravel_index, 0},
    {"Fingerprint", shape_fingerprint, 0}, {0},
};
