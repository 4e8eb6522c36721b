/* opctx.c: attributes, inputs and outputs of the node that a rule is applied to. */
#include "shapes/opctx.h"

#include <assert.h>
#include <string.h>

#include "base/lower_bound.h"

void opctx_fail(struct opctx *c, const char *why)
{
    if (!c->failed)
        c->why = why;
    c->failed = true;
}

/* ---- attributes */

const struct attr_value *opctx_attr(struct opctx *c, const char *name)
{
    if (!c->has_attrs) {
        c->attrs = c->source->decode(c->profile, c->node, c->scratch, &c->n_attrs);
        c->has_attrs = true;
    }
    return attrs_find(c->attrs, c->n_attrs, name);
}

int64_t opctx_int(struct opctx *c, const char *name, int64_t absent)
{
    const struct attr_value *v = opctx_attr(c, name);

    return v && (v->kind == ATTR_INT || v->kind == ATTR_TYPE) ? v->v.i : absent;
}

bool opctx_bool(struct opctx *c, const char *name, bool absent)
{
    const struct attr_value *v = opctx_attr(c, name);

    return v && v->kind == ATTR_BOOL ? v->v.i != 0 : absent;
}

struct attr_bytes opctx_string(struct opctx *c, const char *name, const char *absent)
{
    const struct attr_value *v = opctx_attr(c, name);

    if (v && (v->kind == ATTR_STRING || v->kind == ATTR_FUNC))
        return v->v.s;
    return (struct attr_bytes){absent, strlen(absent)};
}

bool opctx_string_is(struct opctx *c, const char *name, const char *absent, const char *text)
{
    struct attr_bytes s = opctx_string(c, name, absent);

    return s.len == strlen(text) && memcmp(s.bytes, text, s.len) == 0;
}

const int64_t *opctx_ints(struct opctx *c, const char *name, size_t *n)
{
    const struct attr_value *v = opctx_attr(c, name);

    *n = 0;
    if (!v || v->kind != ATTR_LIST ||
        (v->item_kind != ATTR_INT && v->item_kind != ATTR_TYPE && v->item_kind != ATTR_BOOL))
        return NULL;
    *n = v->n_items;
    return v->v.list_i;
}

const struct dims *opctx_dims(struct opctx *c, const struct attr_shape *s)
{
    return s->unknown_rank ? NULL : dims_new(c->keep, s->n_dims, s->dims);
}

const struct dims *opctx_shape(struct opctx *c, const char *name)
{
    const struct attr_value *v = opctx_attr(c, name);

    return v && v->kind == ATTR_SHAPE ? opctx_dims(c, &v->v.shape) : NULL;
}

size_t opctx_n_items(struct opctx *c, const char *name)
{
    const struct attr_value *v = opctx_attr(c, name);

    return v && v->kind == ATTR_LIST ? v->n_items : 0;
}

const struct dims *opctx_shape_of_list(struct opctx *c, const char *name, size_t i)
{
    const struct attr_value *v = opctx_attr(c, name);

    if (!v || v->kind != ATTR_LIST || v->item_kind != ATTR_SHAPE || i >= v->n_items)
        return NULL;
    return opctx_dims(c, &v->v.list_shape[i]);
}

/* ---- tensors */

static bool same_value(const struct value *a, const struct value *b)
{
    if (!a || !b)
        return a == b;
    return a->n == b->n && a->scalar == b->scalar && a->folded == b->folded &&
           memcmp(a->v, b->v, a->n * sizeof a->v[0]) == 0;
}

static bool same_reals(const struct reals *a, const struct reals *b)
{
    if (!a || !b)
        return a == b;
    return a->n == b->n && a->scalar == b->scalar && a->single == b->single &&
           memcmp(a->v, b->v, a->n * sizeof a->v[0]) == 0;
}

static bool same_handle(const struct handle *a, const struct handle *b)
{
    if (!a || !b)
        return a == b;
    if (a->n != b->n || a->length != b->length)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!dims_equal(a->shapes[i], b->shapes[i]))
            return false;
    return true;
}

bool tensors_equal(const struct tensor *a, const struct tensor *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!dims_equal(a[i].shape, b[i].shape) || !same_value(a[i].value, b[i].value) ||
            !same_reals(a[i].reals, b[i].reals) || !same_handle(a[i].handle, b[i].handle))
            return false;
    return true;
}

/* True when a scalar or vector of N elements can have shape S. */
static bool fits_shape(const struct dims *s, uint32_t n, bool scalar)
{
    if (!s || s->rank == 0)
        return !s || scalar;
    return !scalar && s->rank == 1 && (s->d[0] < 0 || s->d[0] == (int64_t)n);
}

