/* tally.c: the count of a node while a rule runs. */
#include "flops/tally.h"

#include <math.h>

#include "base/satmath.h"

void tally_init(struct tally *t, bool macs, struct strbuf *text)
{
    *t = (struct tally){.state = FLOPS_COUNTED, .macs = macs};
    terms_init(&t->sum, text);
}

void tally_stop(struct tally *t, enum flops_state state)
{
    if (t->state == FLOPS_COUNTED)
        t->state = state;
}

void tally_plus(struct tally *t)
{
    terms_plus(&t->sum);
}

void tally_minus(struct tally *t)
{
    terms_minus(&t->sum);
}

int64_t tally_finish(struct tally *t)
{
    const int64_t total = terms_finish(&t->sum);

    return t->state == FLOPS_COUNTED ? total : 0;
}

void tally_times(struct tally *t, int64_t n)
{
    terms_times(&t->sum, n);
}

void tally_mac(struct tally *t)
{
    tally_times(t, t->macs ? 1 : 2);
}

void tally_plus_mac(struct tally *t)
{
    tally_plus(t);
    tally_mac(t);
}

void tally_elements(struct tally *t, const struct dims *s)
{
    tally_need(t, s);
    if (s)
        terms_times_sizes(&t->sum, s->d, s->rank, dims_full(s) ? dims_elements(s) : 1);
    else
        terms_times_text(&t->sum, "?");
}

void tally_size(struct tally *t, int64_t size)
{
    if (size >= 0) {
        tally_times(t, size);
        return;
    }
    terms_times_text(&t->sum, "?");
    tally_stop(t, FLOPS_UNKNOWN_SHAPE);
}

void tally_dim(struct tally *t, const struct dims *s, int64_t at)
{
    if (s && (at < 0 ? at < clamp_neg(s->rank) : at >= (int64_t)s->rank)) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    tally_size(t, dim_at(s, at));
}

void tally_divide(struct tally *t, int64_t by)
{
    const int64_t term = t->sum.term;
    double exact;

    if (t->sum.text)
        sb_addf(t->sum.text, " / %lld", (long long)by);
    if (by == 0) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    /* Rounds as Python's true division does: exact operands, one rounding. */
    exact = (double)((long double)quotient(term, by) +
                     (long double)sat_remainder(term, by) / (long double)by);
    t->sum.term = fabs(exact) < 9.2e18 ? (int64_t)trunc(exact) : quotient(term, by);
}

void tally_need(struct tally *t, const struct dims *s)
{
    if (!dims_full(s))
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
}

const struct dims *tally_input(struct tally *t, const struct opctx *c, uint32_t i)
{
    if (i >= c->n_in || (c->in_edge[i]->source == NODE_NONE && !c->in[i].shape))
        tally_stop(t, profile_has_op_set(c->profile) ? FLOPS_UNKNOWN_SHAPE : FLOPS_NO_RULE);
    return in_shape(c, i);
}

const struct dims *tally_output(const struct opctx *c, uint32_t i)
{
    return i < c->n_out ? c->out[i].shape : NULL;
}

void tally_each(struct tally *t, int64_t weight, const struct dims *s)
{
    tally_plus(t);
    if (weight != 1)
        tally_times(t, weight);
    tally_elements(t, s);
}
