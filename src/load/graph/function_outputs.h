/* function_outputs.h: outputs of ops that functions call by name: "node:name:index" is
 * counted over all outputs of the node. */
#ifndef TFPROF_LOAD_FUNCTION_OUTPUTS_H
#define TFPROF_LOAD_FUNCTION_OUTPUTS_H

#include "load/graph/function_library.h"

/* No node has more outputs; sums stop there. */
enum { MAX_OUTPUTS = 1 << 20 };

/* What one body needs of them. */
struct output_names {
    struct function_library *lib; /* its lock is held */
    struct budget *budget;
    VEC(uint32_t *) before;       /* by node, by argument of its op; NULL: not asked for */
};

/* How many outputs of NODE, of type OP and defined by NODE_DEF, stand before those that the
 * op calls NAME; 0 when it does not call any so. */
int64_t outputs_before(struct output_names *names, node_id node, struct span node_def,
                       struct span op, struct span name);
void output_names_done(struct output_names *names);

#endif
