/* positions.h: a regex as the places of its text and what may follow what.
 *
 * The position automaton (Glushkov 1961): every byte or class of bytes in the
 * regex is a position; a text matches when its bytes lead from a first
 * position along followers to a last one.  It needs no empty steps, and read
 * against the arrows it matches texts from their end. */
#ifndef TFPROF_BASE_POSITIONS_H
#define TFPROF_BASE_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_set.h"

enum { MOST_POSITIONS = 256, POSITION_WORDS = MOST_POSITIONS / 64 };

struct position_set {
    uint64_t words[POSITION_WORDS];
};

struct positions {
    uint32_t n;
    bool nullable; /* matches the empty text */
    struct position_set first, last, follow[MOST_POSITIONS];
    struct byte_set bytes[MOST_POSITIONS];
};

/* Analyses REGEX (LEN bytes), which pcre2 has accepted.  False when it is not
 * understood, for it holds bytes beyond ASCII, looks around or back, or is
 * large; the contents are then undefined.  No text of ASCII is matched
 * differently by pcre2. */
bool positions_init(struct positions *p, const char *regex, size_t len);
/* TO matches what FROM does, read from the end. */
void positions_reverse(struct positions *to, const struct positions *from);

static inline void position_add(struct position_set *s, uint32_t position)
{
    s->words[position / 64] |= UINT64_C(1) << position % 64;
}

static inline void position_join(struct position_set *s, const struct position_set *other)
{
    for (int i = 0; i < POSITION_WORDS; i++)
        s->words[i] |= other->words[i];
}

/* The least position of S from AT on, MOST_POSITIONS when there is none. */
static inline uint32_t position_next(const struct position_set *s, uint32_t at)
{
    for (; at < MOST_POSITIONS; at = (at / 64 + 1) * 64) {
        uint64_t rest = s->words[at / 64] >> at % 64;

        if (rest)
            return at + (uint32_t)__builtin_ctzll(rest);
    }
    return MOST_POSITIONS;
}

#endif
