/* lane_place.c: which thread lane a slice is drawn in. */
#include "view/pictures/lane_place.h"

#include <stdlib.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Doubles the leaves; the new ones are free. */
static void grow(struct lane_ends *l)
{
    size_t n = l->n_leaves ? l->n_leaves * 2 : 4;
    struct lane_ends bigger = {.n_leaves = n};

    vec_resize_zero(&bigger.tree, 2 * n);
    for (size_t i = 0; i < n; i++)
        bigger.tree.data[n + i] = i < l->n_leaves ? l->tree.data[l->n_leaves + i] : INT64_MIN;
    for (size_t i = n - 1; i > 0; i--)
        bigger.tree.data[i] = smaller(bigger.tree.data[2 * i], bigger.tree.data[2 * i + 1]);
    lane_ends_done(l);
    *l = bigger;
}

uint32_t lane_ends_place(struct lane_ends *l, int64_t start_us, int64_t end_us)
{
    size_t i = 1;

    if (!l->n_leaves || l->tree.data[1] > start_us)
        grow(l);
    while (i < l->n_leaves)
        i = l->tree.data[2 * i] <= start_us ? 2 * i : 2 * i + 1;
    l->tree.data[i] = end_us;
    for (size_t up = i / 2; up > 0; up /= 2)
        l->tree.data[up] = smaller(l->tree.data[2 * up], l->tree.data[2 * up + 1]);
    return (uint32_t)(i - l->n_leaves);
}

void lane_ends_done(struct lane_ends *l)
{
    vec_done(&l->tree);
    l->n_leaves = 0;
}

static int by_start(const void *x, const void *y)
{
    const struct placed_slice *a = x, *b = y;

    if (a->slice.start_ticks != b->slice.start_ticks)
        return a->slice.start_ticks < b->slice.start_ticks ? -1 : 1;
    if (a->slice.dur_ticks != b->slice.dur_ticks)
        return a->slice.dur_ticks > b->slice.dur_ticks ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

uint32_t slices_place(struct placed_slice *slices, size_t n)
{
    VEC(int64_t) open = {0}; /* ends of what is open in the first thread, each within those before */
    struct lane_ends others = {0};
    uint32_t n_threads = 1;

    if (n)
        qsort(slices, n, sizeof *slices, by_start);
    for (size_t i = 0; i < n; i++) {
        struct placed_slice *at = &slices[i];
        const int64_t end = lane_slice_end(&at->slice);

        while (open.n && open.data[open.n - 1] <= at->slice.start_ticks)
            open.n--;
        if (!open.n || end <= open.data[open.n - 1]) {
            vec_push(&open, end);
            continue;
        }
        at->thread = 1 + lane_ends_place(&others, at->slice.start_ticks, end);
        if (at->thread >= n_threads)
            n_threads = at->thread + 1;
    }
    lane_ends_done(&others);
    vec_done(&open);
    return n_threads;
}
