/* last_wins.c: sorts a list by key and keeps the last of equal items. */
#include "base/last_wins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"

typedef int compare_fn(const void *, const void *);

static bool is_ascending(const unsigned char *items, size_t n, size_t size, compare_fn *compare)
{
    for (size_t i = 1; i < n; i++)
        if (compare(items + (i - 1) * size, items + i * size) >= 0)
            return false;
    return true;
}

/* Compares pointers to items; of equal items the first in memory comes first. */
static int by_item(const void *a, const void *b, void *compare)
{
    const unsigned char *x = *(unsigned char *const *)a, *y = *(unsigned char *const *)b;
    const int order = (*(compare_fn *const *)compare)(x, y);

    return order ? order : COMPARE(x, y);
}

size_t sort_last_wins(void *items, size_t n, size_t item_bytes, compare_fn *compare)
{
    unsigned char *p = items, *sorted;
    unsigned char **order;
    size_t kept = 0;

    if (is_ascending(p, n, item_bytes, compare))
        return n;
    order = xreallocarray(NULL, n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = p + i * item_bytes;
    qsort_r(order, n, sizeof *order, by_item, &compare);
    sorted = xreallocarray(NULL, n, item_bytes);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || compare(order[i], order[i + 1]) != 0)
            memcpy(sorted + kept++ * item_bytes, order[i], item_bytes);
    memcpy(items, sorted, kept * item_bytes);
    free(order);
    free(sorted);
    return kept;
}
