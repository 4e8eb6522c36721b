/* spread.h: least, median and most of several times, for the details. */
#ifndef TFPROF_TUI_SPREAD_H
#define TFPROF_TUI_SPREAD_H

#include "tui/panes/lines.h"

struct spread_item {
    int64_t ps;
    uint32_t which; /* for the caller; of equal times the lowest is first */
};

/* Adds HEADER and three lines about N items, which it sorts; nothing for fewer than two. PUT
 * appends the name of WHICH. */
void spread_add(struct lines *l, const char *header, struct spread_item *items, size_t n,
                void (*put)(struct lines *l, const void *context, uint32_t which),
                const void *context);

#endif
