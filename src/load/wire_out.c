/* wire_out.c: writing the protobuf wire format. */
#include "load/wire_out.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { LONGEST_VARINT_BYTES = 10 };

void wire_out_done(struct wire_out *out)
{
    free(out->data);
    memset(out, 0, sizeof *out);
}

uint8_t *wire_out_reserve(struct wire_out *out, size_t count)
{
    if (out->capacity - out->n < count)
        out->data = vec_grow(out->data, &out->capacity, out->n + count, 1);
    return out->data + out->n;
}

static size_t put_varint(uint8_t *to, uint64_t value)
{
    size_t n = 0;

    while (value >= 0x80) {
        to[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    to[n++] = (uint8_t)value;
    return n;
}

void wire_out_varint(struct wire_out *out, uint64_t value)
{
    out->n += put_varint(wire_out_reserve(out, LONGEST_VARINT_BYTES), value);
}

void wire_out_tag(struct wire_out *out, uint32_t field, enum wire_type type)
{
    wire_out_varint(out, (uint64_t)field << 3 | type);
}

static void put_fixed(struct wire_out *out, uint64_t bits, size_t n_bytes)
{
    uint8_t *to = wire_out_reserve(out, n_bytes);

    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (uint8_t)(bits >> 8 * i);
    out->n += n_bytes;
}

enum wire_type wire_type_of(ProtobufCType type)
{
    static const uint8_t types[] = {
        [PROTOBUF_C_TYPE_SFIXED32] = WIRE_I32, [PROTOBUF_C_TYPE_FIXED32] = WIRE_I32,
        [PROTOBUF_C_TYPE_FLOAT] = WIRE_I32,    [PROTOBUF_C_TYPE_SFIXED64] = WIRE_I64,
        [PROTOBUF_C_TYPE_FIXED64] = WIRE_I64,  [PROTOBUF_C_TYPE_DOUBLE] = WIRE_I64,
        [PROTOBUF_C_TYPE_STRING] = WIRE_LEN,   [PROTOBUF_C_TYPE_BYTES] = WIRE_LEN,
        [PROTOBUF_C_TYPE_MESSAGE] = WIRE_LEN,
    };

    return (enum wire_type)types[type];
}

void wire_out_scalar(struct wire_out *out, ProtobufCType type, uint64_t bits)
{
    switch (wire_type_of(type)) {
    case WIRE_I32:
        put_fixed(out, bits, 4);
        break;
    case WIRE_I64:
        put_fixed(out, bits, 8);
        break;
    default:
        if (type == PROTOBUF_C_TYPE_SINT32 || type == PROTOBUF_C_TYPE_SINT64)
            bits = bits << 1 ^ (bits >> 63 ? UINT64_MAX : 0);
        wire_out_varint(out, bits);
    }
}

size_t wire_out_begin(struct wire_out *out)
{
    *wire_out_reserve(out, 1) = 0;
    return out->n++;
}

bool wire_out_end(struct wire_out *out, size_t begin)
{
    const size_t len = out->n - begin - 1;
    uint8_t varint[LONGEST_VARINT_BYTES];
    size_t n;

    if (len > INT_MAX)
        return false;
    n = put_varint(varint, len);
    if (n > 1) {
        wire_out_reserve(out, n - 1);
        memmove(out->data + begin + n, out->data + begin + 1, len);
        out->n += n - 1;
    }
    memcpy(out->data + begin, varint, n);
    return true;
}
