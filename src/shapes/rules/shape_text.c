/* shape_text.c: shapes of strings, tables, parsing, ragged and sparse tensors (shapes.md sections
 * 5.18 and 5.19). */
#include "shapes/shape_rules.h"

/* Sets the three parts of a sparse tensor, from output AT on. */
static void set_sparse(struct opctx *c, uint32_t at, int64_t n, int64_t rank)
{
    out_set(c, at, ctx_matrix(c, n, rank));
    out_set(c, at + 1, ctx_vector(c, n));
    out_set(c, at + 2, ctx_vector(c, rank));
}

static void shape_sparse_concat(struct opctx *c)
{
    uint32_t parts = c->n_in / 3;
    int64_t n = 0, rank = DIM_UNKNOWN, rows;

    out_count(c, 3);
    for (uint32_t i = 0; i < parts; i++) {
        rows = dim_at(in_shape(c, i), 0);
        n = n < 0 || rows < 0 ? DIM_UNKNOWN : ctx_add(c, n, rows);
        rank = ctx_merge_dim(c, rank, dim_at(in_shape(c, 2 * parts + i), 0));
    }
    set_sparse(c, 0, n, rank);
}

static void shape_sparse_split(struct opctx *c)
{
    int64_t n = opctx_int(c, "num_split", 1), rank = dim_at(in_shape(c, 3), 0);
    uint32_t k;

    if (n < 1 || n > UINT16_MAX) {
        opctx_fail(c, "the number of pieces is not positive");
        return;
    }
    k = (uint32_t)n;
    out_count(c, 3 * k);
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = c->out_index[i] < k       ? ctx_matrix(c, DIM_UNKNOWN, rank)
                          : c->out_index[i] < 2 * k ? ctx_vector(c, DIM_UNKNOWN)
                                                    : ctx_vector(c, rank);
}

static void shape_sparse_fill_empty_rows(struct opctx *c)
{
    const struct value *shape = in_const(c, 2);

    out_count(c, 4);
    out_set(c, 0, ctx_matrix(c, DIM_UNKNOWN, dim_at(in_shape(c, 2), 0)));
    out_set(c, 1, ctx_vector(c, DIM_UNKNOWN));
    out_set(c, 2, ctx_vector(c, shape && shape->n > 0 ? shape->v[0] : DIM_UNKNOWN));
    out_set(c, 3, ctx_vector(c, dim_at(in_shape(c, 0), 0)));
}

static void shape_serialize_sparse(struct opctx *c)
{
    const struct value *shape = in_const(c, 2);

    out_set(c, 0, ctx_matrix(c, shape && shape->n > 0 ? shape->v[0] : DIM_UNKNOWN, 3));
}

/* ---- strings */

static void shape_unicode_decode(struct opctx *c)
{
    out_count(c, clamp_add(2, c->arg));
    out_set(c, 0, ctx_vector(c, ctx_add(c, dims_elements(in_shape(c, 0)), 1)));
    for (uint32_t i = 1; i < 2 + (uint32_t)c->arg; i++)
        out_set(c, i, ctx_vector(c, DIM_UNKNOWN));
}

static void shape_unicode_encode(struct opctx *c)
{
    out_set(c, 0, ctx_vector(c, ctx_add(c, dim_at(in_shape(c, 1), 0), -1)));
}

/* in0 and one more dimension: the number of elements in the bytes of input 1. */
static void shape_decode_padded_raw(struct opctx *c)
{
    int64_t n = in_const_dim(c, 1), bytes;

    if (n >= 0) {
        switch (opctx_int(c, "out_type", 0)) {
        case 2: case 9: case 23: bytes = 8; break;
        case 1: case 3: case 22: bytes = 4; break;
        case 5: case 14: case 17: case 19: bytes = 2; break;
        default: bytes = 1;
        }
        n = quotient(n, bytes);
    }
    out_set(c, 0, dims_concat(c->keep, in_shape(c, 0), ctx_vector(c, n)));
}

/* One output for each input after the records. */
static void shape_decode_csv(struct opctx *c)
{
    out_count(c, c->n_in > 0 ? c->n_in - 1 : 0);
    out_set_all(c, in_shape(c, 0));
}

static void shape_decode_proto(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0);
    int64_t n = (int64_t)opctx_n_items(c, "field_names");

    out_count(c, clamp_add(1, n));
    out_set(c, 0, dims_concat(c->keep, s, ctx_vector(c, n)));
    for (uint32_t i = 1; i < c->n_out; i++)
        c->out[i].shape = dims_concat(c->keep, s, ctx_vector(c, DIM_UNKNOWN));
}

