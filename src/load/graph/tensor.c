/* tensor.c: decodes shapes and values of TensorProto. */
#include "load/graph/tensor.h"

#include "base/vec.h"

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
    enum { FEW = 8 }; /* most shapes have fewer dimensions and need no heap memory */
    struct attr_shape shape = {0};
    struct wire_field field;
    int64_t few[FEW];
    size_t n = 0;
    VEC(int64_t) dims = {0};

    while (wire_next(&message, &field)) {
        if (field.number == SHAPE_DIM && field.type == WIRE_LEN) {
            const int64_t dim = decode_dim(wire_in_field(&field));

            if (n == FEW)
                for (size_t i = 0; i < FEW; i++)
                    vec_push(&dims, few[i]);
            if (n < FEW)
                few[n] = dim;
            else
                vec_push(&dims, dim);
            n++;
        } else if (field.number == SHAPE_UNKNOWN_RANK && field.type == WIRE_VARINT)
            shape.unknown_rank = field.value != 0;
    }
    if (!shape.unknown_rank && n > 0 && n <= UINT32_MAX) {
        shape.dims = arena_copy(arena, n <= FEW ? few : dims.data, n, sizeof *few);
        shape.n_dims = (uint32_t)n;
    }
    vec_done(&dims);
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

/* The last tensor_content of the message; empty when there is none. */
static struct wire_field find_content(struct wire_in message)
{
    struct wire_field content = {0};
    struct wire_field field;

    while (wire_next_len(&message, &field, TENSOR_CONTENT))
        content = field;
    return content;
}

/* Decodes at most MAX consecutive elements in BYTES. */
static size_t load_packed(const struct dtype *type, const uint8_t *bytes, size_t len, uint64_t *out,
                          size_t max)
{
    size_t n = 0;

    for (; n < max && n < len / type->size_bytes; n++)
        out[n] = dtype_load(type, bytes + n * type->size_bytes);
    return n;
}

/* Decodes at most MAX elements of TYPE's own field. */
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

/* Fills the N elements of OUT; missing ones repeat the last element. */
static void fill_bits(const struct dtype *type, struct wire_in message,
                      const struct wire_field *content, uint64_t *out, size_t n)
{
    size_t have;

    if (content->len) {
        load_packed(type, content->bytes, content->len, out, n);
        return;
    }
    have = load_typed(type, message, out, n);
    for (size_t i = have; i < n; i++)
        out[i] = have ? out[have - 1] : 0;
}

struct tensor_bits tensor_bits(const struct attr_tensor *t, const struct dtype *type, size_t max,
                               struct arena *arena)
{
    struct wire_in message = wire_in_of(t->message, t->len_bytes);
    const struct wire_field content = find_content(message);
    struct tensor_bits bits = {.n_all = tensor_elements(&t->shape)};

    if (content.len && bits.n_all > 0 &&
        (content.len % type->size_bytes ||
         (uint64_t)bits.n_all != content.len / type->size_bytes))
        bits.n_all = -1;
    if (bits.n_all <= 0)
        return bits;
    bits.n = (uint64_t)bits.n_all < max ? (size_t)bits.n_all : max;
    bits.v = ARENA_NEW(arena, uint64_t, bits.n);
    fill_bits(type, message, &content, bits.v, bits.n);
    return bits;
}

struct attr_int64s tensor_int64s(const struct attr_tensor *t, size_t max, struct arena *arena)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct tensor_bits bits;

    if (!type || (type->kind != DTYPE_SIGNED && type->kind != DTYPE_UNSIGNED))
        return (struct attr_int64s){.n_all = -1};
    bits = tensor_bits(t, type, max, arena);
    for (size_t i = 0; i < bits.n; i++)
        bits.v[i] = (uint64_t)dtype_int64(type, bits.v[i]);
    /* C allows int64_t to alias uint64_t. */
    return (struct attr_int64s){bits.n_all, bits.n, (const int64_t *)bits.v};
}

struct attr_doubles tensor_doubles(const struct attr_tensor *t, size_t max, struct arena *arena)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct tensor_bits bits;
    double *v;

    if (!type || type->kind == DTYPE_OTHER || type->kind == DTYPE_COMPLEX)
        return (struct attr_doubles){.n_all = -1};
    bits = tensor_bits(t, type, max, arena);
    v = ARENA_NEW(arena, double, bits.n);
    for (size_t i = 0; i < bits.n; i++)
        v[i] = dtype_double(type, bits.v[i]);
    return (struct attr_doubles){bits.n_all, bits.n, v};
}

/* N_ALL lengths, then the bytes of all strings; sets OUT to the first N. */
static bool split_content(const struct wire_field *content, uint64_t n_all, struct attr_bytes *out,
                          size_t n)
{
    const uint8_t *at = content->bytes, *end = content->bytes + content->len;
    uint64_t len, sum = 0;

    for (uint64_t i = 0; i < n_all; i++) {
        if (!wire_read_varint(&at, end, &len) || len > content->len - sum)
            return false;
        if (i < n)
            out[i].len = (size_t)len;
        sum += len;
    }
    if (sum > (uint64_t)(end - at))
        return false;
    for (size_t i = 0; i < n; i++) {
        out[i].bytes = (const char *)at;
        at += out[i].len;
    }
    return true;
}

/* N strings of field string_val; missing ones repeat the last string. */
static void load_strings(struct wire_in message, struct attr_bytes *out, size_t n)
{
    struct wire_field field;
    size_t have = 0;

    while (have < n && wire_next(&message, &field))
        if (field.number == STRING_VAL && field.type == WIRE_LEN)
            out[have++] = (struct attr_bytes){(const char *)field.bytes, field.len};
    for (size_t i = have; i < n; i++)
        out[i] = have ? out[have - 1] : (struct attr_bytes){"", 0};
}

struct attr_strings tensor_strings(const struct attr_tensor *t, size_t max, struct arena *arena)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct wire_in message = wire_in_of(t->message, t->len_bytes);
    const struct wire_field content = find_content(message);
    struct attr_strings strings = {.n_all = tensor_elements(&t->shape)};
    struct attr_bytes *v;

    /* Each length takes at least one byte. */
    if (strings.n_all < 0 || !type || type->field != STRING_VAL ||
        (content.len && (uint64_t)strings.n_all > content.len))
        return (struct attr_strings){.n_all = -1};
    strings.n = (uint64_t)strings.n_all < max ? (size_t)strings.n_all : max;
    strings.v = v = ARENA_NEW(arena, struct attr_bytes, strings.n);
    if (!content.len)
        load_strings(message, v, strings.n);
    else if (!split_content(&content, (uint64_t)strings.n_all, v, strings.n))
        return (struct attr_strings){.n_all = -1};
    return strings;
}
