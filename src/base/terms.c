/* terms.c: evaluates a sum of products and formats it as text. */
#include "base/terms.h"

#include "base/satmath.h"

void terms_init(struct terms *t, struct strbuf *text)
{
    *t = (struct terms){.text = text, .sign = 1};
}

static void end_term(struct terms *t)
{
    if (!t->in_term)
        return;
    if (t->sign < 0)
        t->term = clamp_neg(t->term);
    t->total = sat_add(t->total, t->term, &t->saturated);
    t->in_term = false;
}

static void begin_term(struct terms *t, int sign)
{
    end_term(t);
    if (t->text && t->n_terms > 0)
        sb_adds(t->text, sign < 0 ? " - " : " + ");
    t->n_terms++;
    t->in_term = t->first_factor = true;
    t->sign = sign;
    t->term = 1;
}

void terms_plus(struct terms *t)
{
    begin_term(t, 1);
}

void terms_minus(struct terms *t)
{
    begin_term(t, -1);
}

int64_t terms_finish(struct terms *t)
{
    end_term(t);
    return t->total;
}

static void begin_factor(struct terms *t)
{
    if (t->text && !t->first_factor)
        sb_adds(t->text, " * ");
    t->first_factor = false;
}

void terms_times(struct terms *t, int64_t n)
{
    begin_factor(t);
    if (t->text)
        sb_add_int(t->text, n);
    t->term = sat_mul(t->term, n, &t->saturated);
}

void terms_times_sizes(struct terms *t, const int64_t *sizes, size_t n, int64_t product)
{
    begin_factor(t);
    if (t->text && n == 0)
        sb_adds(t->text, "1");
    for (size_t i = 0; t->text && i < n; i++) {
        sb_adds(t->text, i > 0 ? "x" : "");
        if (sizes[i] < 0)
            sb_adds(t->text, "?");
        else
            sb_add_int(t->text, sizes[i]);
    }
    t->term = sat_mul(t->term, product, &t->saturated);
}

void terms_times_text(struct terms *t, const char *text)
{
    begin_factor(t);
    if (t->text)
        sb_adds(t->text, text);
}

void terms_divide(struct terms *t, int64_t by)
{
    if (t->text)
        sb_addf(t->text, " / %lld", (long long)by);
    t->term = quotient(t->term, by);
}
