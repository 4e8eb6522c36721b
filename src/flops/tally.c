/* tally.c: a count under construction. */
#include "flops/tally.h"

#include <math.h>

#include "base/satmath.h"

void tally_init(struct tally *t, bool macs, struct strbuf *text)
{
    *t = (struct tally){.state = FLOPS_COUNTED, .macs = macs, .text = text, .sign = 1};
}

void tally_stop(struct tally *t, enum flops_state state)
{
    if (t->state == FLOPS_COUNTED)
        t->state = state;
}

static void end_term(struct tally *t)
{
    if (!t->in_term)
        return;
    if (t->sign < 0)
        t->term = clamp_neg(t->term);
    t->total = sat_add(t->total, t->term, &t->saturated);
    t->in_term = false;
}

static void begin_term(struct tally *t, int sign)
{
    end_term(t);
    if (t->text && t->n_terms > 0)
        sb_adds(t->text, sign < 0 ? " - " : " + ");
    t->n_terms++;
    t->in_term = t->first_factor = true;
    t->sign = sign;
    t->term = 1;
}

void tally_plus(struct tally *t)
{
    begin_term(t, 1);
}

void tally_minus(struct tally *t)
{
    begin_term(t, -1);
}

int64_t tally_finish(struct tally *t)
{
    end_term(t);
    return t->state == FLOPS_COUNTED ? t->total : 0;
}

static void factor_text(struct tally *t)
{
    if (t->text && !t->first_factor)
        sb_adds(t->text, " * ");
    t->first_factor = false;
}

void tally_times(struct tally *t, int64_t n)
{
    factor_text(t);
    if (t->text)
        sb_addf(t->text, "%lld", (long long)n);
    t->term = sat_mul(t->term, n, &t->saturated);
}

void tally_mac(struct tally *t)
{
    tally_times(t, t->macs ? 1 : 2);
}

void tally_elements(struct tally *t, const struct dims *s)
{
    factor_text(t);
    tally_need(t, s);
    if (t->text && (!s || s->rank == 0))
        sb_adds(t->text, s ? "1" : "?");
    for (uint32_t i = 0; t->text && s && i < s->rank; i++) {
        sb_adds(t->text, i > 0 ? "x" : "");
        if (s->d[i] < 0)
            sb_adds(t->text, "?");
        else
            sb_addf(t->text, "%lld", (long long)s->d[i]);
    }
    if (dims_full(s))
        t->term = sat_mul(t->term, dims_elements(s), &t->saturated);
}

void tally_size(struct tally *t, int64_t size)
{
    if (size >= 0) {
        tally_times(t, size);
        return;
    }
    factor_text(t);
    if (t->text)
        sb_adds(t->text, "?");
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
    double exact;

    if (t->text)
        sb_addf(t->text, " / %lld", (long long)by);
    if (by == 0) {
        tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    /* The quotient as Python has it: exact operands, one rounding. */
    exact = (double)((long double)quotient(t->term, by) +
                     (long double)remainder_of(t->term, by) / (long double)by);
    t->term = fabs(exact) < 9.2e18 ? (int64_t)trunc(exact) : quotient(t->term, by);
}

void tally_need(struct tally *t, const struct dims *s)
{
    if (!dims_full(s))
        tally_stop(t, FLOPS_UNKNOWN_SHAPE);
}

const struct dims *tally_input(struct tally *t, const struct opctx *c, uint32_t i)
{
    if (i >= c->n_in || c->in_edge[i]->source == NODE_NONE)
        tally_stop(t, FLOPS_NO_RULE);
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
