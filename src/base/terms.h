/* terms.h: evaluates a sum of products and formats it as text ("2 * 8x16 * 32 + 8x32").
 *
 * The caller begins a term and multiplies it by numbers and sizes, then begins the next. The same
 * calls write the text, so the displayed formula is the computed one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* All fields are private except `saturated`, which is set on overflow of 64 bits. */
struct terms {
    struct strbuf *text; /* NULL: compute the number only */
    int64_t term, total;
    uint32_t n_terms;
    int sign;
    bool in_term, first_factor;
    bool saturated;
};

void terms_init(struct terms *t, struct strbuf *text);
/* Begins a term that is added or subtracted. */
void terms_plus(struct terms *t);
void terms_minus(struct terms *t);
/* Multiplies the term by N. */
void terms_times(struct terms *t, int64_t n);
/* Multiplies the term by PRODUCT, that of N sizes, which the text shows as "8x16"; "1" when
 * there are none, "?" for a size below 0. */
void terms_times_sizes(struct terms *t, const int64_t *sizes, size_t n, int64_t product);
/* Writes " * TEXT" for a factor whose value is unknown. */
void terms_times_text(struct terms *t, const char *text);
/* Divides the term by BY > 0, rounding towards zero. */
void terms_divide(struct terms *t, int64_t by);
/* Returns the sum of all terms so far. */
int64_t terms_finish(struct terms *t);
