/* tensor.c: decoding literals: shapes and values of TensorProto. */
#include "load/graph/tensor.h"

#include <string.h>

#include "base/vec.h"
#include "load/graph/dtype.h"

enum { SHAPE_DIM = 2, SHAPE_UNKNOWN_RANK = 3, DIM_SIZE = 1 };
enum { TENSOR_DTYPE = 1, TENSOR_SHAPE = 2, TENSOR_CONTENT = 4, STRING_VAL = 8 };

static int64_t decode_dim(struct wire_in message)
{
    struct wire_field field;
    int64_t size = 0;

    while (wire_next(&message, &field))
        if (field.number == DIM_SIZE && field.type == WIRE_VARINT)
            size = (int64_t)field.value;
    return size < -1 ? -1 : size;
}

struct attr_shape tensor_shape_decode(struct wire_in message, struct arena *arena)
{
    struct attr_shape shape = {0};
    struct wire_in again = message;
    struct wire_field field;
    int64_t *dims;
    uint32_t n = 0;

    while (wire_next(&message, &field)) {
        if (field.number == SHAPE_DIM && field.type == WIRE_LEN)
            n++;
        else if (field.number == SHAPE_UNKNOWN_RANK && field.type == WIRE_VARINT)
            shape.unknown_rank = field.value != 0;
    }
    if (shape.unknown_rank || !n)
        return shape;
    shape.dims = dims = ARENA_NEW(arena, int64_t, n);
    while (wire_next(&again, &field))
        if (field.number == SHAPE_DIM && field.type == WIRE_LEN)
            dims[shape.n_dims++] = decode_dim(wire_in_field(&field));
    return shape;
}

struct attr_tensor tensor_decode(struct wire_in message, struct arena *arena)
{
    struct attr_tensor t = {.message = message.at, .len_bytes = (size_t)(message.end - message.at)};
    const struct wire_pieces shape = wire_submessage(message, TENSOR_SHAPE, arena);
    struct wire_field field;

    while (wire_next(&message, &field))
        if (field.number == TENSOR_DTYPE && field.type == WIRE_VARINT)
            t.dtype = (int)field.value;
    t.shape = tensor_shape_decode(wire_in_pieces(&shape), arena);
    return t;
}

int64_t tensor_elements(const struct attr_shape *shape)
{
    int64_t n = 1;
    bool is_empty = false;

    if (shape->unknown_rank)
        return -1;
    for (uint32_t i = 0; i < shape->n_dims; i++) {
        if (shape->dims[i] < 0)
            return -1;
        is_empty = is_empty || !shape->dims[i];
    }
    for (uint32_t i = 0; i < shape->n_dims && !is_empty; i++)
        if (__builtin_mul_overflow(n, shape->dims[i], &n))
            return -1;
    return is_empty ? 0 : n;
}

/* The last tensor_content of the message, empty when there is none. */
static struct wire_field find_content(struct wire_in message)
{
    struct wire_field content = {0};
    struct wire_field field;

    while (wire_next(&message, &field))
        if (field.number == TENSOR_CONTENT && field.type == WIRE_LEN)
            content = field;
    return content;
}

/* Elements that stand back to back, as many of MAX as BYTES has. */
static size_t load_packed(const struct dtype *type, const uint8_t *bytes, size_t len, uint64_t *out,
                          size_t max)
{
    size_t n = 0;

    for (; n < max && n < len / type->size_bytes; n++)
        out[n] = dtype_load(type, bytes + n * type->size_bytes);
    return n;
}

/* Elements of the typed field of TYPE, at most MAX. */
static size_t load_typed(const struct dtype *type, struct wire_in message, uint64_t *out,
                         size_t max)
{
    struct wire_field field;
    size_t n = 0;

    while (n < max && wire_next(&message, &field)) {
        const uint8_t *at = NULL;

        if (field.number != type->field)
            continue;
        if (type->wire == WIRE_LEN && field.type == WIRE_LEN)
            n = load_packed(type, field.bytes, field.len, out, max);
        else
            while (n < max && wire_next_number(&field, (enum wire_type)type->wire, &at, &out[n]))
                n++;
    }
    return n;
}

