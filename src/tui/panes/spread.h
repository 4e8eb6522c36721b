/* spread.h: who of several took least, the median and most time, for the details. */
#ifndef TFPROF_TUI_SPREAD_H
#define TFPROF_TUI_SPREAD_H

#include "tui/panes/lines.h"

struct spread_item {
    int64_t ps;
    uint32_t which; /* the caller's; of equal times the lowest comes first */
};

/* Adds HEADER and three lines of N items, which are sorted; nothing of less than two.  PUT says WHICH
 * it is. */
void spread_add(struct lines *l, const char *header, struct spread_item *items, size_t n,
                void (*put)(struct lines *l, const void *context, uint32_t which),
                const void *context);

#endif
