/* function_calls.h: which functions the nodes of a graph call. */
#ifndef TFPROF_LOAD_FUNCTION_CALLS_H
#define TFPROF_LOAD_FUNCTION_CALLS_H

#include "base/vec.h"
#include "load/graph/function_library.h"

/* A function that a node calls. */
struct callee {
    struct library_function *function;
    strid role; /* in lib->names: "then_branch", "branches_0"; "" for the op itself */
};
typedef VEC(struct callee) callee_list;

/* A node of a graph and what it calls. */
struct body_call {
    node_id node;
    struct span name; /* of it, borrowed */
    uint32_t first_callee, n_callees; /* in body_calls.callees */
};

/* The calls in a graph, in the order of the names of the nodes: which ones there is room
 * for does not depend on the order of a file. */
struct body_calls {
    bool is_known;
    VEC(struct body_call) calls;
    callee_list callees;
};

/* Fills CALLS from the first N_NODES nodes that L has built; false when cancelled. */
bool body_calls_of_graph(struct body_calls *calls, struct function_library *lib,
                         const struct loader *l, uint32_t n_nodes);
/* Fills CALLS from FUNCTION's body, once. */
void body_calls_find(struct body_calls *calls, struct function_library *lib,
                     const struct library_function *function);
void body_calls_done(struct body_calls *calls);

#endif
