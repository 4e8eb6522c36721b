/* text_order.h: byte order of strings of two profiles. */
#pragma once

#include <string.h>

#include "model/profile.h"

/* Negative, 0 or positive, as memcmp; a prefix is less than a longer string. */
static inline int text_order(const struct profile *a, strid x, const struct profile *b, strid y)
{
    const uint32_t m = intern_len(&a->strings, x), n = intern_len(&b->strings, y);
    const int order = memcmp(profile_text(a, x), profile_text(b, y), m < n ? m : n);

    return order ? order : (m > n) - (m < n);
}
