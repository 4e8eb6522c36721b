/* onnx_values.c: producers and declared types of values in an ONNX graph. */

#include "load/onnx/onnx.h"

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
    while (wire_next(&in, &f)) {
        if (f.number != DIMENSION || f.type != WIRE_LEN)
            continue;
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
