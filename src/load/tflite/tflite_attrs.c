/* tflite_attrs.c: decodes attributes of TFLite operators and tensors on demand, and names
 * builtin operators. */
#include "load/graph/attrs.h"
#include "load/tflite/tflite.h"

const struct element_type tflite_types[TFLITE_TYPE_COUNT] = {
    {"f32", 32, 0}, {"f16", 16, 0}, {"i32", 32, 0}, {"u8", 8, 0}, {"i64", 64, 0}, {"string", 0, 0},
    {"bool", 8, 0}, {"i16", 16, 0}, {"c64", 64, 0}, {"i8", 8, 0}, {"f64", 64, 0}, {"c128", 128, 0},
    {"u64", 64, 0}, {"resource", 0, 0}, {"variant", 0, 0}, {"u32", 32, 0}, {"u16", 16, 0}, {"i4", 4, 0},
    {"bf16", 16, 0}, {"undefined", 0, 0}};

uint32_t tflite_code(struct flat *f, struct flat_table model, struct flat_table op,
                     struct span *custom)
{
    const struct flat_vector codes = flat_field_vector(f, model, MODEL_CODES, 4);
    const int32_t index = flat_field_i32(f, op, OP_CODE, 0);
    struct flat_table code;
    int32_t builtin;
    uint8_t old;

    *custom = (struct span){NULL, 0};
    if (index < 0 || (uint32_t)index >= codes.n) {
        flat_fail(f, op.at, "an operator has a code that is not listed");
        return 0;
    }
    code = flat_item_table(f, codes, (uint32_t)index);
    old = flat_field_u8(f, code, CODE_OLD, 0);
    builtin = flat_field_i32(f, code, CODE_BUILTIN, 0);
    *custom = flat_field_string(f, code, CODE_CUSTOM);
    return builtin > (int8_t)old ? (uint32_t)builtin : old;
}

/* Options that operation counts need: window sizes, and transposed operands. */
static void add_options(attr_list *list, struct flat *f, struct flat_table op, uint32_t code)
{
    enum { AVERAGE_POOL = 1, L2_POOL = 12, MAX_POOL = 17, BATCH_MATMUL = 126 };
    const struct flat_table options = flat_field_table(f, op, OP_OPTIONS);

    if (code == AVERAGE_POOL || code == L2_POOL || code == MAX_POOL) {
        attr_add_int(list, "stride_w", flat_field_i32(f, options, 6, 0));
        attr_add_int(list, "stride_h", flat_field_i32(f, options, 8, 0));
        attr_add_int(list, "filter_width", flat_field_i32(f, options, 10, 0));
        attr_add_int(list, "filter_height", flat_field_i32(f, options, 12, 0));
    } else if (code == BATCH_MATMUL) {
        attr_add_int(list, "adj_x", flat_field_u8(f, options, 4, 0));
        attr_add_int(list, "adj_y", flat_field_u8(f, options, 6, 0));
    }
}

/* Adds the names of the tensors in field FIELD of OP. */
static void add_names(attr_list *list, const char *name, struct flat *f, struct flat_table graph,
                      struct flat_table op, uint16_t field, struct arena *arena)
{
    const struct flat_vector tensors = flat_field_vector(f, graph, GRAPH_TENSORS, 4);
    const struct flat_vector v = flat_field_vector(f, op, field, 4);
    struct attr_bytes *names = ARENA_NEW(arena, struct attr_bytes, v.n);

    for (uint32_t i = 0; i < v.n; i++) {
        const struct span text = flat_field_string(
            f, flat_item_table(f, tensors, (uint32_t)flat_item_i32(f, v, i)), TENSOR_NAME);

        names[i] = (struct attr_bytes){(const char *)text.bytes, text.len};
    }
    attr_add(list, name, (struct attr_value){.kind = ATTR_LIST, .item_kind = v.n ? ATTR_STRING : ATTR_NONE,
                                             .n_items = v.n, .v.list_s = names});
}

