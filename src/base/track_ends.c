/* track_ends.c: finds the first free track. */
#include "base/track_ends.h"

#include "base/satmath.h"

/* Doubles the number of leaves; new tracks are free. */
static void grow(struct track_ends *l)
{
    size_t n = l->n_leaves ? l->n_leaves * 2 : 4;
    struct track_ends bigger = {.n_leaves = n};

    vec_resize_zero(&bigger.tree, 2 * n);
    for (size_t i = 0; i < n; i++)
        bigger.tree.data[n + i] = i < l->n_leaves ? l->tree.data[l->n_leaves + i] : INT64_MIN;
    for (size_t i = n - 1; i > 0; i--)
        bigger.tree.data[i] = smaller_of(bigger.tree.data[2 * i], bigger.tree.data[2 * i + 1]);
    track_ends_done(l);
    *l = bigger;
}

uint32_t track_ends_assign(struct track_ends *l, int64_t start_us, int64_t end_us)
{
    size_t i = 1;

    if (!l->n_leaves || l->tree.data[1] > start_us)
        grow(l);
    while (i < l->n_leaves)
        i = l->tree.data[2 * i] <= start_us ? 2 * i : 2 * i + 1;
    l->tree.data[i] = end_us;
    for (size_t up = i / 2; up > 0; up /= 2)
        l->tree.data[up] = smaller_of(l->tree.data[2 * up], l->tree.data[2 * up + 1]);
    return (uint32_t)(i - l->n_leaves);
}

void track_ends_done(struct track_ends *l)
{
    vec_done(&l->tree);
    l->n_leaves = 0;
}
