/* gaps.h: how many operations below a row have no count because a shape is
 * unknown: a total without them says so. */
#ifndef TFPROF_TUI_GAPS_H
#define TFPROF_TUI_GAPS_H

#include "view/query.h"

/* A zeroed struct is empty and ready. */
struct gaps {
    const struct result *of;
    uint32_t *before; /* by place in the tree's members: gaps ahead of it; NULL: none at all */
};

/* Makes G that of R; nothing is done while R is the same. */
void gaps_update(struct gaps *g, const struct result *r);
void gaps_done(struct gaps *g);
/* Accounted nodes at and below ROW (of the result that G is of). */
uint32_t gaps_below(const struct gaps *g, row_id row);

#endif