static void shape_encode_proto(struct opctx *c)
{
    const struct dims *s = NULL;

    for (uint32_t i = 1; i < c->n_in; i++)
        s = ctx_merge(c, s, dims_slice(c->keep, in_shape(c, i), 0, -1));
    out_set(c, 0, s);
}

/* ---- parsing of examples */

/* Features of examples: the parts of the sparse tensors of RANK, one kind after the other, then
 * dense tensors of BATCH + the shape in list attribute DENSE (a leading unknown size is a further
 * dimension). */
struct features {
    int64_t n_sparse, rank;
    const struct dims *batch;
    const char *dense;
};

static int64_t n_outputs(struct opctx *c, const struct features *f)
{
    return clamp_add(clamp_mul(3, f->n_sparse), (int64_t)opctx_n_items(c, f->dense));
}

/* Sets the outputs of F, from output AT on. */
static void set_features(struct opctx *c, uint32_t at, const struct features *f)
{
    const uint32_t n = (uint32_t)f->n_sparse;
    const int64_t n_all = n_outputs(c, f);

    for (uint32_t k = 0; k < c->n_out; k++) {
        const uint32_t i = c->out_index[k] - at;

        if (c->out_index[k] < at || i >= n_all)
            continue;
        c->out[k].shape = i < n       ? ctx_matrix(c, DIM_UNKNOWN, f->rank)
                          : i < 2 * n ? ctx_vector(c, DIM_UNKNOWN)
                          : i < 3 * n ? ctx_vector(c, f->rank)
                                      : dims_concat(c->keep, f->batch,
                                                    opctx_shape_of_list(c, f->dense, i - 3 * n));
    }
}

/* Attribute NAME as a number of features; 0, after opctx_fail(), when it is out of range. */
static int64_t n_features(struct opctx *c, const char *name)
{
    int64_t n = opctx_int(c, name, 0);

    if (n >= 0 && n <= UINT16_MAX)
        return n;
    opctx_fail(c, "the number of features is out of range");
    return 0;
}

/* arg 2: the second version, with a batch of any rank and with ragged features: values, then row
 * splits. */
static void shape_parse_example(struct opctx *c)
{
    const struct dims *batch = in_shape(c, 0);
    struct features f = {n_features(c, c->arg == 2 ? "num_sparse" : "Nsparse"), 2, batch,
                         "dense_shapes"};
    int64_t n;

    if (c->arg == 2)
        f.rank = batch ? clamp_add(batch->rank, 1) : DIM_UNKNOWN;
    n = n_outputs(c, &f);
    out_count(c, clamp_add(n, clamp_mul(2, (int64_t)opctx_n_items(c, "ragged_value_types"))));
    set_features(c, 0, &f);
    for (uint32_t i = 0; i < c->n_out; i++)
        if (c->out_index[i] >= n)
            c->out[i].shape = ctx_vector(c, DIM_UNKNOWN);
}

static void shape_parse_single_example(struct opctx *c)
{
    struct features f = {n_features(c, "num_sparse"), 1, &dims_scalar, "dense_shapes"};

    out_count(c, n_outputs(c, &f));
    set_features(c, 0, &f);
}

/* The context, then the feature lists, which have one more dimension. */
static void shape_parse_sequence_example(struct opctx *c)
{
    struct features context = {n_features(c, "Ncontext_sparse"), 1, &dims_scalar,
                               "context_dense_shapes"};
    struct features lists = {n_features(c, "Nfeature_list_sparse"), 2, ctx_vector(c, DIM_UNKNOWN),
                             "feature_list_dense_shapes"};
    int64_t n = n_outputs(c, &context);

    out_count(c, clamp_add(n, n_outputs(c, &lists)));
    set_features(c, 0, &context);
    set_features(c, (uint32_t)n, &lists);
}

/* ---- tables */

static void shape_table_find(struct opctx *c)
{
    const struct dims *value = handle_shape(c, 0, 0);

    if (value)
        out_set(c, 0, dims_concat(c->keep, in_shape(c, 1), value));
}

static void shape_table_handle(struct opctx *c)
{
    const struct dims *value = opctx_attr(c, "value_shape") ? opctx_shape(c, "value_shape")
                                                            : &dims_scalar;

    out_set(c, 0, c->arg > 0 ? ctx_vector(c, c->arg) : &dims_scalar);
    out_handle(c, 0, handle_new(c, value, DIM_UNKNOWN));
}

/* One output for each type in attribute Tout. */
static void shape_python_function(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "Tout"));
}

/* ---- ragged tensors */

