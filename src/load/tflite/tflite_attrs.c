/* tflite_attrs.c: decodes attributes of TFLite operators and tensors on demand. */

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
