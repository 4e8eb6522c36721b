/* tally.h: the count of a node while a rule runs: a sum of products, with its text.  Rules are
 * straight-line code: they begin a term, multiply it by sizes, and begin the next term.  The first
 * unknown size sets the state; later calls change nothing. */
#pragma once

#include "base/terms.h"
#include "flops/flops_types.h"
#include "shapes/opctx.h"

struct tally {
    enum flops_state state; /* FLOPS_COUNTED until a size is unknown */
    bool macs;              /* a multiply-add counts 1 */
    bool uses_transcendental, uses_division; /* weights that the count depends on */
    struct terms sum;
};

void tally_init(struct tally *t, bool macs, struct strbuf *text);
/* Returns the total; 0 unless it is counted. */
int64_t tally_finish(struct tally *t);
/* Sets the state, unless it is set. */
void tally_stop(struct tally *t, enum flops_state state);

/* Begins a term that is added or subtracted. */
void tally_plus(struct tally *t);
void tally_minus(struct tally *t);
/* Multiplies the term. */
void tally_times(struct tally *t, int64_t n);
/* Multiplies by the FLOPs of a multiply-add: 2, or 1 with macs. */
void tally_mac(struct tally *t);
/* Begins a term of multiply-adds. */
void tally_plus_mac(struct tally *t);
void tally_elements(struct tally *t, const struct dims *s);
/* Multiplies by dimension AT of S (from the end when negative).  The rule does not apply when the
 * rank of S is too small. */
void tally_dim(struct tally *t, const struct dims *s, int64_t at);
/* Multiplies by SIZE, which may be unknown. */
void tally_size(struct tally *t, int64_t size);
/* Divides the term, with the rounding of flops.md section 2.3. */
void tally_divide(struct tally *t, int64_t by);

/* Sets the state when S is not completely known. */
void tally_need(struct tally *t, const struct dims *s);
/* The shape of input I; the rule does not apply without it. */
const struct dims *tally_input(struct tally *t, const struct opctx *c, uint32_t i);
const struct dims *tally_output(const struct opctx *c, uint32_t i);

/* Adds the term WEIGHT * N(S). */
void tally_each(struct tally *t, int64_t weight, const struct dims *s);