static void shape_ragged_to_tensor(struct opctx *c)
{
    const struct dims *s = in_as_shape(c, 0), *values = in_shape(c, 1);
    uint32_t n_splits = c->n_in > 3 ? c->n_in - 3 : 0;

    if (s || !values || values->rank == 0)
        out_set(c, 0, s && values ? ctx_rank(c, s, n_splits + values->rank) : s);
    else
        out_set(c, 0, dims_concat(c->keep, ctx_unknown(c, clamp_add(n_splits, 1)),
                                  dims_slice(c->keep, values, 1, values->rank)));
}

static void shape_ragged_to_sparse(struct opctx *c)
{
    int64_t n = opctx_int(c, "RAGGED_RANK", 0);
    const struct dims *values = in_shape(c, c->n_in > 0 ? c->n_in - 1 : 0);

    out_count(c, 3);
    set_sparse(c, 0, DIM_UNKNOWN, values ? ctx_add(c, values->rank, n < 0 ? 0 : n) : DIM_UNKNOWN);
}

static void shape_ragged_gather(struct opctx *c)
{
    int64_t n = opctx_int(c, "OUTPUT_RAGGED_RANK", 1);
    const struct dims *values = in_shape(c, c->n_in > 1 ? c->n_in - 2 : 0);

    if (n < 0 || n > UINT16_MAX)
        return;
    out_count(c, clamp_add(n, 1));
    out_set_all(c, ctx_vector(c, DIM_UNKNOWN));
    out_set(c, (uint32_t)n, dims_concat(c->keep, ctx_vector(c, DIM_UNKNOWN),
                                        dims_slice(c->keep, values, 1, DIMS_MAX_RANK)));
}

static void shape_ragged_range(struct opctx *c)
{
    int64_t n = DIM_UNKNOWN;
    bool all_scalars = true;

    out_count(c, 2);
    for (uint32_t i = 0; i < 3; i++) {
        const struct dims *s = in_shape(c, i);

        all_scalars &= s && s->rank == 0;
        if (s && s->rank == 1)
            n = ctx_merge_dim(c, n, s->d[0]);
    }
    out_set(c, 0, ctx_vector(c, ctx_add(c, all_scalars ? 1 : n, 1)));
    out_set(c, 1, ctx_vector(c, DIM_UNKNOWN));
}

/* A scalar; batched: a vector with one element for each row of the outermost splits. */
static void shape_ragged_to_variant(struct opctx *c)
{
    bool batched = opctx_bool(c, "batched_input", false);

    out_set(c, 0,
            batched ? ctx_vector(c, ctx_add(c, dim_at(in_shape(c, 0), 0), -1)) : &dims_scalar);
}

static void shape_ragged_from_variant(struct opctx *c)
{
    out_count(c, clamp_add(opctx_int(c, "output_ragged_rank", 0), 1));
}

const struct op_rule shape_rules_text[] = {
    {"UnicodeDecode", shape_unicode_decode, 0},
    {"UnicodeDecodeWithOffsets", shape_unicode_decode, 1},
    {"UnicodeEncode", shape_unicode_encode, 0},
    {"DecodePaddedRaw", shape_decode_padded_raw, 0},
    {"DecodeCSV", shape_decode_csv, 0},
    {"DecodeProtoV2", shape_decode_proto, 0}, {"EncodeProto", shape_encode_proto, 0},
    {"ParseExample", shape_parse_example, 1},
    {"ParseExampleV2", shape_parse_example, 2},
    {"ParseSingleExample", shape_parse_single_example, 0},
    {"ParseSingleSequenceExample", shape_parse_sequence_example, 0},
    {"LookupTableFind LookupTableFindV2", shape_table_find, 0},
    {"HashTable MutableHashTable MutableDenseHashTable MutableHashTableOfTensors",
     shape_table_handle, 2},
    {"HashTableV2 MutableHashTableV2 MutableDenseHashTableV2 MutableHashTableOfTensorsV2 "
     "AnonymousHashTable AnonymousMutableHashTable AnonymousMutableDenseHashTable "
     "AnonymousMutableHashTableOfTensors",
     shape_table_handle, 0},
    {"PyFunc PyFuncStateless EagerPyFunc", shape_python_function, 0},
    {"RaggedTensorToTensor", shape_ragged_to_tensor, 0},
    {"RaggedTensorToSparse", shape_ragged_to_sparse, 0},
    {"RaggedGather", shape_ragged_gather, 0},
    {"RaggedRange", shape_ragged_range, 0},
    {"RaggedTensorToVariant", shape_ragged_to_variant, 0},
    {"RaggedTensorFromVariant", shape_ragged_from_variant, 0},
    {"SparseConcat", shape_sparse_concat, 0},
    {"SparseSplit", shape_sparse_split, 0},
    {"SparseFillEmptyRows", shape_sparse_fill_empty_rows, 0},
    {"SerializeManySparse", shape_serialize_sparse, 0},
    {0},
};
