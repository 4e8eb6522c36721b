/* onnx_values.c: tensors, producers and declared types of values in an ONNX graph
 * (formats-onnx.md section 2). */
#include "load/onnx/onnx.h"

#include <string.h>
#include <sys/stat.h>

#include "base/satmath.h"

static strid value_id(struct onnx *x, struct span name)
{
    const strid id = intern_put(&x->values, name.bytes, name.len);

    vec_resize_zero(&x->value_of, x->values.n);
    return id;
}

void onnx_bind(struct onnx *x, struct span name, strid node, int32_t output)
{
    const strid id = value_id(x, name);
    const struct onnx_value value = {.name = id, .depth = (uint32_t)x->frames.n,
                                     .shadowed = x->value_of.data[id], .node = node,
                                     .output = output};

    vec_push(&x->bound, value);
    x->value_of.data[id] = (uint32_t)x->bound.n;
}

static struct onnx_value *seen_from(struct onnx *x, struct span name, uint32_t depth)
{
    const strid id = intern_find(&x->values, name.bytes, name.len);
    const uint32_t at = id == STRID_NONE || id >= x->value_of.n ? 0 : x->value_of.data[id];

    return at && x->bound.data[at - 1].depth >= depth ? &x->bound.data[at - 1] : NULL;
}

struct onnx_value *onnx_lookup(struct onnx *x, struct span name)
{
    return seen_from(x, name, x->frames.data[x->frames.n - 1].seen_from);
}

struct onnx_value *onnx_lookup_own(struct onnx *x, struct span name)
{
    return seen_from(x, name, (uint32_t)x->frames.n);
}

void onnx_unbind(struct onnx *x)
{
    const size_t first = x->frames.data[x->frames.n - 1].first_value;

    while (x->bound.n > first) {
        const struct onnx_value *value = &x->bound.data[--x->bound.n];

        x->value_of.data[value->name] = value->shadowed;
    }
}

/* ---- declared types */

enum { INFO_NAME = 1, INFO_TYPE = 2, TENSOR_TYPE = 1, SPARSE_TENSOR_TYPE = 8 };
enum { ELEMENT = 1, SHAPE = 2, DIMENSION = 1, DIM_VALUE = 1, DIM_NAME = 2 };

static bool is_batch(struct onnx *x, struct span name)
{
    const strid id = intern_find(&x->values, name.bytes, name.len);

    for (size_t i = 0; id != STRID_NONE && i < x->batch_dims.n; i++)
        if (x->batch_dims.data[i] == id)
            return true;
    return false;
}

/* Decodes a dimension.  *SIZE is -1 when unknown; *NAME is then its symbolic name. */
static bool read_dim(const struct loader *l, struct span message, int64_t *size, struct span *name,
                     struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    *size = -1;
    *name = (struct span){message.bytes, 0};
    while (wire_next(&in, &f)) {
        if (f.number == DIM_VALUE && f.type == WIRE_VARINT) {
            *size = (int64_t)f.value < 0 ? -1 : (int64_t)f.value;
            name->len = 0;
        } else if (f.number == DIM_NAME && f.type == WIRE_LEN) {
            *name = field_span(&f);
            *size = -1;
        }
    }
    return load_ended(l, &in, "dimension", err);
}

/* Appends a dimension such as those of "[batch,3,?]". */
static void put_dim(struct strbuf *sb, int64_t size, struct span name)
{
    sb_addc(sb, sb->len ? ',' : '[');
    if (size >= 0)
        sb_add_int(sb, size);
    else if (name.len)
        sb_add(sb, name.bytes, name.len);
    else
        sb_addc(sb, '?');
}

/* Decodes INFO->shape_message; the dims are left in x->dims and x->dims_text. */
static bool read_shape(struct onnx *x, struct onnx_info *info, struct err *err)
{
    struct wire_in in = span_walk(info->shape_message);
    struct wire_field f;
    struct span name;
    int64_t size;

    x->dims.n = 0;
    sb_clear(&x->dims_text);
    while (wire_next_len(&in, &f, DIMENSION)) {
        if (!read_dim(x->l, field_span(&f), &size, &name, err))
            return false;
        put_dim(&x->dims_text, size, name);
        if (!x->dims.n)
            info->first_dim = name;
        if (name.len && x->dims.n < 64 && is_batch(x, name))
            info->batch_dims |= (uint64_t)1 << x->dims.n;
        vec_push(&x->dims, size);
    }
    sb_adds(&x->dims_text, x->dims.n ? "]" : "[]");
    info->shape = x->dims.n ? builder_shape(x->b, x->dims.data, x->dims.n) : SHAPE_SCALAR;
    return load_ended(x->l, &in, "shape", err);
}

bool onnx_info_read(struct onnx *x, struct span message, struct onnx_info *info, struct err *err)
{
    static const struct field_spec fields[] = {
        {INFO_NAME, FIELD_NAME, offsetof(struct onnx_info, name)},
        {INFO_TYPE, FIELD_SPAN, offsetof(struct onnx_info, type_message)}, {0}};
    static const struct field_spec type_fields[] = {
        {TENSOR_TYPE, FIELD_SPAN, offsetof(struct onnx_info, tensor_type)},
        {SPARSE_TENSOR_TYPE, FIELD_SPAN, offsetof(struct onnx_info, tensor_type)}, {0}};
    static const struct field_spec tensor_fields[] = {
        {ELEMENT, FIELD_NUMBER, offsetof(struct onnx_info, type)},
        {SHAPE, FIELD_SPAN, offsetof(struct onnx_info, shape_message)}, {0}};

    *info = (struct onnx_info){.name = {message.bytes, 0}};
    sb_clear(&x->dims_text);
    sb_addc(&x->dims_text, '?');
    return load_fields(x->l, message, "value", fields, info, err) &&
           load_fields(x->l, info->type_message, "type", type_fields, info, err) &&
           load_fields(x->l, info->tensor_type, "type of a tensor", tensor_fields, info, err) &&
           (!info->shape_message.bytes || read_shape(x, info, err));
}

