/* last_wins.h: lists that are maps: sorted by key, the last of equals kept. */
#ifndef TFPROF_MODEL_LAST_WINS_H
#define TFPROF_MODEL_LAST_WINS_H

#include <stddef.h>

/* Sorts N items of ITEM_BYTES by COMPARE and keeps, of items that compare
 * equal, the one that came last.  Returns how many are left.  Lists in strictly
 * ascending order, the usual case, are only looked at. */
size_t sort_last_wins(void *items, size_t n, size_t item_bytes,
                      int (*compare)(const void *, const void *));

#endif
