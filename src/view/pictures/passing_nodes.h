/* passing_nodes.h: which nodes pass the filters of names, types and devices. */
#ifndef TFPROF_VIEW_PICTURES_PASSING_NODES_H
#define TFPROF_VIEW_PICTURES_PASSING_NODES_H

#include "view/query.h"

/* [n_nodes] 1 where a row that passes the filters of names, types and devices of R stands for the
 * node; heap. */
uint8_t *passing_nodes(const struct result *r);

#endif
