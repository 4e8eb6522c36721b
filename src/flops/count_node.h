/* count_node.h: what a node costs by the rule of its op. */
#ifndef TFPROF_FLOPS_COUNT_NODE_H
#define TFPROF_FLOPS_COUNT_NODE_H

#include "flops/count_table.h"
#include "shapes/shape_graph.h"

/* The rule for NODE of G: with FULL ours, where we have one.  NULL: none. */
const struct count_rule *count_rule_of(const struct count_table *rules,
                                       const struct shape_graph *g, node_id node, bool full);
/* Counts NODE by RULES; T begins with tally_init.  SCRATCH is reset. */
void count_node(const struct count_table *rules, const struct shape_graph *g, node_id node,
                bool full, struct arena *scratch, struct tally *t);

#endif
