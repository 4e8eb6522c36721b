/* wire_in.h: reads protocol buffer fields from untrusted bytes.
 *
 *     struct wire_in in;
 *     struct wire_field f;
 *     wire_in_init(&in, bytes, len);
 *     while (wire_next(&in, &f))
 *         ... f.number, f.type, f.value or f.bytes and f.len ...
 *     if (in.why) ... malformed at in.at - in.begin: in.why
 *
 * Rules: formats-graph.md section 1.  Nothing is copied and nothing is read
 * outside of the bytes given; groups are skipped as a whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/wire_type.h"

struct wire_in {
    const uint8_t *begin, *at, *end;
    const char *why; /* NULL, or a static string: why the field at `at` is malformed */
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t value;       /* bits of a VARINT, I64 or I32 */
    const uint8_t *bytes; /* payload of a LEN field */
    size_t len;
    const uint8_t *start; /* first byte of the tag; in.at is the end of the field */
};

static inline void wire_in_init(struct wire_in *in, const uint8_t *bytes, size_t len)
{
    *in = (struct wire_in){.begin = bytes, .at = bytes, .end = len ? bytes + len : bytes};
}

/* Slow path of wire_next(), for any field. */
bool wire_next_any(struct wire_in *in, struct wire_field *f);

/* wire_next_any() on copies: IN and F of the caller can then stay in registers. */
static inline bool wire_next_copied(struct wire_in *in, struct wire_field *f)
{
    struct wire_in walk = *in;
    struct wire_field field = {0};
    const bool found = wire_next_any(&walk, &field);

    *in = walk;
    *f = field;
    return found;
}

struct wire_varint {
    uint64_t value;
    size_t len; /* bytes read; 0: cut or longer than 8 */
};

/* Reads a varint of up to 8 bytes at AT. */
struct wire_varint wire_short_varint(const uint8_t *at, const uint8_t *end);

/* Reads the next field. Returns false at the end, and if the field is malformed: then in->why is
 * the reason and in->at its first byte. The fast path handles field numbers below 16 with a short
 * number or payload; wire_next_any() handles the rest. Always inline, so that IN and F of the caller
 * can be in registers. */
static inline __attribute__((always_inline)) bool wire_next(struct wire_in *in, struct wire_field *f)
{
    const uint8_t *at = in->at;
    size_t room = (size_t)(in->end - at);
    struct wire_varint number;
    unsigned tag, first;

    if (room < 2) {
        *f = (struct wire_field){0};
        return room && wire_next_copied(in, f);
    }
    tag = at[0];
    first = at[1];
    f->bytes = at;
    f->len = 0;
    if (tag < 8 || tag >= 0x80)
        return wire_next_copied(in, f);
    if ((tag & 7) == WIRE_LEN && first < 0x80 && first <= room - 2) {
        f->bytes = at + 2;
        f->len = f->value = first;
        in->at = at + 2 + first;
    } else if ((tag & 7) == WIRE_LEN && room >= 3 + (1u << 14) && at[2] < 0x80) {
        f->bytes = at + 3;
        f->len = f->value = (first & 0x7f) | (unsigned)at[2] << 7;
        in->at = at + 3 + f->len;
    } else if ((tag & 7) == WIRE_VARINT && first < 0x80) {
        f->value = first;
        in->at = at + 2;
    } else if ((tag & 7) == WIRE_VARINT && (number = wire_short_varint(at + 1, in->end)).len) {
        f->value = number.value;
        in->at = at + 1 + number.len;
    } else {
        return wire_next_copied(in, f);
    }
    f->number = tag >> 3;
    f->type = (enum wire_type)(tag & 7);
    f->start = at;
    return true;
}

/* Prefetches some distance ahead of F, the last field read, for loops that touch only the first
 * bytes of each element of a large message: hardware prefetchers do not predict these strides.
 * Always inline, because gcc would remove calls of a function without effects. */
