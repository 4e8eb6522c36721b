/* function_calls.h: which functions the nodes of a graph call. */
#ifndef TFPROF_LOAD_FUNCTION_CALLS_H
#define TFPROF_LOAD_FUNCTION_CALLS_H

#include "base/vec.h"
#include "load/graph/function_library.h"

/* Branches beyond these are left out. */
enum { CALLEES_MAX = 64 };

/* A function that a node calls. */
struct callee {
    struct library_function *function;
    char role[64]; /* the attribute: "then_branch", "branches_0"; "" for the op itself */
};

/* A node of a body and what it calls. */
struct body_call {
    node_id node;
    uint32_t first_callee, n_callees; /* in body_calls.callees */
};

/* The calls in a body, in the order of its nodes. */
struct body_calls {
    bool is_known;
    VEC(struct body_call) calls;
    VEC(struct callee) callees;
};

/* Writes at most CALLEES_MAX functions that the node of type OP calls, whose
 * NodeDef is DEF (empty: none is known); returns how many. */
size_t callees_of(struct function_library *lib, struct span op, struct span def,
                  struct callee *callees);

/* Fills CALLS from FUNCTION's body, once. */
void body_calls_find(struct body_calls *calls, struct function_library *lib,
                     const struct library_function *function);
void body_calls_done(struct body_calls *calls);

#endif
