/* stable_sort.c: stable merge sort of pointers.
 *
 * The input usually consists of sorted runs: whole tables, or several of them one after the other.
 * Neighbouring runs are merged until one is left, which takes O(n log runs). */
#include "base/stable_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

typedef VEC(size_t) run_ends;

/* Collects the ends of the sorted runs. Collects none if all items are one run. */
static void find_runs(const void *const *items, size_t n, stable_before *before, run_ends *ends)
{
    for (size_t i = 1; i < n; i++)
        if (before(items[i], items[i - 1]))
            vec_push(ends, i);
    if (ends->n)
        vec_push(ends, n);
}

/* Merges [FROM, MID) and [MID, TO) of IN into OUT. Of equal items the left one comes first. */
static void merge(const void *const *in, const void **out, size_t from, size_t mid, size_t to,
                  stable_before *before)
{
    size_t a = from, b = mid;

    for (size_t i = from; i < to; i++)
        out[i] = a < mid && (b == to || !before(in[b], in[a])) ? in[a++] : in[b++];
}

/* Merges each pair of neighbouring runs, which halves the number of ENDS. */
static void merge_runs(const void *const *from, const void **into, stable_before *before,
                       run_ends *ends)
{
    size_t at = 0, n = 0;

    for (size_t i = 0; i < ends->n; i += 2) {
        const size_t mid = ends->data[i], to = i + 1 < ends->n ? ends->data[i + 1] : mid;

        merge(from, into, at, mid, to, before);
        ends->data[n++] = at = to;
    }
    ends->n = n;
}

void stable_sort(const void **items, size_t n, stable_before *before)
{
    const void **from = items, **into;
    run_ends ends = {0};

    find_runs(items, n, before, &ends);
    if (!ends.n)
        return;
    into = xreallocarray(NULL, n, sizeof *into);
    while (ends.n > 1) {
        const void **swap = from;

        merge_runs(from, into, before, &ends);
        from = into;
        into = swap;
    }
    vec_done(&ends);
    if (from == items) {
        free(into);
        return;
    }
    memcpy(items, from, n * sizeof *items);
    free(from);
}