bool onnx_note_batch(struct onnx *x, struct span message, struct err *err)
{
    enum { MAX_NAMES = 64 }; /* each name is compared with every dimension */
    struct onnx_info info;

    if (!onnx_info_read(x, message, &info, err))
        return false;
    if (info.first_dim.len && x->batch_dims.n < MAX_NAMES && !is_batch(x, info.first_dim))
        vec_push(&x->batch_dims, value_id(x, info.first_dim));
    return true;
}

const struct element_type onnx_types[ONNX_TYPE_COUNT] = {
    [0] = {"undefined", 0, 0},
    [1] = {"f32", 32, 1},
    [2] = {"u8", 8, 4},
    [3] = {"i8", 8, 6},
    [4] = {"u16", 16, 17},
    [5] = {"i16", 16, 5},
    [6] = {"i32", 32, 3},
    [ONNX_INT64] = {"i64", 64, 9},
    [ONNX_STRING] = {"string", 0, 7},
    [ONNX_BOOL] = {"bool", 8, 10},
    [10] = {"f16", 16, 19},
    [11] = {"f64", 64, 2},
    [12] = {"u32", 32, 22},
    [13] = {"u64", 64, 23},
    [14] = {"c64", 64, 8},
    [15] = {"c128", 128, 18},
    [16] = {"bf16", 16, 14},
    [17] = {"f8_e4m3fn", 8, 0},
    [18] = {"f8_e4m3fnuz", 8, 0},
    [19] = {"f8_e5m2", 8, 0},
    [20] = {"f8_e5m2fnuz", 8, 0},
    [21] = {"u4", 4, 0},
    [22] = {"i4", 4, 0},
    [23] = {"f4_e2m1", 4, 0},
    [24] = {"f8_e8m0", 8, 0},
    [25] = {"u2", 2, 0},
    [26] = {"i2", 2, 0},
};

void onnx_pair(struct span message, struct span *key, struct span *value)
{
    *key = span_part(message, 1);
    *value = span_part(message, 2);
}

static void read_external(struct onnx_tensor *t, struct span entry)
{
    struct span key, value;

    onnx_pair(entry, &key, &value);
    t->is_external = true;
    if (span_is(key, "location"))
        t->location = value;
}

bool onnx_tensor_read(const struct loader *l, struct span message, struct onnx_tensor *t,
                      struct err *err)
{
    enum { DIMS = 1, TYPE = 2, STRING_DATA = 6, NAME = 8, EXTERNAL = 13 };
    static const struct field_spec fields[] = {
        {TYPE, FIELD_NUMBER, offsetof(struct onnx_tensor, type)},
        {NAME, FIELD_NAME, offsetof(struct onnx_tensor, name)}, {0}};

    t->dims.n = 0;
    *t = (struct onnx_tensor){.name = {message.bytes, 0}, .dims = t->dims};
    if (!load_fields(l, message, "tensor", fields, t, err))
        return false;
    wire_each(f, span_walk(message)) {
        if (f.number == DIMS && !load_numbers(l, &f, &t->dims, err))
            return false;
        if (f.number == STRING_DATA && f.type == WIRE_LEN)
            t->string_bytes = clamp_add(t->string_bytes, (int64_t)f.len);
        else if (f.number == EXTERNAL && f.type == WIRE_LEN)
            read_external(t, field_span(&f));
    }
    return true;
}

bool onnx_tensor_is_constant(const struct onnx_tensor *t)
{
    return (t->type == ONNX_INT64 || t->type == ONNX_STRING || t->type == ONNX_BOOL) &&
           t->dims.n <= 1;
}

/* External data are not read; missing files are counted for a note. */
static void look_for_file(struct onnx *x, const struct onnx_tensor *t)
{
    const char *slash = strrchr(x->l->path, '/');
    struct strbuf path = {0};
    struct stat st;

    if (!t->is_external || !t->location.bytes || memchr(t->location.bytes, 0, t->location.len))
        return;
    sb_add(&path, x->l->path, slash ? (size_t)(slash + 1 - x->l->path) : 0);
    sb_add(&path, t->location.bytes, t->location.len);
    if (t->location.len && t->location.bytes[0] != '/' && !strstr(sb_text(&path), ".."))
        x->n_missing_files += stat(sb_text(&path), &st) != 0;
    sb_done(&path);
}

void onnx_tensor_set(struct onnx *x, node_id node, const struct onnx_tensor *t, bool constant)
{
    const uint8_t type = onnx_type(t->type), bits = onnx_types[type].bits;
    const int64_t n = model_elements(&x->rows, t->dims.data, t->dims.n);
    const struct model_tensor tensor = {
        .type = type,
        .shape = t->dims.n ? builder_shape(x->b, t->dims.data, t->dims.n) : SHAPE_SCALAR,
        .n_elements = n,
        .bytes = bits ? clamp_add(clamp_mul(n / 8, bits), (n % 8 * bits + 7) / 8) : t->string_bytes,
        .own_bytes = bits ? 0 : t->string_bytes,
        .is_constant = constant,
    };

    x->n_tensors++;
    look_for_file(x, t);
    model_tensor_set(&x->rows, node, &tensor);
}
