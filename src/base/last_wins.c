/* last_wins.c: sorts a list by key and keeps the last of equal items. */
#include "base/last_wins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

typedef int compare_fn(const void *, const void *);

static bool is_ascending(const unsigned char *items, size_t n, size_t size, compare_fn *compare)
{
    for (size_t i = 1; i < n; i++)
        if (compare(items + (i - 1) * size, items + i * size) >= 0)
            return false;
    return true;
}

/* Merges the sorted ranges [0, half) and [half, n) of FROM into TO; of equal items the left one
 * comes first. */
static void merge(const unsigned char *from, unsigned char *to, size_t half, size_t n, size_t size,
                  compare_fn *compare)
{
    size_t left = 0, right = half;

    for (size_t i = 0; i < n; i++) {
        bool take_left = right == n ||
                         (left < half && compare(from + left * size, from + right * size) <= 0);

        memcpy(to + i * size, from + (take_left ? left++ : right++) * size, size);
    }
}

/* Bottom-up merge sort: stable, O(n log n) for every input. */
static void stable_sort(unsigned char *items, size_t n, size_t size, compare_fn *compare)
{
    unsigned char *spare = xreallocarray(NULL, n, size);
    unsigned char *from = items, *to = spare;

    for (size_t run = 1; run < n; run *= 2) {
        unsigned char *swap = from;

        for (size_t i = 0; i < n; i += 2 * run) {
            size_t rest = n - i;

            merge(from + i * size, to + i * size, run < rest ? run : rest,
                  2 * run < rest ? 2 * run : rest, size, compare);
        }
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, n * size);
    free(spare);
}

size_t sort_last_wins(void *items, size_t n, size_t item_bytes, compare_fn *compare)
{
    unsigned char *p = items;
    size_t kept = 0;

    if (is_ascending(p, n, item_bytes, compare))
        return n;
    stable_sort(p, n, item_bytes, compare);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && compare(p + i * item_bytes, p + (i + 1) * item_bytes) == 0)
            continue;
        memmove(p + kept++ * item_bytes, p + i * item_bytes, item_bytes);
    }
    return kept;
}
