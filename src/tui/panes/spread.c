/* spread.c: least, median and most of several times, for the details. */
#include "tui/panes/spread.h"

#include <stdlib.h>

#include "base/compare.h"
#include "model/format.h"

COMPARE_BY_TWO(by_time, struct spread_item, ps, which)

void spread_add(struct lines *l, const char *header, struct spread_item *items, size_t n,
                void (*put)(struct lines *l, const void *context, uint32_t which),
                const void *context)
{
    static const char *const labels[] = {"least", "median", "most"};

    if (n < 2)
        return;
    qsort(items, n, sizeof *items, by_time);
    lines_next(l);
    lines_puts(l, ROLE_HEADER, header);
    for (size_t i = 0; i < 3; i++) {
        const struct spread_item *item = &items[i == 0 ? 0 : i == 1 ? (n - 1) / 2 : n - 1];
        struct strbuf time = {0};

        format_time(&time, item->ps);
        lines_field(l, labels[i], ROLE_NUMBER, "%s ", sb_text(&time));
        put(l, context, item->which);
        sb_done(&time);
    }
}
