/* graph_order.h: the nodes of a graph so that inputs come before what reads
 * them, as far as loops allow. */
#ifndef TFPROF_FLOPS_GRAPH_ORDER_H
#define TFPROF_FLOPS_GRAPH_ORDER_H

#include "base/cancel.h"
#include "model/profile.h"

struct graph_order {
    uint32_t n;
    node_id *nodes;
    uint32_t *consumer_begin; /* CSR: who reads a node's outputs */
    node_id *consumers;
    bool has_cycles;
};

/* Orders the nodes that WANTED marks.  Edges from a NextIteration into a Merge
 * close a loop and are left out; nodes of other cycles follow at the end.
 * False (with O to be given to graph_order_done all the same) when cancelled. */
bool graph_order_init(struct graph_order *o, const struct profile *p, const uint8_t *wanted,
                      struct cancel_mark cancel);
void graph_order_done(struct graph_order *o);

#endif
