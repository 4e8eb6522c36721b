/* dims.c: arithmetic on shapes and sizes (shapes.md section 1.2). */
#include "shapes/dims.h"

#include <string.h>

#include "base/satmath.h"

const struct dims dims_scalar = {0};

static struct dims *alloc(struct arena *a, size_t rank)
{
    struct dims *s;

    if (rank > DIMS_MAX_RANK)
        return NULL;
    s = arena_alloc(a, 1, sizeof *s + rank * sizeof s->d[0]);
    s->rank = (uint32_t)rank;
    return s;
}

const struct dims *dims_new(struct arena *a, size_t rank, const int64_t *d)
{
    struct dims *s;

    if (rank == 0)
        return &dims_scalar;
    s = alloc(a, rank);
    for (size_t i = 0; s && i < rank; i++)
        s->d[i] = d && d[i] >= 0 ? d[i] : DIM_UNKNOWN;
    return s;
}

const struct dims *dims_vector(struct arena *a, int64_t size)
{
    return dims_new(a, 1, &size);
}

bool dims_full(const struct dims *s)
{
    if (!s)
        return false;
    for (uint32_t i = 0; i < s->rank; i++)
        if (s->d[i] < 0)
            return false;
    return true;
}

bool dims_equal(const struct dims *a, const struct dims *b)
{
    if (a == b)
        return true;
    return a && b && a->rank == b->rank && memcmp(a->d, b->d, a->rank * sizeof a->d[0]) == 0;
}

int64_t dims_elements(const struct dims *s)
{
    int64_t n = 1;
    bool unknown = !s, saturated = false;

    for (uint32_t i = 0; s && i < s->rank; i++) {
        if (s->d[i] == 0)
            return 0;
        if (s->d[i] < 0)
            unknown = true;
        else
            n = sat_mul(n, s->d[i], &saturated);
    }
    return unknown ? DIM_UNKNOWN : n;
}

static const struct dims *conflict(bool *ok)
{
    *ok = false;
    return NULL;
}

const struct dims *dims_merge(struct arena *a, const struct dims *x, const struct dims *y, bool *ok)
{
    bool x_has_all = true, y_has_all = true;
    struct dims *s;

    if (!x || !y || x == y)
        return x ? x : y;
    if (x->rank != y->rank)
        return conflict(ok);
    for (uint32_t i = 0; i < x->rank; i++) {
        if (x->d[i] == y->d[i])
            continue;
        if (x->d[i] >= 0 && y->d[i] >= 0)
            return conflict(ok);
        if (x->d[i] < 0)
            x_has_all = false;
        else
            y_has_all = false;
    }
    if (x_has_all || y_has_all)
        return x_has_all ? x : y;
    s = alloc(a, x->rank);
    for (uint32_t i = 0; s && i < x->rank; i++)
        s->d[i] = x->d[i] >= 0 ? x->d[i] : y->d[i];
    return s;
}

static int64_t broadcast_size(int64_t x, int64_t y, bool stronger, bool *ok)
{
    if (x == y || y == 1)
        return x;
    if (x == 1)
        return y;
    if (x >= 0 && y >= 0) {
        *ok = false;
        return DIM_UNKNOWN;
    }
    if (x == 0 || y == 0)
        return stronger ? 0 : DIM_UNKNOWN;
    return x < 0 ? y : x;
}

const struct dims *dims_broadcast(struct arena *a, const struct dims *x, const struct dims *y,
                                  bool stronger, bool *ok)
{
    uint32_t rank, x_skip, y_skip;
    struct dims *s;

    if (!x || !y)
        return NULL;
    if (x == y || y->rank == 0)
        return x;
    if (x->rank == 0)
        return y;
    rank = x->rank > y->rank ? x->rank : y->rank;
    x_skip = rank - x->rank;
    y_skip = rank - y->rank;
    s = alloc(a, rank);
    for (uint32_t i = 0; s && i < rank; i++)
        s->d[i] = broadcast_size(i < x_skip ? 1 : x->d[i - x_skip],
                                 i < y_skip ? 1 : y->d[i - y_skip], stronger, ok);
    return *ok ? s : NULL;
}

const struct dims *dims_with_rank(struct arena *a, const struct dims *s, uint32_t r, bool *ok)
{
    if (!s)
        return dims_new(a, r, NULL);
    return s->rank == r ? s : conflict(ok);
}