static void add_tensor(attr_list *list, struct flat *f, struct flat_table tensor, struct arena *arena)
{
    enum { SCALE = 8, ZERO_POINT = 10, DIMENSION = 16, CHANNELS_MAX = 8 };
    const struct flat_table q = flat_field_table(f, tensor, TENSOR_QUANTIZATION);
    const struct flat_vector scales = flat_field_vector(f, q, SCALE, 4);
    const struct flat_vector zeros = flat_field_vector(f, q, ZERO_POINT, 8);
    const uint32_t n = scales.n < CHANNELS_MAX ? scales.n : CHANNELS_MAX;
    const struct span name = flat_field_string(f, tensor, TENSOR_NAME);
    double *scale = ARENA_NEW(arena, double, CHANNELS_MAX);
    int64_t *zero = ARENA_NEW(arena, int64_t, CHANNELS_MAX);

    attr_add_text(list, "tensor name", name.bytes, name.len);
    if (!n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        scale[i] = (double)wire_float(flat_u32(f, scales.begin + (size_t)i * 4));
        zero[i] = i < zeros.n ? (int64_t)flat_u64(f, zeros.begin + (size_t)i * 8) : 0;
    }
    attr_add(list, "scale", (struct attr_value){.kind = ATTR_LIST, .item_kind = ATTR_FLOAT, .n_items = n,
                                                .v.list_f = scale});
    attr_add(list, "zero_point", (struct attr_value){.kind = ATTR_LIST, .item_kind = ATTR_INT,
                                                     .n_items = n, .v.list_i = zero});
    attr_add_int(list, "quantized_dimension", flat_field_i32(f, q, DIMENSION, 0));
}

/* The table at position AT, which was validated while the model was read. */
static struct flat_table table_of(struct flat *f, size_t at)
{
    const int64_t vtable = (int64_t)at - (int32_t)flat_u32(f, at);
    struct flat_table t = {.at = at, .vtable = (size_t)vtable};

    if (vtable < 0 || (uint64_t)vtable >= f->bytes.len)
        return (struct flat_table){0};
    t.vtable_bytes = (uint16_t)(flat_u8(f, t.vtable) | flat_u8(f, t.vtable + 1) << 8);
    return t.vtable_bytes <= f->bytes.len - t.vtable ? t : (struct flat_table){0};
}

const struct attr *tflite_attrs_of_def(const struct profile *p, struct node_def def,
                                       struct arena *arena, size_t *n)
{
    struct flat f = {.bytes = {p->files[def.file].bytes, p->files[def.file].size_bytes}};
    const struct flat_table graph = table_of(&f, (size_t)(def.offset & UINT32_MAX));
    const bool is_tensor = def.form == NODE_FORM_OWN_TENSOR;
    const struct flat_vector items =
        flat_field_vector(&f, graph, is_tensor ? GRAPH_TENSORS : GRAPH_OPERATORS, 4);
    const struct flat_table t = flat_item_table(&f, items, (uint32_t)(def.offset >> 32));
    attr_list list = {0};
    struct span custom;

    if (is_tensor) {
        add_tensor(&list, &f, t, arena);
    } else {
        add_options(&list, &f, t, tflite_code(&f, flat_root(&f), t, &custom));
        add_names(&list, "node inputs", &f, graph, t, OP_INPUTS, arena);
        add_names(&list, "node outputs", &f, graph, t, OP_OUTPUTS, arena);
    }
    return attr_list_take(&list, arena, n);
}

