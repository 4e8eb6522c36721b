/* terms.h: a sum of products under construction, and its text ("2 * 8x16 * 32 + 8x32").
 *
 * Who counts begins a term, multiplies it by numbers and sizes, begins the next; the text is
 * written by the same calls, so a formula that is shown is the one that was computed. */
#ifndef TFPROF_BASE_TERMS_H
#define TFPROF_BASE_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* All fields are private but `saturated`: whether a limit of 64 bits was met. */
struct terms {
    struct strbuf *text; /* NULL: only the number is wanted */
    int64_t term, total;
    uint32_t n_terms;
    int sign;
    bool in_term, first_factor;
    bool saturated;
};

void terms_init(struct terms *t, struct strbuf *text);
/* Begins a term that is added, or taken away. */
void terms_plus(struct terms *t);
void terms_minus(struct terms *t);
/* Multiplies the term by N. */
void terms_times(struct terms *t, int64_t n);
/* Multiplies the term by PRODUCT, that of N sizes, which the text shows as "8x16"; "1" when
 * there are none, "?" for a size below 0. */
void terms_times_sizes(struct terms *t, const int64_t *sizes, size_t n, int64_t product);
/* Writes " * TEXT" for a factor that is not known. */
void terms_times_text(struct terms *t, const char *text);
/* Divides the term by BY, above 0, and drops what is left over. */
void terms_divide(struct terms *t, int64_t by);
/* The sum of all terms so far. */
int64_t terms_finish(struct terms *t);

#endif
