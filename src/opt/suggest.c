/* suggest.c: "did you mean": edit distance with transpositions, for words of up to 64 bytes. */
#include "opt/suggest.h"

#include <string.h>

enum { WORD_MAX = 64 };

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and
 * transpositions of neighbours, on three rolling rows. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[3][WORD_MAX + 1];

    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t d = last[j - 1] + (a[i - 1] != b[j - 1]);

            d = min2(d, min2(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = min2(d, before[j - 2] + 1);
            now[j] = d;
        }
    }
    return rows[a_len % 3][b_len];
}

void suggest_init(struct suggest *s, const char *typed)
{
    s->typed = typed;
    s->best = NULL;
    /* Allows one error in a short word and one more for every five letters. */
    s->best_distance = 2 + strlen(typed) / 5;
}

void suggest_try(struct suggest *s, const char *known)
{
    const size_t typed_len = strlen(s->typed), known_len = strlen(known);
    size_t d;

    if (typed_len > WORD_MAX || known_len > WORD_MAX || !typed_len)
        return;
    d = distance(s->typed, typed_len, known, known_len);
    /* A prefix of a known word has distance 1 at most. */
    if (typed_len >= 3 && strncmp(known, s->typed, typed_len) == 0)
        d = min2(d, 1);
    if (d < s->best_distance) {
        s->best_distance = d;
        s->best = known;
    }
}

void suggest_add(const struct suggest *s, const char *prefix, struct strbuf *sb)
{
    if (s->best)
        sb_addf(sb, ": did you mean %s%s?", prefix, s->best);
}