static bool value_fits(const struct tensor *t)
{
    return !t->value || fits_shape(t->shape, t->value->n, t->value->scalar);
}

static bool reals_fit(const struct tensor *t)
{
    return !t->reals || fits_shape(t->shape, t->reals->n, t->reals->scalar);
}

bool tensor_is_consistent(const struct tensor *t)
{
    return value_fits(t) && reals_fit(t);
}

void tensor_make_consistent(struct tensor *t)
{
    if (!value_fits(t))
        t->value = NULL;
    if (!reals_fit(t))
        t->reals = NULL;
}

/* ---- handles and outputs */

const struct dims *handle_shape(const struct opctx *c, uint32_t in, uint32_t i)
{
    const struct handle *h = in_handle(c, in);

    return h && i < h->n ? h->shapes[i] : NULL;
}

const struct handle *handle_new(struct opctx *c, const struct dims *shape, int64_t length)
{
    struct handle *h = ARENA_NEW(c->keep, struct handle, 1);
    const struct dims **list = ARENA_NEW(c->keep, const struct dims *, 1);

    list[0] = shape;
    *h = (struct handle){.n = 1, .shapes = list, .length = length};
    return h;
}

uint32_t index_slot(const uint32_t *indexes, uint32_t n, uint32_t index)
{
    size_t at = 0;

    /* Most lists are 0, 1, 2, ...: try that position first. */
    if (index < n && indexes[index] == index)
        return index;
    LOWER_BOUND(at, n, i, indexes[i] < index);
    return at < n && indexes[at] == index ? (uint32_t)at : n;
}

void out_count(struct opctx *c, int64_t n)
{
    c->n_declared = n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    while (c->n_out > 0 && c->out_index[c->n_out - 1] >= c->n_declared)
        c->n_out--;
}

struct tensor *out_tensor(const struct opctx *c, uint32_t i)
{
    const uint32_t at = index_slot(c->out_index, c->n_out, i);

    return at < c->n_out ? &c->out[at] : NULL;
}

void out_set(struct opctx *c, uint32_t i, const struct dims *s)
{
    struct tensor *t = out_tensor(c, i);

    if (t)
        t->shape = s;
}

void out_set_all(struct opctx *c, const struct dims *s)
{
    for (uint32_t k = 0; k < c->n_out; k++)
        c->out[k].shape = s;
}

void out_handle(struct opctx *c, uint32_t i, const struct handle *h)
{
    struct tensor *t = out_tensor(c, i);

    if (t)
        t->handle = h;
}

/* ---- values */

const struct value *in_known(const struct opctx *c, uint32_t i)
{
    if (i >= c->n_in)
        return NULL;
    assert(tensor_is_consistent(&c->in[i]));
    return c->in[i].value;
}

const struct value *in_const(const struct opctx *c, uint32_t i)
{
    const struct value *v = in_known(c, i);

    return v && v->folded ? v : NULL;
}

bool in_const_scalar(const struct opctx *c, uint32_t i, int64_t *v)
{
    const struct value *value = in_const(c, i);

    if (!value || value->n != 1)
        return false;
    *v = value->v[0];
    return true;
}

int64_t in_const_dim(struct opctx *c, uint32_t i)
{
    int64_t v;

    if (!in_const_scalar(c, i, &v) || v == -1)
        return DIM_UNKNOWN;
    if (v < 0)
        opctx_fail(c, "a size is negative");
    return v < 0 ? DIM_UNKNOWN : v;
}

const struct value *in_entries(struct opctx *c, uint32_t i)
{
    const struct dims *s = in_shape(c, i);
    struct value *v;

    if (in_known(c, i))
        return in_known(c, i);
    if (!s || s->rank != 1 || s->d[0] < 0 || s->d[0] > VALUE_MAX)
        return NULL;
    v = value_new(c, (uint32_t)s->d[0], false);
    v->folded = v->n == 0;
    return v;
}

const struct dims *in_as_shape(struct opctx *c, uint32_t i)
{
    const struct dims *s = in_shape(c, i);
    const struct value *v = in_entries(c, i);
    int64_t d[DIMS_MAX_RANK];

    if ((s && s->rank == 0) || (v && v->scalar)) {
        /* The only scalar that is valid as a shape is -1: unknown rank. */
        if (v && v->folded && v->v[0] != -1)
            opctx_fail(c, "a shape is given by a scalar");
        return NULL;
    }
    if (s && s->rank != 1)
        opctx_fail(c, "a shape is not given by a vector");
    if (!v || c->failed)
        return NULL;
    if (v->n > DIMS_MAX_RANK) {
        opctx_fail(c, "a shape has too many dimensions");
        return NULL;
    }
    for (uint32_t k = 0; k < v->n; k++) {
        d[k] = v->v[k] == VALUE_UNKNOWN ? DIM_UNKNOWN : v->v[k];
        if (d[k] < -1)
            opctx_fail(c, "a size is negative");
    }
    return c->failed ? NULL : ctx_new(c, v->n, d);
}

