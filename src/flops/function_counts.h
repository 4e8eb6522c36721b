/* function_counts.h: counts of calls from the bodies of the called functions. */
#pragma once

#include "flops/flops_types.h"
#include "shapes/shape_graph.h"

struct function_counts_request {
    const struct count_table *rules;
    bool full;  /* our rules: counts are multiplied by trips, and the costliest branch counts */
    bool loops; /* compat: also enter functions that TensorFlow does not inline */
    bool macs;
};

struct function_counts;

struct function_counts *function_counts_new(struct shape_graph *g,
                                            const struct function_counts_request *request);
void function_counts_free(struct function_counts *b);

/* Counts all nodes of the graph into COUNT and STATE (flops.md sections 2.4 and 7).  Each body is
 * counted once for each set of argument shapes.  Its counts go to the body's rows below the call,
 * or without rows to the call.  Only nodes that the results depend on count; with FULL also nodes
 * with side effects.  *SATURATED is the first node at a 64-bit limit, or NODE_NONE.  False when
 * cancelled. */
bool function_counts_run(struct function_counts *b, int64_t *count, uint8_t *state,
                         node_id *saturated,
                  struct cancel_mark cancel);

/* Where NODE is counted: in the graph itself, or in a body that runs TIMES per execution of the
 * graph. */
struct body_node {
    const struct shape_graph *graph;
    node_id node;
    int64_t times;
};
struct body_node function_counts_body_node(const struct function_counts *b, node_id node);

/* Appends the parts of the call NODE: "calls body step: 1200 * 20 = 24000; cond less: 1 * 21 = 21";
 * false when no function that it calls is entered. */
bool function_counts_explain(const struct function_counts *b, node_id node, struct strbuf *sb);
