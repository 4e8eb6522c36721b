/* slice_key.c: encodes keys of tensor slices in checkpoints; byte order is the order of values. */
#include "load/checkpoint/checkpoint_parts.h"

#include <stdbool.h>

enum { MAX_SIGNED_BYTES = 10 };

/* The number of bytes, then the number, big-endian without leading zeros. */
static void add_unsigned(struct strbuf *key, uint64_t value)
{
    unsigned n = 0;

    while (n < sizeof value && value >> 8 * n)
        n++;
    sb_addc(key, (char)n);
    while (n-- > 0)
        sb_addc(key, (char)(value >> 8 * n));
}

static void add_string(struct strbuf *key, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        sb_addc(key, text[i]);
        if (text[i] == '\0')
            sb_addc(key, '\xff');
        else if (text[i] == '\xff')
            sb_addc(key, '\0');
    }
    sb_add(key, "\0\1", 2);
}

/* True when VALUE is in -2^(bits-1) .. 2^(bits-1)-1. */
static bool fits(int64_t value, unsigned bits)
{
    const uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;

    return bits > 63 || magnitude >> (bits - 1) == 0;
}

/* The first N bits encode the length: N ones and a zero, inverted in negative numbers. */
static void add_signed(struct strbuf *key, int64_t value)
{
    const uint8_t fill = value < 0 ? 0xff : 0;
    uint8_t code[MAX_SIGNED_BYTES];
    unsigned n = 1;

    while (n < MAX_SIGNED_BYTES && !fits(value, 7 * n))
        n++;
    for (unsigned i = 0; i < n; i++) {
        const unsigned from_end = n - 1 - i;

        code[i] = (uint8_t)(from_end < sizeof value ? (uint64_t)value >> 8 * from_end : fill);
    }
    for (unsigned bit = 0; bit < n; bit++)
        code[bit / 8] = (uint8_t)(code[bit / 8] ^ 0x80 >> bit % 8);
    sb_add(key, code, n);
}

void slice_key_add(struct strbuf *key, const char *name, size_t name_len,
                   const struct slice_extent *extents, size_t n_extents)
{
    add_unsigned(key, 0);
    add_string(key, name, name_len);
    add_unsigned(key, n_extents);
    for (size_t i = 0; i < n_extents; i++) {
        add_signed(key, extents[i].start);
        add_signed(key, extents[i].length);
    }
}
