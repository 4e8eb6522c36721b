/* scope_parts.h: builds the scope view in parallel, if rows are in name order. */
#pragma once

#include "view/build/builders.h"

/* Fills T with the rows of the scope view of REQUEST's profile. NAMES are sorted in byte order;
 * COMMON [n_nodes] receives the length of the prefix that each shares with its predecessor. Returns
 * false, with COMMON filled and T unchanged, when a name continues a scope's name with a byte below
 * '/', because row order then differs from name order. T is incomplete when cancelled. */
bool scope_parts_build(struct tree *t, const struct tree_request *request, const struct text *names,
                       uint32_t *common);

/* True if REQUEST needs mirrored scopes. For PyTorch the loader moves the backward pass. */
bool scope_is_mirrored(const struct tree_request *request);
tree_build scope_mirror_build;
