/* text.h: a borrowed byte string with a length. */
#ifndef TFPROF_BASE_TEXT_H
#define TFPROF_BASE_TEXT_H

#include <stdint.h>
#include <string.h>

/* Not NUL-terminated. */
struct text {
    const char *bytes;
    uint32_t len;
};

/* Returns the length of the common prefix of A and B. */
static inline uint32_t text_common(struct text a, struct text b)
{
    const uint32_t min = a.len < b.len ? a.len : b.len;
    uint32_t n = 0;

    while (min - n >= 8 && memcmp(a.bytes + n, b.bytes + n, 8) == 0)
        n += 8;
    while (n < min && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

/* In the order of their bytes; a prefix is less. */
static inline int text_compare(struct text a, struct text b)
{
    const uint32_t min = a.len < b.len ? a.len : b.len;
    const int order = min ? memcmp(a.bytes, b.bytes, min) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

#endif
