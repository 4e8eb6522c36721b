/* varint.h: numbers of variable length that this program packs itself: seven bits a byte, the lowest first. */
#pragma once

#include <stdint.h>

enum { VARINT_MAX_BYTES = 10 };

/* Maps small negative and positive numbers to small unsigned ones. */
static inline uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t from_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* Writes VALUE, at most VARINT_MAX_BYTES, and returns what follows. */
static inline uint8_t *varint_put(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* Reads a number and moves AT past it.  Needs no bounds check, because varint_put() wrote it. */
static inline uint64_t varint_get(const uint8_t **at)
{
    const uint8_t *from = *at;
    uint64_t value = *from & 0x7f;

    for (unsigned shift = 7; *from++ & 0x80; shift += 7)
        value |= (uint64_t)(*from & 0x7f) << shift;
    *at = from;
    return value;
}
