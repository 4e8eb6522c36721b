/* value_real.c: small floating point constants from which sizes are computed: scaled, rounded, cast
 * to integers (shapes.md section 3). */
#include "shapes/value_rules.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { TYPE_FLOAT = 1, TYPE_DOUBLE = 2 };
/* Longer ones are not sizes. */
enum { REALS_MAX = 16 };

static const struct reals *in_reals(const struct opctx *c, uint32_t i)
{
    if (i >= c->n_in)
        return NULL;
    assert(tensor_is_consistent(&c->in[i]));
    return c->in[i].reals;
}

static struct reals *reals_new(struct opctx *c, uint32_t n, bool scalar, bool single)
{
    struct reals *r = arena_alloc(c->keep, 1, sizeof *r + n * sizeof r->v[0]);

    assert(n <= REALS_MAX && (!scalar || n == 1));
    r->n = n;
    r->scalar = scalar;
    r->single = single;
    return r;
}

static double rounded(double v, bool single)
{
    return single ? (double)(float)v : v;
}

static void out_reals(struct opctx *c, const struct reals *r)
{
    if (c->n_out > 0)
        c->out[0].reals = r;
}

bool in_real_scalar(const struct opctx *c, uint32_t i, double *v)
{
    const struct reals *r = in_reals(c, i);

    if (r && r->n == 1)
        *v = r->v[0];
    return r && r->n == 1;
}

bool reals_const(struct opctx *c, const struct attr_tensor *t)
{
    const struct dims *s = c->n_out > 0 ? c->out[0].shape : NULL;
    struct attr_doubles list;
    struct reals *r;

    if (t->dtype != TYPE_FLOAT && t->dtype != TYPE_DOUBLE)
        return false;
    if (!s || s->rank > 1)
        return true;
    list = c->source->doubles(t, REALS_MAX, c->scratch);
    if (list.n == 0 || list.n_all != dims_elements(s) || list.n_all != (int64_t)list.n)
        return true;
    r = reals_new(c, (uint32_t)list.n, s->rank == 0, t->dtype == TYPE_FLOAT);
    memcpy(r->v, list.v, list.n * sizeof r->v[0]);
    out_reals(c, r);
    return true;
}

/* Truncates reals to integers; values that an int64 cannot hold exactly have no result. */
static void cast_to_integers(struct opctx *c, const struct reals *r)
{
    struct value *v = value_new(c, r->n, r->scalar);

    for (uint32_t i = 0; i < r->n; i++) {
        if (!(fabs(r->v[i]) < 9e15))
            return;
        v->v[i] = (int64_t)r->v[i];
    }
    out_value(c, 0, value_seal(c, v, true));
}

bool reals_cast(struct opctx *c, int64_t to)
{
    const struct reals *from = in_reals(c, 0);
    const struct value *whole = in_const(c, 0);
    struct reals *r;

    if (from && value_is_integer((int)to)) {
        cast_to_integers(c, from);
        return true;
    }
    if ((to != TYPE_FLOAT && to != TYPE_DOUBLE) || (!from && (!whole || whole->n > REALS_MAX)))
        return from != NULL || to == TYPE_FLOAT || to == TYPE_DOUBLE;
    r = reals_new(c, from ? from->n : whole->n, from ? from->scalar : whole->scalar,
                  to == TYPE_FLOAT);
    for (uint32_t i = 0; i < r->n; i++)
        r->v[i] = rounded(from ? from->v[i] : (double)whole->v[i], r->single);
    out_reals(c, r);
    return true;
}

static double combined(int op, double a, double b)
{
    switch (op) {
    case OP_ADD:       return a + b;
    case OP_SUB:       return a - b;
    case OP_MUL:       return a * b;
    case OP_DIV:       return a / b;
    case OP_FLOOR_DIV: return floor(a / b);
    case OP_MAX:       return a > b ? a : b;
    case OP_MIN:       return a < b ? a : b;
    case OP_NEG:       return -a;
    case OP_ABS:       return fabs(a);
    case OP_FLOOR:     return floor(a);
    case OP_CEIL:      return ceil(a);
    case OP_ROUND:     return nearbyint(a); /* rounds halves to even, as TensorFlow does */
    case OP_SQRT:      return sqrt(a);
    default:           return NAN; /* which casts reject */
    }
}

bool reals_binary(struct opctx *c)
{
    const struct reals *a = in_reals(c, 0), *b = in_reals(c, 1);
    struct reals *r;

    if (!a || !b || (a->n != b->n && a->n != 1 && b->n != 1))
        return a || b;
    r = reals_new(c, a->n == 1 ? b->n : a->n, a->scalar && b->scalar, a->single);
    for (uint32_t i = 0; i < r->n; i++)
        r->v[i] = rounded(combined(c->arg, a->v[a->n == 1 ? 0 : i], b->v[b->n == 1 ? 0 : i]),
                          r->single);
    out_reals(c, r);
    return true;
}

bool reals_unary(struct opctx *c)
{
    const struct reals *a = in_reals(c, 0);
    struct reals *r;

    if (!a)
        return false;
    r = reals_new(c, a->n, a->scalar, a->single);
    for (uint32_t i = 0; i < r->n; i++)
        r->v[i] = rounded(combined(c->arg, a->v[i], 0), r->single);
    out_reals(c, r);
    return true;
}

bool reals_pack(struct opctx *c)
{
    struct reals *r;
    bool all = c->n_in > 0 && c->n_in <= REALS_MAX;

    for (uint32_t i = 0; i < c->n_in; i++)
        all &= in_reals(c, i) && in_reals(c, i)->scalar;
    if (!all)
        return false;
    r = reals_new(c, c->n_in, false, in_reals(c, 0)->single);
    for (uint32_t i = 0; i < c->n_in; i++)
        r->v[i] = in_reals(c, i)->v[0];
    out_reals(c, r);
    return true;
}
