/* byte_set.h: sets of ASCII bytes, and how a regex writes them. */
#ifndef TFPROF_BASE_BYTE_SET_H
#define TFPROF_BASE_BYTE_SET_H

#include <stdbool.h>
#include <stdint.h>

struct byte_set {
    uint64_t words[2];
};

static inline bool byte_in(const struct byte_set *s, unsigned char c)
{
    return c < 0x80 && (s->words[c / 64] >> c % 64 & 1);
}

/* Where a regex is being read. */
struct regex_reader {
    const char *at, *end;
    bool caseless; /* a letter stands for both of its forms */
};

/* Reads what one byte of a text may be: a byte, an escaped one, ".", or a class
 * in brackets; adds it to S.  R stands at it, before its end, and is moved
 * behind it.  False when it is not understood. */
bool byte_set_read(struct byte_set *s, struct regex_reader *r);

#endif