bool in_is_op(const struct opctx *c, uint32_t i, const char *op)
{
    node_id source = i < c->n_in ? c->in_edge[i]->source : NODE_NONE;

    if (source == NODE_NONE)
        return false;
    return intern_len(&c->profile->strings, c->profile->op[source]) == strlen(op) &&
           strcmp(profile_text(c->profile, c->profile->op[source]), op) == 0;
}

struct value *value_new(struct opctx *c, uint32_t n, bool scalar)
{
    struct value *v = arena_alloc(c->keep, 1, sizeof *v + n * sizeof v->v[0]);

    assert(n <= VALUE_MAX && (!scalar || n == 1));
    v->n = n;
    v->scalar = scalar;
    v->folded = false;
    for (uint32_t i = 0; i < n; i++)
        v->v[i] = VALUE_UNKNOWN;
    return v;
}

const struct value *value_seal(const struct opctx *c, struct value *v, bool folded)
{
    bool all = true;

    for (uint32_t i = 0; i < v->n; i++)
        all &= v->v[i] != VALUE_UNKNOWN;
    v->folded = all && (folded || c->stronger);
    return v;
}

/* ---- shapes */

const struct dims *ctx_merge(struct opctx *c, const struct dims *x, const struct dims *y)
{
    bool ok = true;
    const struct dims *s = dims_merge(c->keep, x, y, &ok);

    if (!ok)
        opctx_fail(c, "shapes that must agree differ");
    return s;
}

const struct dims *ctx_broadcast(struct opctx *c, const struct dims *x, const struct dims *y)
{
    bool ok = true;
    const struct dims *s = dims_broadcast(c->keep, x, y, c->stronger, &ok);

    if (!ok)
        opctx_fail(c, "shapes cannot be broadcast together");
    return s;
}

const struct dims *ctx_rank(struct opctx *c, const struct dims *s, uint32_t rank)
{
    bool ok = true;
    const struct dims *r = dims_with_rank(c->keep, s, rank, &ok);

    if (!ok)
        opctx_fail(c, "a shape has the wrong rank");
    return r;
}

const struct dims *ctx_rank_at_least(struct opctx *c, const struct dims *s, uint32_t rank)
{
    if (s && s->rank < rank) {
        opctx_fail(c, "a shape has too small a rank");
        return NULL;
    }
    return s;
}

const struct dims *ctx_new(struct opctx *c, size_t rank, const int64_t *d)
{
    return dims_new(c->keep, rank, d);
}

const struct dims *ctx_vector(struct opctx *c, int64_t size)
{
    return ctx_new(c, 1, &size);
}

const struct dims *ctx_matrix(struct opctx *c, int64_t rows, int64_t cols)
{
    return ctx_new(c, 2, (const int64_t[]){rows, cols});
}

const struct dims *ctx_unknown(struct opctx *c, int64_t rank)
{
    if (rank < 0) {
        opctx_fail(c, "a rank would be negative");
        return NULL;
    }
    return dims_new(c->keep, (size_t)rank, NULL);
}

bool ctx_axis(struct opctx *c, int64_t axis, uint32_t rank, uint32_t *at)
{
    if (axis < clamp_neg(rank) || axis >= (int64_t)rank) {
        opctx_fail(c, "an axis is out of range");
        return false;
    }
    *at = (uint32_t)(axis < 0 ? clamp_add(axis, rank) : axis);
    return true;
}

static int64_t checked(struct opctx *c, int64_t size, bool ok)
{
    if (!ok)
        opctx_fail(c, "a size is out of range or not divisible");
    return size;
}

int64_t ctx_add(struct opctx *c, int64_t a, int64_t b)
{
    bool ok = true;
    int64_t size = dim_add(a, b, &ok);

    return checked(c, size, ok);
}

int64_t ctx_mul(struct opctx *c, int64_t a, int64_t b)
{
    bool ok = true;
    int64_t size = dim_mul(a, b, &ok);

    return checked(c, size, ok);
}

int64_t ctx_div(struct opctx *c, int64_t a, int64_t b, bool evenly)
{
    bool ok = true;
    int64_t size = dim_div(a, b, evenly, &ok);

    return checked(c, size, ok);
}

int64_t ctx_merge_dim(struct opctx *c, int64_t a, int64_t b)
{
    bool ok = true;
    int64_t size = dim_merge(a, b, &ok);

    if (!ok)
        opctx_fail(c, "sizes that must agree differ");
    return size;
}
