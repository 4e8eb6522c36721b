/* count_node.h: counts one node by the rule of its op. */
#ifndef TFPROF_FLOPS_COUNT_NODE_H
#define TFPROF_FLOPS_COUNT_NODE_H

#include "flops/count_table.h"
#include "shapes/shape_graph.h"

/* The rule for NODE of G; with FULL our own rule, if there is one.  NULL: none. */
const struct count_rule *count_rule_of(const struct count_table *rules,
                                       const struct shape_graph *g, node_id node, bool full);
/* Counts NODE by RULES into T, after tally_init().  Resets SCRATCH. */
void count_node(const struct count_table *rules, const struct shape_graph *g, node_id node,
                bool full, struct arena *scratch, struct tally *t);

#endif