static inline __attribute__((always_inline)) void wire_prefetch(const struct wire_in *in,
                                                                const struct wire_field *f)
{
    enum { AHEAD_BYTES = 2048, LINE_BYTES = 64 };
    size_t len = (size_t)(in->at - f->start), left = (size_t)(in->end - in->at);

    if (left < AHEAD_BYTES)
        return;
    if (len > AHEAD_BYTES)
        len = AHEAD_BYTES;
    for (size_t i = 0; i < len; i += LINE_BYTES)
        __builtin_prefetch(in->at - len + i + AHEAD_BYTES);
}

/* Reads a varint at *AT. Returns false if it is truncated or longer than ten bytes. */
bool wire_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value);

/* Reads the next number of a repeated field F, packed or not; TYPE is the wire type of a single
 * number.  *AT is initially NULL.  False when there are no more or F has another type.
 *
 *     const uint8_t *at = NULL;
 *     while (wire_next_number(&f, WIRE_VARINT, &at, &value)) ... value ... */
bool wire_next_number(const struct wire_field *f, enum wire_type type, const uint8_t **at,
                      uint64_t *value);

static inline struct wire_in wire_in_of(const void *bytes, size_t len)
{
    struct wire_in in;

    wire_in_init(&in, bytes, len);
    return in;
}

/* Returns a reader for the payload of a LEN field. */
static inline struct wire_in wire_in_field(const struct wire_field *f)
{
    return wire_in_of(f->bytes, f->len);
}

/* Loops over the fields F of READER, without a check for malformed ones:
 * `wire_each(f, wire_in_field(&outer))`. */
#define wire_each(f, reader)                                                                 \
    for (struct wire_in f##_in = (reader), *f##_once = &f##_in; f##_once; f##_once = NULL)  \
        for (struct wire_field f; wire_next(&f##_in, &f);)

/* As wire_next(), for the LEN fields of NUMBER. */
static inline bool wire_next_len(struct wire_in *in, struct wire_field *f, uint32_t number)
{
    while (wire_next(in, f))
        if (f->number == number && f->type == WIRE_LEN)
            return true;
    return false;
}

/* As wire_each(), for the LEN fields of NUMBER. */
#define wire_each_len(f, reader, number)                                                     \
    for (struct wire_in f##_in = (reader), *f##_once = &f##_in; f##_once; f##_once = NULL)  \
        for (struct wire_field f; wire_next_len(&f##_in, &f, number);)

/* A singular message field. It may occur in several pieces, which are merged by concatenation
 * (formats-graph.md section 1.1). A zeroed struct has no piece, and BYTES is NULL. */
struct wire_pieces {
    const uint8_t *bytes; /* the only piece in place, or a concatenation in an arena */
    size_t len;
    size_t capacity; /* 0: bytes point to the only piece */
};

/* Appends a further piece. Called by wire_pieces_add() only. */
void wire_pieces_join(struct wire_pieces *pieces, const uint8_t *bytes, size_t len,
                      struct arena *arena);
/* Adds a piece of LEN bytes. From the second piece on they are copied to ARENA, in linear time and
 * memory. */
static inline void wire_pieces_add(struct wire_pieces *pieces, const uint8_t *bytes, size_t len,
                                   struct arena *arena)
{
    if (pieces->bytes)
        wire_pieces_join(pieces, bytes, len, arena);
    else
        *pieces = (struct wire_pieces){.bytes = bytes, .len = len};
}

/* Returns the message in field NUMBER of MESSAGE, with its pieces joined in ARENA. BYTES is NULL if
 * there is no such field. */
struct wire_pieces wire_submessage(struct wire_in message, uint32_t number, struct arena *arena);

static inline struct wire_in wire_in_pieces(const struct wire_pieces *pieces)
{
    return wire_in_of(pieces->bytes, pieces->len);
}

/* Converts the bits of an I32 or I64 to a floating-point number. */
static inline float wire_float(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float f;

    __builtin_memcpy(&f, &low, sizeof f);
    return f;
}

static inline double wire_double(uint64_t bits)
{
    double d;

    __builtin_memcpy(&d, &bits, sizeof d);
    return d;
}
