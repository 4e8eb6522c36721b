/* wire_in.c: walking the fields of a binary message where it stands. */
#include "load/wire_in.h"

enum { WIRE_GROUP_BEGIN = 3, WIRE_GROUP_END = 4, LARGEST_FIELD_NUMBER = (1 << 29) - 1 };

bool wire_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    uint64_t v = 0;

    for (unsigned shift = 0; p < end && shift < 70; shift += 7) {
        v |= (uint64_t)(*p & 0x7f) << shift;
        if (*p++ < 0x80) {
            *value = v;
            *at = p;
            return true;
        }
    }
    return false;
}

static bool read_fixed(const uint8_t **at, const uint8_t *end, size_t n_bytes, uint64_t *value)
{
    *value = 0;
    if ((size_t)(end - *at) < n_bytes)
        return false;
    for (size_t i = 0; i < n_bytes; i++)
        *value |= (uint64_t)(*at)[i] << 8 * i;
    *at += n_bytes;
    return true;
}

static bool read_value(const uint8_t **at, const uint8_t *end, enum wire_type type,
                       uint64_t *value)
{
    switch (type) {
    case WIRE_VARINT:
        return wire_varint(at, end, value);
    case WIRE_I64:
        return read_fixed(at, end, 8, value);
    case WIRE_I32:
        return read_fixed(at, end, 4, value);
    default:
        return false;
    }
}

static bool read_len(const uint8_t **at, const uint8_t *end, struct wire_field *field)
{
    uint64_t len;

    if (!wire_varint(at, end, &len) || len > (uint64_t)(end - *at))
        return false;
    field->bytes = *at;
    field->len = (size_t)len;
    *at += len;
    return true;
}

/* Passes over a group with all inside; *AT stands behind its first tag. */
static bool skip_group(const uint8_t **at, const uint8_t *end)
{
    struct wire_field ignored;
    uint64_t tag;

    for (uint64_t depth = 1; depth;) {
        if (!wire_varint(at, end, &tag))
            return false;
        switch (tag & 7) {
        case WIRE_GROUP_BEGIN:
            depth++;
            break;
        case WIRE_GROUP_END:
            depth--;
            break;
        case WIRE_LEN:
            if (!read_len(at, end, &ignored))
                return false;
            break;
        default:
            if (!read_value(at, end, (enum wire_type)(tag & 7), &ignored.value))
                return false;
        }
    }
    return true;
}

bool wire_next(struct wire_in *in, struct wire_field *field)
{
    const uint8_t *at = in->at;
    uint64_t tag;

    while (at < in->end) {
        in->at = at;
        if (!wire_varint(&at, in->end, &tag) || tag >> 3 == 0 || tag >> 3 > LARGEST_FIELD_NUMBER)
            return false;
        if ((tag & 7) == WIRE_GROUP_BEGIN) {
            if (!skip_group(&at, in->end))
                return false;
            continue;
        }
        field->number = (uint32_t)(tag >> 3);
        field->type = (enum wire_type)(tag & 7);
        field->bytes = NULL;
        field->len = 0;
        field->value = 0;
        if (field->type == WIRE_LEN ? !read_len(&at, in->end, field)
                                    : !read_value(&at, in->end, field->type, &field->value))
            return false;
        in->at = at;
        return true;
    }
    in->at = at;
    return false;
}

bool wire_number(const struct wire_field *field, enum wire_type type, const uint8_t **at,
                 uint64_t *value)
{
    if (field->type != WIRE_LEN) {
        if (field->type != type || *at)
            return false;
        *at = (const uint8_t *)field; /* any mark that the one value is used */
        *value = field->value;
        return true;
    }
    if (!*at)
        *at = field->bytes;
    return read_value(at, field->bytes + field->len, type, value);
}
