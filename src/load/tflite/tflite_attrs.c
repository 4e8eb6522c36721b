/* tflite_attrs.c: decodes attributes of TFLite operators and tensors on demand. */
#include <string.h>

#include "base/vec.h"
#include "load/tflite/tflite.h"

typedef VEC(struct attr) attr_list;

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

static void add_int(attr_list *list, const char *name, int64_t value)
{
    vec_push(list, ((struct attr){.name = {name, strlen(name)},
                                  .value = {.kind = ATTR_INT, .v.i = value}}));
}

/* Options that operation counts need: window sizes, and transposed operands. */
static void add_options(attr_list *list, struct flat *f, struct flat_table op, uint32_t code)
{
    enum { AVERAGE_POOL = 1, L2_POOL = 12, MAX_POOL = 17, BATCH_MATMUL = 126 };
    const struct flat_table options = flat_field_table(f, op, OP_OPTIONS);

    if (code == AVERAGE_POOL || code == L2_POOL || code == MAX_POOL) {
        add_int(list, "stride_w", flat_field_i32(f, options, 6, 0));
        add_int(list, "stride_h", flat_field_i32(f, options, 8, 0));
        add_int(list, "filter_width", flat_field_i32(f, options, 10, 0));
        add_int(list, "filter_height", flat_field_i32(f, options, 12, 0));
    } else if (code == BATCH_MATMUL) {
        add_int(list, "adj_x", flat_field_u8(f, options, 4, 0));
        add_int(list, "adj_y", flat_field_u8(f, options, 6, 0));
    }
}

static void add_text(attr_list *list, const char *name, struct span text)
{
    vec_push(list, ((struct attr){.name = {name, strlen(name)},
                                  .value = {.kind = ATTR_STRING,
                                            .v.s = {(const char *)text.bytes, text.len}}}));
}

static void add_tensor(attr_list *list, struct flat *f, struct flat_table tensor, struct arena *arena)
{
    enum { SCALE = 8, ZERO_POINT = 10, DIMENSION = 16, CHANNELS_MAX = 8 };
    const struct flat_table q = flat_field_table(f, tensor, TENSOR_QUANTIZATION);
    const struct flat_vector scales = flat_field_vector(f, q, SCALE, 4);
    const struct flat_vector zeros = flat_field_vector(f, q, ZERO_POINT, 8);
    const uint32_t n = scales.n < CHANNELS_MAX ? scales.n : CHANNELS_MAX;
    double *scale = ARENA_NEW(arena, double, CHANNELS_MAX);
    int64_t *zero = ARENA_NEW(arena, int64_t, CHANNELS_MAX);

    add_text(list, "tensor name", flat_field_string(f, tensor, TENSOR_NAME));
    if (!n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        scale[i] = (double)wire_float(flat_u32(f, scales.begin + (size_t)i * 4));
        zero[i] = i < zeros.n ? (int64_t)flat_u64(f, zeros.begin + (size_t)i * 8) : 0;
    }
    vec_push(list, ((struct attr){.name = {"scale", 5},
                                  .value = {.kind = ATTR_LIST, .item_kind = ATTR_FLOAT, .n_items = n,
                                            .v.list_f = scale}}));
    vec_push(list, ((struct attr){.name = {"zero_point", 10},
                                  .value = {.kind = ATTR_LIST, .item_kind = ATTR_INT, .n_items = n,
                                            .v.list_i = zero}}));
    add_int(list, "quantized_dimension", flat_field_i32(f, q, DIMENSION, 0));
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
    const struct flat_table t = table_of(&f, def.offset);
    const struct attr *attrs;
    attr_list list = {0};
    struct span custom;

    if (def.form == NODE_FORM_OWN_TENSOR)
        add_tensor(&list, &f, t, arena);
    else
        add_options(&list, &f, t, tflite_code(&f, flat_root(&f), t, &custom));
    *n = list.n;
    attrs = arena_copy(arena, list.data, list.n, sizeof *list.data);
    vec_done(&list);
    return attrs;
}
