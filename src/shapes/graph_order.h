/* graph_order.h: topological order of a graph; loops are cut. */
#ifndef TFPROF_FLOPS_GRAPH_ORDER_H
#define TFPROF_FLOPS_GRAPH_ORDER_H

#include "base/cancel.h"
#include "model/profile.h"

struct graph_order {
    uint32_t n;
    node_id *nodes;
    uint32_t *consumer_begin; /* CSR: the consumers of each node */
    node_id *consumers;
    bool has_cycles;
};

/* Orders the nodes that WANTED marks.  Edges from a NextIteration to a Merge close a loop and are
 * ignored; nodes of other cycles come last.  False when cancelled; graph_order_done() is required
 * in any case. */
bool graph_order_init(struct graph_order *o, const struct profile *p, const uint8_t *wanted,
                      struct cancel_mark cancel);
void graph_order_done(struct graph_order *o);

#endif
