/* function_outputs.h: converts output references by name, "node:name:index", to an index over all
 * outputs of the node. */
#pragma once

#include "load/graph/function_library.h"

/* Upper bound for the outputs of a node; sums saturate there. */
enum { MAX_OUTPUTS = 1 << 20 };

/* State while one body is converted. */
struct output_names {
    struct function_library *lib; /* its lock is held */
    struct budget *budget;
    VEC(uint32_t *) before;       /* by node, then by argument of its op; NULL: not computed yet */
};

/* The number of outputs of NODE, of type OP with definition NODE_DEF, before those called NAME; 0
 * when the op has no such output. */
int64_t outputs_before(struct output_names *names, node_id node, struct span node_def,
                       struct span op, struct span name);
void output_names_done(struct output_names *names);