const struct dims *dims_slice(struct arena *a, const struct dims *s, int64_t from, int64_t to)
{
    int64_t rank;

    if (!s)
        return NULL;
    rank = s->rank;
    from = from < 0 ? clamp_add(from, rank) : from;
    to = to < 0 ? clamp_add(to, rank) : to;
    from = from < 0 ? 0 : from > rank ? rank : from;
    to = to < from ? from : to > rank ? rank : to;
    if (from == 0 && to == rank)
        return s;
    return dims_new(a, (size_t)to - (size_t)from, s->d + from);
}

const struct dims *dims_concat(struct arena *a, const struct dims *x, const struct dims *y)
{
    struct dims *s;

    if (!x || !y)
        return NULL;
    if (x->rank == 0 || y->rank == 0)
        return x->rank == 0 ? y : x;
    s = alloc(a, (size_t)x->rank + y->rank);
    if (!s)
        return NULL;
    for (uint32_t i = 0; i < s->rank; i++)
        s->d[i] = i < x->rank ? x->d[i] : y->d[i - x->rank];
    return s;
}

const struct dims *dims_replace(struct arena *a, const struct dims *s, uint32_t at, int64_t size)
{
    struct dims *copy;

    if (s->d[at] == size)
        return s;
    copy = alloc(a, s->rank);
    if (!copy)
        return NULL;
    memcpy(copy->d, s->d, s->rank * sizeof s->d[0]);
    copy->d[at] = size < 0 ? DIM_UNKNOWN : size;
    return copy;
}

const struct dims *dims_insert(struct arena *a, const struct dims *s, uint32_t at, int64_t size)
{
    struct dims *copy = alloc(a, (size_t)s->rank + 1);

    if (!copy)
        return NULL;
    for (uint32_t i = 0; i < copy->rank; i++)
        copy->d[i] = i < at ? s->d[i] : i > at ? s->d[i - 1] : size < 0 ? DIM_UNKNOWN : size;
    return copy;
}

const struct dims *dims_drop(struct arena *a, const struct dims *s, uint32_t at)
{
    return dims_concat(a, dims_slice(a, s, 0, at), dims_slice(a, s, clamp_add(at, 1), s->rank));
}

const struct dims *dims_weaken(struct arena *a, const struct dims *x, const struct dims *y)
{
    struct dims *s;

    if (!x || !y || x->rank != y->rank)
        return NULL;
    if (dims_equal(x, y) || x->rank == 0)
        return x;
    s = alloc(a, x->rank);
    for (uint32_t i = 0; s && i < x->rank; i++)
        s->d[i] = x->d[i] == y->d[i] ? x->d[i] : DIM_UNKNOWN;
    return s;
}

int64_t dim_add(int64_t a, int64_t b, bool *ok)
{
    int64_t sum;

    if (a == DIM_UNKNOWN || b == 0)
        return a;
    if (__builtin_add_overflow(a, b, &sum) || sum < 0) {
        *ok = false;
        return DIM_UNKNOWN;
    }
    return sum;
}

int64_t dim_mul(int64_t a, int64_t b, bool *ok)
{
    int64_t product;

    if (a == 0 || b == 1)
        return a;
    if (b == 0 || a == 1)
        return b;
    if (a < 0 || b < 0)
        return DIM_UNKNOWN;
    if (__builtin_mul_overflow(a, b, &product)) {
        *ok = false;
        return DIM_UNKNOWN;
    }
    return product;
}

int64_t dim_div(int64_t a, int64_t b, bool evenly, bool *ok)
{
    if (b == 1)
        return a;
    if (b == DIM_UNKNOWN)
        return DIM_UNKNOWN;
    if (b <= 0 || (evenly && a >= 0 && sat_remainder(a, b) != 0)) {
        *ok = false;
        return DIM_UNKNOWN;
    }
    return a < 0 ? DIM_UNKNOWN : quotient(a, b);
}

int64_t dim_min(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    if (a < 0 || b < 0)
        return DIM_UNKNOWN;
    return a < b ? a : b;
}

int64_t dim_max(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return DIM_UNKNOWN;
    return a > b ? a : b;
}

int64_t dim_merge(int64_t a, int64_t b, bool *ok)
{
    if (a < 0 || a == b)
        return b;
    if (b >= 0) {
        *ok = false;
        return DIM_UNKNOWN;
    }
    return a;
}
