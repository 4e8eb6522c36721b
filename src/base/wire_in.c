/* wire_in.c: reads protocol buffer fields from untrusted bytes. */
#include "base/wire_in.h"

#include <endian.h>
#include <string.h>

enum { VARINT_MAX_BYTES = 10, FIELD_MAX = (1 << 29) - 1 };

bool wire_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    uint64_t v = 0;

    for (unsigned i = 0; i < VARINT_MAX_BYTES && p < end; i++) {
        uint8_t byte = *p++;

        v |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *value = v;
            *at = p;
            return true;
        }
    }
    return false;
}

static uint32_t load_32(const uint8_t *at)
{
    uint32_t bits;

    memcpy(&bits, at, sizeof bits);
    return le32toh(bits);
}

/* The ROOM bytes at AT, fewer than eight, without a loop: the parts overlap. */
static uint64_t load_short(const uint8_t *at, size_t room)
{
    const size_t last = room - 1, middle = room / 2;

    if (room >= 4)
        return load_32(at) | (uint64_t)load_32(at + room - 4) << (8 * (room - 4));
    return room ? at[0] | (uint64_t)at[middle] << (8 * middle) | (uint64_t)at[last] << (8 * last)
                : 0;
}

struct wire_varint wire_short_varint(const uint8_t *at, const uint8_t *end)
{
    const size_t room = (size_t)(end - at);
    uint64_t bits, ends;

    if (room >= sizeof bits)
        memcpy(&bits, at, sizeof bits), bits = le64toh(bits);
    else
        bits = load_short(at, room);
    ends = ~bits & UINT64_C(0x8080808080808080); /* bit 7 is clear in the last byte */
    if (!ends || (size_t)__builtin_ctzll(ends) / 8 >= room)
        return (struct wire_varint){0};
    bits &= ends ^ (ends - 1);
    bits = (bits & UINT64_C(0x007f007f007f007f)) | (bits & UINT64_C(0x7f007f007f007f00)) >> 1;
    bits = (bits & UINT64_C(0x00003fff00003fff)) | (bits & UINT64_C(0x3fff00003fff0000)) >> 2;
    bits = (bits & UINT64_C(0x0fffffff)) | (bits & UINT64_C(0x0fffffff00000000)) >> 4;
    return (struct wire_varint){bits, (size_t)__builtin_ctzll(ends) / 8 + 1};
}

static bool malformed(struct wire_in *in, const char *why)
{
    in->why = why;
    return false;
}

static bool read_fixed(const uint8_t **at, const uint8_t *end, enum wire_type type,
                       uint64_t *value)
{
    const size_t size = type == WIRE_I64 ? 8 : 4;

    *value = 0;
    if ((size_t)(end - *at) < size)
        return false;
    for (size_t i = size; i-- > 0;)
        *value = *value << 8 | (*at)[i];
    *at += size;
    return true;
}

/* Reads the tag and payload at *AT. Returns NULL, or the reason why they are malformed. */
static const char *read_field(const uint8_t **at, const uint8_t *end, struct wire_field *f)
{
    uint64_t tag;

    f->start = *at;
    if (!wire_read_varint(at, end, &tag))
        return "truncated or overlong field tag";
    if (tag >> 3 == 0 || tag >> 3 > FIELD_MAX)
        return "field number out of range";
    f->number = (uint32_t)(tag >> 3);
    f->type = (enum wire_type)(tag & 7);
    f->value = 0;
    switch (f->type) {
    case WIRE_VARINT:
        return wire_read_varint(at, end, &f->value) ? NULL : "truncated or overlong number";
    case WIRE_LEN:
        if (!wire_read_varint(at, end, &f->value))
            return "truncated or overlong length";
        if (f->value > (uint64_t)(end - *at))
            return "length runs past the end";
        f->bytes = *at;
        f->len = (size_t)f->value;
        *at += f->len;
        return NULL;
    case WIRE_I64:
    case WIRE_I32:
        return read_fixed(at, end, f->type, &f->value) ? NULL : "truncated fixed-size number";
    case WIRE_SGROUP:
    case WIRE_EGROUP:
        return NULL;
    default:
        return "unknown wire type";
    }
}

/* Skips to the end of the group that F began. Nested groups are counted; their field numbers are
 * not compared. */
static const char *skip_group(const uint8_t **at, const uint8_t *end)
{
    size_t open = 1;
    struct wire_field f;

    while (open) {
        const char *why = *at < end ? read_field(at, end, &f) : "group without end";

        if (why)
            return why;
        if (f.type == WIRE_SGROUP)
            open++;
        else if (f.type == WIRE_EGROUP)
            open--;
    }
    return NULL;
}

bool wire_next_any(struct wire_in *in, struct wire_field *f)
{
    for (;;) {
        const uint8_t *at = in->at;
        const char *why;

        if (at >= in->end || in->why)
            return false;
        why = read_field(&at, in->end, f);
        if (!why && f->type == WIRE_EGROUP)
            why = "end of a group that did not begin";
        if (!why && f->type == WIRE_SGROUP)
            why = skip_group(&at, in->end);
        if (why)
            return malformed(in, why);
        in->at = at;
        if (f->type != WIRE_SGROUP)
            return true;
    }
}

bool wire_next_number(const struct wire_field *f, enum wire_type type, const uint8_t **at,
                      uint64_t *value)
{
    if (f->type != WIRE_LEN) {
        if (f->type != type || *at)
            return false;
        *at = f->start; /* any pointer that is not NULL marks the value as consumed */
        *value = f->value;
        return true;
    }
    if (!*at)
        *at = f->bytes;
    if (type == WIRE_VARINT)
        return wire_read_varint(at, f->bytes + f->len, value);
    return read_fixed(at, f->bytes + f->len, type, value);
}

void wire_pieces_join(struct wire_pieces *pieces, const uint8_t *bytes, size_t len,
                      struct arena *arena)
{
    if (len > pieces->capacity - pieces->len || !pieces->capacity) {
        uint8_t *joined;

        pieces->capacity = 2 * (pieces->len + len) + 1;
        joined = ARENA_NEW(arena, uint8_t, pieces->capacity);
        memcpy(joined, pieces->bytes, pieces->len);
        pieces->bytes = joined;
    }
    memcpy((uint8_t *)pieces->bytes + pieces->len, bytes, len);
    pieces->len += len;
}

struct wire_pieces wire_submessage(struct wire_in message, uint32_t number, struct arena *arena)
{
    struct wire_pieces pieces = {0};
    struct wire_field f;

    while (wire_next(&message, &f))
        if (f.number == number && f.type == WIRE_LEN)
            wire_pieces_add(&pieces, f.bytes, f.len, arena);
    return pieces;
}