static const char *const names[] = {
    "ADD", "AVERAGE_POOL_2D", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE",
    "DEQUANTIZE", "EMBEDDING_LOOKUP", "FLOOR", "FULLY_CONNECTED", "HASHTABLE_LOOKUP",
    "L2_NORMALIZATION", "L2_POOL_2D", "LOCAL_RESPONSE_NORMALIZATION", "LOGISTIC", "LSH_PROJECTION",
    "LSTM", "MAX_POOL_2D", "MUL", "RELU", "RELU_N1_TO_1", "RELU6", "RESHAPE", "RESIZE_BILINEAR",
    "RNN", "SOFTMAX", "SPACE_TO_DEPTH", "SVDF", "TANH", "CONCAT_EMBEDDINGS", "SKIP_GRAM", "CALL",
    "CUSTOM", "EMBEDDING_LOOKUP_SPARSE", "PAD", "UNIDIRECTIONAL_SEQUENCE_RNN", "GATHER",
    "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND", "TRANSPOSE", "MEAN", "SUB", "DIV", "SQUEEZE",
    "UNIDIRECTIONAL_SEQUENCE_LSTM", "STRIDED_SLICE", "BIDIRECTIONAL_SEQUENCE_RNN", "EXP", "TOPK_V2",
    "SPLIT", "LOG_SOFTMAX", "DELEGATE", "BIDIRECTIONAL_SEQUENCE_LSTM", "CAST", "PRELU", "MAXIMUM",
    "ARG_MAX", "MINIMUM", "LESS", "NEG", "PADV2", "GREATER", "GREATER_EQUAL", "LESS_EQUAL",
    "SELECT", "SLICE", "SIN", "TRANSPOSE_CONV", "SPARSE_TO_DENSE", "TILE", "EXPAND_DIMS", "EQUAL",
    "NOT_EQUAL", "LOG", "SUM", "SQRT", "RSQRT", "SHAPE", "POW", "ARG_MIN", "FAKE_QUANT",
    "REDUCE_PROD", "REDUCE_MAX", "PACK", "LOGICAL_OR", "ONE_HOT", "LOGICAL_AND", "LOGICAL_NOT",
    "UNPACK", "REDUCE_MIN", "FLOOR_DIV", "REDUCE_ANY", "SQUARE", "ZEROS_LIKE", "FILL", "FLOOR_MOD",
    "RANGE", "RESIZE_NEAREST_NEIGHBOR", "LEAKY_RELU", "SQUARED_DIFFERENCE", "MIRROR_PAD", "ABS",
    "SPLIT_V", "UNIQUE", "CEIL", "REVERSE_V2", "ADD_N", "GATHER_ND", "COS", "WHERE", "RANK", "ELU",
    "REVERSE_SEQUENCE", "MATRIX_DIAG", "QUANTIZE", "MATRIX_SET_DIAG", "ROUND", "HARD_SWISH", "IF",
    "WHILE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "SCATTER_ND", "SELECT_V2",
    "DENSIFY", "SEGMENT_SUM", "BATCH_MATMUL", "PLACEHOLDER_FOR_GREATER_OP_CODES", "CUMSUM",
    "CALL_ONCE", "BROADCAST_TO", "RFFT2D", "CONV_3D", "IMAG", "REAL", "COMPLEX_ABS", "HASHTABLE",
    "HASHTABLE_FIND", "HASHTABLE_IMPORT", "HASHTABLE_SIZE", "REDUCE_ALL", "CONV_3D_TRANSPOSE",
    "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "BROADCAST_ARGS", "RANDOM_STANDARD_NORMAL",
    "BUCKETIZE", "RANDOM_UNIFORM", "MULTINOMIAL", "GELU", "DYNAMIC_UPDATE_SLICE", "RELU_0_TO_1",
    "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_SUM", "ATAN2",
    "UNSORTED_SEGMENT_MIN", "SIGN", "BITCAST", "BITWISE_XOR", "RIGHT_SHIFT", "STABLEHLO_LOGISTIC",
    "STABLEHLO_ADD", "STABLEHLO_DIVIDE", "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM",
    "STABLEHLO_RESHAPE", "STABLEHLO_CLAMP", "STABLEHLO_CONCATENATE", "STABLEHLO_BROADCAST_IN_DIM",
    "STABLEHLO_CONVOLUTION", "STABLEHLO_SLICE", "STABLEHLO_CUSTOM_CALL", "STABLEHLO_REDUCE",
    "STABLEHLO_ABS", "STABLEHLO_AND", "STABLEHLO_COSINE", "STABLEHLO_EXPONENTIAL",
    "STABLEHLO_FLOOR", "STABLEHLO_LOG", "STABLEHLO_MINIMUM", "STABLEHLO_NEGATE", "STABLEHLO_OR",
    "STABLEHLO_POWER", "STABLEHLO_REMAINDER", "STABLEHLO_RSQRT", "STABLEHLO_SELECT",
    "STABLEHLO_SUBTRACT", "STABLEHLO_TANH", "STABLEHLO_SCATTER", "STABLEHLO_COMPARE",
    "STABLEHLO_CONVERT", "STABLEHLO_DYNAMIC_SLICE", "STABLEHLO_DYNAMIC_UPDATE_SLICE",
    "STABLEHLO_PAD", "STABLEHLO_IOTA", "STABLEHLO_DOT_GENERAL", "STABLEHLO_REDUCE_WINDOW",
    "STABLEHLO_SORT", "STABLEHLO_WHILE", "STABLEHLO_GATHER", "STABLEHLO_TRANSPOSE", "DILATE",
    "STABLEHLO_RNG_BIT_GENERATOR", "REDUCE_WINDOW", "STABLEHLO_COMPOSITE", "STABLEHLO_SHIFT_LEFT",
    "STABLEHLO_CBRT",
};

const char *tflite_builtin_name(uint32_t code)
{
    return code < sizeof names / sizeof *names ? names[code] : NULL;
}
