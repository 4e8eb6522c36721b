/* passing_nodes.c: selects the nodes that pass the filters on names, types and devices. */
#include "view/pictures/passing_nodes.h"

#include "base/xalloc.h"

/* True unless the row is hidden because of its name; depth and figures do not matter. */
static bool passes(uint8_t why)
{
    switch (why) {
    case WHY_NOT_KEPT:
    case WHY_NOT_STARTED:
    case WHY_TRIMMED:
    case WHY_SHOW:
    case WHY_HIDE:
    case WHY_DEVICE:
        return false;
    default:
        return true;
    }
}

uint8_t *passing_nodes(const struct result *r)
{
    const struct tree *t = r->tree;
    uint8_t *passing = xcalloc((size_t)r->profile->n_nodes + 1, 1);

    for (row_id row = 1; row < t->n_rows; row++)
        if (passes(r->why[row]) && passes(r->tested[row]))
            for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
                const node_id node = profile_node_of_part(r->profile, t->members[i]);

                passing[node] |= r->node_accounted[node];
            }
    return passing;
}