int64_t tensor_bits(const struct attr_tensor *t, const struct dtype *type, uint64_t *out,
                    size_t max)
{
    struct wire_in message = wire_in_of(t->message, t->len_bytes);
    const struct wire_field content = find_content(message);
    const int64_t n = tensor_elements(&t->shape);
    const size_t wanted = (uint64_t)n < max ? (size_t)n : max;
    size_t have;

    if (n <= 0)
        return n;
    if (content.len) {
        if (content.len % type->size_bytes || (uint64_t)n != content.len / type->size_bytes)
            return -1;
        load_packed(type, content.bytes, content.len, out, wanted);
        return n;
    }
    have = load_typed(type, message, out, wanted);
    for (size_t i = have; i < wanted; i++)
        out[i] = have ? out[have - 1] : 0;
    return n;
}

int64_t tensor_int64s(const struct attr_tensor *t, int64_t *out, size_t max)
{
    const struct dtype *type = dtype_find(t->dtype);
    int64_t n;

    if (!type || (type->kind != DTYPE_SIGNED && type->kind != DTYPE_UNSIGNED))
        return -1;
    /* Same size, and int64_t may alias uint64_t. */
    n = tensor_bits(t, type, (uint64_t *)out, max);
    for (size_t i = 0; n > 0 && i < max && i < (uint64_t)n; i++)
        out[i] = dtype_int64(type, (uint64_t)out[i]);
    return n;
}

int64_t tensor_doubles(const struct attr_tensor *t, double *out, size_t max)
{
    const struct dtype *type = dtype_find(t->dtype);
    VEC(uint64_t) bits = {0};
    int64_t n;

    if (!type || type->kind == DTYPE_OTHER || type->kind == DTYPE_COMPLEX)
        return -1;
    n = tensor_elements(&t->shape);
    if (n > 0 && (uint64_t)n < max)
        max = (size_t)n;
    if (n > 0)
        vec_resize_zero(&bits, max);
    n = tensor_bits(t, type, bits.data, max);
    for (size_t i = 0; n > 0 && i < max; i++)
        out[i] = dtype_double(type, bits.data[i]);
    vec_done(&bits);
    return n;
}

/* N lengths, then the bytes of all strings. */
static bool split_content(const struct wire_field *content, uint64_t n, struct attr_bytes *out,
                          size_t max)
{
    const uint8_t *lengths = content->bytes;
    const uint8_t *end = content->bytes + content->len;
    const uint8_t *at = lengths;
    uint64_t len;

    for (uint64_t i = 0; i < n; i++)
        if (!wire_read_varint(&at, end, &len))
            return false;
    for (uint64_t i = 0; i < n; i++) {
        wire_read_varint(&lengths, end, &len);
        if (len > (uint64_t)(end - at))
            return false;
        if (i < max)
            out[i] = (struct attr_bytes){(const char *)at, (size_t)len};
        at += len;
    }
    return true;
}

int64_t tensor_strings(const struct attr_tensor *t, struct attr_bytes *out, size_t max)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct wire_in message = wire_in_of(t->message, t->len_bytes);
    const struct wire_field content = find_content(message);
    const int64_t n = tensor_elements(&t->shape);
    struct wire_field field;
    size_t have = 0;

    if (n < 0 || !type || type->field != STRING_VAL)
        return -1;
    if (content.len)
        return split_content(&content, (uint64_t)n, out, max) ? n : -1;
    if (max > (uint64_t)n)
        max = (size_t)n;
    while (have < max && wire_next(&message, &field))
        if (field.number == type->field && field.type == WIRE_LEN)
            out[have++] = (struct attr_bytes){(const char *)field.bytes, field.len};
    for (size_t i = have; i < max; i++)
        out[i] = have ? out[have - 1] : (struct attr_bytes){"", 0};
    return n;
}
