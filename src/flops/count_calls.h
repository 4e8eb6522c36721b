/* count_calls.h: full counts of nodes that call functions; flops.md section 7. */
#ifndef TFPROF_FLOPS_COUNT_CALLS_H
#define TFPROF_FLOPS_COUNT_CALLS_H

#include "flops/tally.h"

/* The count of the body with the call's arguments. */
void count_call(struct opctx *c, struct tally *t);
/* The largest count among the branches. */
void count_branches(struct opctx *c, struct tally *t);
/* Condition and body, one trip. */
void count_loop(struct opctx *c, struct tally *t);

struct shape_graph;

/* Counts NODE of G by the rules; T begins with tally_init. */
void count_node(const struct shape_graph *g, node_id node, bool full, struct arena *scratch,
                struct tally *t);

#endif
