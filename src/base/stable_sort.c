/* stable_sort.c: sorting pointers so that equals stay in their order. */
#include "base/stable_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool is_sorted(const void *const *items, size_t n, stable_before *before)
{
    for (size_t i = 1; i < n; i++)
        if (before(items[i], items[i - 1]))
            return false;
    return true;
}

/* Merges [FROM, MID) and [MID, TO) of IN to OUT; of equals the left one first. */
static void merge(const void *const *in, const void **out, size_t from, size_t mid, size_t to,
                  stable_before *before)
{
    size_t a = from, b = mid;

    for (size_t i = from; i < to; i++)
        out[i] = a < mid && (b == to || !before(in[b], in[a])) ? in[a++] : in[b++];
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

void stable_sort(const void **items, size_t n, stable_before *before)
{
    const void **from = items, **into;

    if (is_sorted(items, n, before))
        return;
    into = xreallocarray(NULL, n, sizeof *into);
    for (size_t len = 1; len < n; len *= 2) {
        const void **swap = from;

        for (size_t at = 0; at < n; at += 2 * len)
            merge(from, into, at, min(at + len, n), min(at + 2 * len, n), before);
        from = into;
        into = swap;
    }
    if (from == items) {
        free(into);
        return;
    }
    memcpy(items, from, n * sizeof *items);
    free(from);
}
