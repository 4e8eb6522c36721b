/* stable_sort.c: stable merge sort of pointers and of arrays.
 *
 * The input usually consists of sorted runs: whole tables, or several of them one after the other.
 * Neighbouring runs are merged until one is left, which takes O(n log runs). */
#include "base/stable_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

typedef VEC(size_t) run_ends;

/* One of two kinds of callbacks; the other is NULL. */
struct order {
    stable_before *before;
    stable_compare *compare;
};

static bool is_before(const struct order *order, const void *a, const void *b)
{
    return order->before ? order->before(a, b) : order->compare(a, b) < 0;
}

/* Collects the ends of the sorted runs. Collects none if all items are one run. */
static void find_runs(const void *const *items, size_t n, const struct order *order,
                      run_ends *ends)
{
    for (size_t i = 1; i < n; i++)
        if (is_before(order, items[i], items[i - 1]))
            vec_push(ends, i);
    if (ends->n)
        vec_push(ends, n);
}

/* Merges [FROM, MID) and [MID, TO) of IN into OUT. Of equal items the left one comes first. */
static void merge(const void *const *in, const void **out, size_t from, size_t mid, size_t to,
                  const struct order *order)
{
    size_t a = from, b = mid;

    for (size_t i = from; i < to; i++)
        out[i] = a < mid && (b == to || !is_before(order, in[b], in[a])) ? in[a++] : in[b++];
}

/* Merges each pair of neighbouring runs, which halves the number of ENDS. */
static void merge_runs(const void *const *from, const void **into, const struct order *order,
                       run_ends *ends)
{
    size_t at = 0, n = 0;

    for (size_t i = 0; i < ends->n; i += 2) {
        const size_t mid = ends->data[i], to = i + 1 < ends->n ? ends->data[i + 1] : mid;

        merge(from, into, at, mid, to, order);
        ends->data[n++] = at = to;
    }
    ends->n = n;
}

static void sort_pointers(const void **items, size_t n, const struct order *order)
{
    const void **from = items, **into;
    run_ends ends = {0};

    find_runs(items, n, order, &ends);
    if (!ends.n)
        return;
    into = xreallocarray(NULL, n, sizeof *into);
    while (ends.n > 1) {
        const void **swap = from;

        merge_runs(from, into, order, &ends);
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

void stable_sort(const void **items, size_t n, stable_before *before)
{
    sort_pointers(items, n, &(struct order){.before = before});
}

/* IS_STRICT: without equal items. */
static bool is_sorted(const unsigned char *items, size_t n, size_t size_bytes,
                      stable_compare *compare, bool is_strict)
{
    for (size_t i = 1; i < n; i++, items += size_bytes)
        if (compare(items, items + size_bytes) > (is_strict ? -1 : 0))
            return false;
    return true;
}

/* Moves item ITEMS[i] to place I of ARRAY, along each cycle of the permutation. */
static void permute(unsigned char *array, const void **items, size_t n, size_t size_bytes)
{
    unsigned char *first = xreallocarray(NULL, 1, size_bytes);

    for (size_t i = 0; i < n; i++) {
        unsigned char *const begin = array + i * size_bytes, *to = begin;

        if (items[i] == begin)
            continue;
        memcpy(first, begin, size_bytes);
        for (size_t at = i;;) {
            const unsigned char *from = items[at];

            items[at] = to;
            memcpy(to, from == begin ? first : from, size_bytes);
            if (from == begin)
                break;
            at = (size_t)(from - array) / size_bytes;
            to = array + at * size_bytes;
        }
    }
    free(first);
}

void stable_sort_array(void *array, size_t n, size_t size_bytes, stable_compare *compare)
{
    const void **items;

    if (is_sorted(array, n, size_bytes, compare, false))
        return;
    items = xreallocarray(NULL, n, sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (unsigned char *)array + i * size_bytes;
    sort_pointers(items, n, &(struct order){.compare = compare});
    permute(array, items, n, size_bytes);
    free(items);
}

size_t sort_last_wins(void *array, size_t n, size_t size_bytes, stable_compare *compare)
{
    unsigned char *items = array;
    size_t kept = 0;

    if (is_sorted(items, n, size_bytes, compare, true))
        return n;
    stable_sort_array(items, n, size_bytes, compare);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && compare(items + i * size_bytes, items + (i + 1) * size_bytes) == 0)
            continue;
        memmove(items + kept++ * size_bytes, items + i * size_bytes, size_bytes);
    }
    return kept;
}
