/* function_calls.h: finds the functions that the nodes of a graph call. */
#pragma once

#include "base/vec.h"
#include "load/graph/function_library.h"

/* A function that a node calls. */
struct callee {
    struct library_function *function;
    strid role; /* in lib->names: "then_branch", "branches_0"; "" when the op names it */
};
typedef VEC(struct callee) callee_list;

/* A node and the functions that it calls. */
struct body_call {
    node_id node;
    struct span name; /* its name, borrowed */
    uint32_t first_callee, n_callees; /* range in body_calls.callees */
};

/* The calls in a graph, sorted by node name, so that a limit on calls does not depend on the order
 * of the file. */
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
