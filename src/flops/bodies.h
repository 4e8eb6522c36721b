/* bodies.h: counts of the function bodies that stand in a graph. */
#ifndef TFPROF_FLOPS_BODIES_H
#define TFPROF_FLOPS_BODIES_H

#include "flops/flops.h"
#include "flops/shape_graph.h"

/* Infers every call site of G's profile for its call and counts its nodes into
 * COUNT and STATE, as flops.md sections 2.4 and 7 say: only what a call's
 * results need (or FULL: what is done for its effect); the rest gets
 * FLOPS_NO_COMPUTE.  Without LOOPS nothing in loops and branches (but of Case)
 * counts, as in TensorFlow, and gets FLOPS_NO_RULE.  Calls
 * whose bodies are counted get FLOPS_NO_COMPUTE.  False when cancelled. */
bool bodies_count(struct shape_graph *g, bool full, bool loops, bool macs, int64_t *count,
                  uint8_t *state, struct cancel_mark cancel);

#endif
