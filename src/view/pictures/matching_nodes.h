/* matching_nodes.h: selects the nodes that match the filters on names, types and devices. */
#pragma once

#include "view/query.h"

/* [n_nodes] 1 for each node with a row that passes the filters of R on names, types and devices;
 * the caller frees the array. */
uint8_t *matching_nodes(const struct result *r);
