/* consumers.h: the consumers of each node: the inputs reversed. */
#pragma once

#include "model/profile.h"

/* Compressed sparse rows: consumers of node I are nodes[begin[I]] to nodes[begin[I + 1] - 1]. */
struct consumers {
    uint32_t *begin; /* NULL: not built yet */
    node_id *nodes;
};

void consumers_build(struct consumers *c, const struct profile *p);
void consumers_done(struct consumers *c);
