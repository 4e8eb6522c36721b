/* last_wins.c: sorts a list by key and keeps the last of equal items. */
#include "base/last_wins.h"

#include <stdbool.h>
#include <string.h>

#include "base/stable_sort.h"

static bool is_ascending(const unsigned char *items, size_t n, size_t size, stable_compare *compare)
{
    for (size_t i = 1; i < n; i++)
        if (compare(items + (i - 1) * size, items + i * size) >= 0)
            return false;
    return true;
}

size_t sort_last_wins(void *items, size_t n, size_t item_bytes, stable_compare *compare)
{
    unsigned char *p = items;
    size_t kept = 0;

    if (is_ascending(p, n, item_bytes, compare))
        return n;
    stable_sort_array(items, n, item_bytes, compare);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && compare(p + i * item_bytes, p + (i + 1) * item_bytes) == 0)
            continue;
        memmove(p + kept++ * item_bytes, p + i * item_bytes, item_bytes);
    }
    return kept;
}
