/* uncounted.h: how many operations below a row have no count because a shape is
 * unknown: a total without them says so. */
#ifndef TFPROF_TUI_UNCOUNTED_H
#define TFPROF_TUI_UNCOUNTED_H

#include "view/query.h"

/* A zeroed struct knows of none. */
struct uncounted {
    const struct tree *tree; /* borrowed, as are the next two: what these are of */
    const uint8_t *accounted;
    const struct flops *flops;
    uint32_t *before; /* by place in the tree's members: those ahead of it; NULL: none at all */
};

/* Fills the zeroed G for R, whose operations are counted. */
void uncounted_make(struct uncounted *g, const struct result *r);
/* True when G is right for R, too; what G is of must be alive. */
bool uncounted_fit(const struct uncounted *g, const struct result *r);
void uncounted_done(struct uncounted *g);
/* Accounted nodes at and below ROW. */
uint32_t uncounted_below(const struct uncounted *g, row_id row);

#endif
