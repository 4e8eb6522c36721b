/* tally.h: a count under construction: a sum of products, and their text.
 *
 * Counting rules are straight-line code: they begin a term, multiply it by
 * sizes, begin the next.  The first size that is unknown settles the state;
 * what follows changes nothing. */
#ifndef TFPROF_FLOPS_TALLY_H
#define TFPROF_FLOPS_TALLY_H

#include "base/terms.h"
#include "flops/flops_types.h"
#include "shapes/opctx.h"

struct tally {
    enum flops_state state; /* FLOPS_COUNTED until something is unknown */
    bool macs;              /* a multiply-add counts 1 */
    bool uses_transcendental, uses_division; /* weights that matter */
    struct terms sum;
};

void tally_init(struct tally *t, bool macs, struct strbuf *text);
/* The total; 0 unless it is counted. */
int64_t tally_finish(struct tally *t);
/* Settles the state, unless it is settled. */
void tally_stop(struct tally *t, enum flops_state state);

/* Begins a term that is added, or taken away. */
void tally_plus(struct tally *t);
void tally_minus(struct tally *t);
/* Multiplies the term. */
void tally_times(struct tally *t, int64_t n);
/* By 2, or in multiply-adds by 1. */
void tally_mac(struct tally *t);
void tally_elements(struct tally *t, const struct dims *s);
/* By size AT of S (from the end when negative); an S of too small a rank has no
 * such size: then the rule does not apply. */
void tally_dim(struct tally *t, const struct dims *s, int64_t at);
/* By a size that may be unknown. */
void tally_size(struct tally *t, int64_t size);
/* Divides the term, rounded to a binary64 number and cut; flops.md section 2.3. */
void tally_divide(struct tally *t, int64_t by);

/* Settles the state when S is not complete. */
void tally_need(struct tally *t, const struct dims *s);
/* The shape at input I, which must be there for the rule to apply. */
const struct dims *tally_input(struct tally *t, const struct opctx *c, uint32_t i);
const struct dims *tally_output(const struct opctx *c, uint32_t i);

/* WEIGHT * N(S) as a term. */
void tally_each(struct tally *t, int64_t weight, const struct dims *s);

#endif
