/* uncounted.h: numbers of operations below a row without a count because a shape is unknown.
 * Totals without them are marked. */
#pragma once

#include "view/query.h"

/* A zeroed struct has none. */
struct uncounted {
    const struct tree *tree; /* borrowed, as are the next two: identify the result */
    const uint8_t *accounted;
    const struct flops *flops;
    /* by index of the tree's members: number of those before it; NULL: none at all */
    uint32_t *before;
};

/* Fills the zeroed G for R, whose operations are counted. */
void uncounted_make(struct uncounted *g, const struct result *r);
/* True when G is also valid for R. The columns of G's result must be alive. */
bool uncounted_fit(const struct uncounted *g, const struct result *r);
void uncounted_done(struct uncounted *g);
/* Number of accounted nodes without a count at and below ROW. */
uint32_t uncounted_below(const struct uncounted *g, row_id row);
