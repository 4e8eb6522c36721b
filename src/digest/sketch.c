/* sketch.c: a histogram with logarithmic buckets, for quantiles. */
#include "digest/sketch.h"

#include "digest/record.h"

#include "base/lower_bound.h"

enum { STEP_BITS_OF_BUCKETS = 6 };
_Static_assert(1 << STEP_BITS_OF_BUCKETS == SKETCH_STEPS, "buckets of a power of two");

uint32_t sketch_bucket_of(uint64_t value)
{
    unsigned power;

    if (value < SKETCH_STEPS)
        return (uint32_t)value;
    power = 63 - (unsigned)__builtin_clzll(value);
    return (power - STEP_BITS_OF_BUCKETS + 1) * SKETCH_STEPS +
           (uint32_t)(value >> (power - STEP_BITS_OF_BUCKETS) & (SKETCH_STEPS - 1));
}

uint64_t sketch_value_of(uint32_t index)
{
    const unsigned shift = index / SKETCH_STEPS ? index / SKETCH_STEPS - 1 : 0;

    if (index < SKETCH_STEPS)
        return index;
    return ((uint64_t)(SKETCH_STEPS + index % SKETCH_STEPS) << shift) + (((uint64_t)1 << shift) >> 1);
}

/* Binary search: the first bucket with an index >= INDEX. */
static size_t find_bucket(const struct sketch *s, uint32_t index)
{
    size_t at = 0;

    LOWER_BOUND(at, s->buckets.n, i, s->buckets.data[i].index < index);
    return at;
}

void sketch_add(struct sketch *s, uint64_t value)
{
    const struct sketch_bucket added = {sketch_bucket_of(value), 1};
    const size_t at = find_bucket(s, added.index);

    if (at < s->buckets.n && s->buckets.data[at].index == added.index) {
        s->buckets.data[at].n = add_up_to_limit(s->buckets.data[at].n, 1);
        return;
    }
    vec_push(&s->buckets, added);
    memmove(s->buckets.data + at + 1, s->buckets.data + at,
            (s->buckets.n - 1 - at) * sizeof *s->buckets.data);
    s->buckets.data[at] = added;
}

void sketch_merge(struct sketch *s, const struct sketch *from)
{
    const sketch_buckets old = s->buckets, *other = &from->buckets;
    size_t i = 0, k = 0;

    s->scratch.n = 0;
    while (i < old.n || k < other->n) {
        struct sketch_bucket next;

        if (k == other->n || (i < old.n && old.data[i].index < other->data[k].index)) {
            next = old.data[i++];
        } else if (i == old.n || other->data[k].index < old.data[i].index) {
            next = other->data[k++];
        } else {
            next = old.data[i++];
            next.n = add_up_to_limit(next.n, other->data[k++].n);
        }
        vec_push(&s->scratch, next);
    }
    s->buckets = s->scratch;
    s->scratch = old;
}

uint64_t sketch_count(const struct sketch *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->buckets.n; i++)
        n = add_up_to_limit(n, s->buckets.data[i].n);
    return n;
}

uint64_t sketch_quantile(const struct sketch *s, unsigned percent)
{
    const uint64_t n = sketch_count(s);
    /* rank of the quantile: percent * n / 100, rounded up, without overflow */
    const uint64_t wanted = n / 100 * percent + (n % 100 * percent + 99) / 100;
    uint64_t passed = 0;

    for (size_t i = 0; i < s->buckets.n; i++) {
        passed = add_up_to_limit(passed, s->buckets.data[i].n);
        if (passed >= wanted)
            return sketch_value_of(s->buckets.data[i].index);
    }
    return 0;
}

void sketch_clear(struct sketch *s)
{
    s->buckets.n = 0;
}

void sketch_done(struct sketch *s)
{
    EACH(vec_done, &s->buckets, &s->scratch);
}
