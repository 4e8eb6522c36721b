/* matching_nodes.c: selects the nodes that match the filters on names, types and devices. */
#include "view/pictures/matching_nodes.h"

#include "base/xalloc.h"

/* True unless the row is hidden because of its name; depth and figures do not matter. */
static bool matches(uint8_t why)
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

uint8_t *matching_nodes(const struct result *r)
{
    const struct tree *t = r->tree;
    uint8_t *matching = xcalloc((size_t)r->profile->n_nodes + 1, 1);

    for (row_id row = 1; row < t->n_rows; row++)
        if (matches(r->why[row]) && matches(r->tested[row]))
            for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
                const node_id node = profile_node_of_part(r->profile, t->members[i]);

                matching[node] |= r->node_accounted[node];
            }
    return matching;
}
