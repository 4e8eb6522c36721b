/* gaps.h: how many operations below a row have no count because a shape is
 * unknown: a total without them says so. */
#ifndef TFPROF_TUI_GAPS_H
#define TFPROF_TUI_GAPS_H

#include "view/query.h"

/* A zeroed struct knows of none. */
struct gaps {
    const struct tree *tree; /* borrowed, as are the next two: what these are of */
    const uint8_t *accounted;
    const struct flops *flops;
    uint32_t *before; /* by place in the tree's members: gaps ahead of it; NULL: none at all */
};

/* Fills the zeroed G for R, whose operations are counted. */
void gaps_make(struct gaps *g, const struct result *r);
/* True when G is right for R, too; what G is of must be alive. */
bool gaps_fit(const struct gaps *g, const struct result *r);
void gaps_done(struct gaps *g);
/* Accounted nodes at and below ROW. */
uint32_t gaps_below(const struct gaps *g, row_id row);

#endif
