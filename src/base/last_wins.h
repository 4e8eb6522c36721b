/* last_wins.h: sorts a list by key and keeps the last of equal items. */
#pragma once

#include <stddef.h>

/* Sorts N items of ITEM_BYTES by COMPARE and keeps the last of equal items.  Returns their number.
 * Strictly ascending lists, the usual case, are only scanned. */
size_t sort_last_wins(void *items, size_t n, size_t item_bytes,
                      int (*compare)(const void *, const void *));
