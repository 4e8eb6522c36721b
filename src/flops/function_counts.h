/* function_counts.h: counts of calls, by the bodies of the functions that they call. */
#ifndef TFPROF_FLOPS_FUNCTION_COUNTS_H
#define TFPROF_FLOPS_FUNCTION_COUNTS_H

#include "flops/flops_types.h"
#include "shapes/shape_graph.h"

struct function_counts_request {
    const struct count_table *rules;
    bool full;  /* our rules: trips multiply, the costliest branch counts */
    bool loops; /* compat: enter what TensorFlow does not put in place of its call */
    bool macs;
};

struct function_counts;

struct function_counts *function_counts_new(struct shape_graph *g,
                                            const struct function_counts_request *request);
void function_counts_free(struct function_counts *b);

/* Counts all nodes of the graph into COUNT and STATE, as flops.md sections 2.4
 * and 7 say.  Each body is counted once for each set of argument shapes; its
 * counts go to its nodes where they stand in the graph below the call, else to
 * the call.  Of a body only what its results need counts (or FULL: what is done
 * for its effect).  *SATURATED: the first node at a 64-bit limit, or NODE_NONE.
 * False when cancelled. */
bool function_counts_run(struct function_counts *b, int64_t *count, uint8_t *state,
                         node_id *saturated,
                  struct cancel_mark cancel);

/* Where the figures of NODE come from: a node of the graph itself, or of a body
 * that runs TIMES for one execution of the graph. */
struct body_place {
    const struct shape_graph *graph;
    node_id node;
    int64_t times;
};
struct body_place function_counts_place(const struct function_counts *b, node_id node);

/* Appends what the call NODE is counted by: "calls body step: 1200 * 20 = 24000;
 * cond less: 1 * 21 = 21"; false for a node that calls nothing that is entered. */
bool function_counts_explain(const struct function_counts *b, node_id node, struct strbuf *sb);

#endif
