/* functions.h: library functions: their bodies as graphs, and in the graph
 * below the nodes that call them (formats-graph.md section 9). */
#ifndef TFPROF_LOAD_FUNCTIONS_H
#define TFPROF_LOAD_FUNCTIONS_H

#include "load/loader.h"
#include "model/function.h"

/* Bodies together put at most so many nodes into a graph; a body that stands
 * there already is put below further calls only within the smaller number.  What
 * a call without rows computes is counted all the same, see flops/function_counts.h. */
enum { FUNCTIONS_MAX_NODES = 1 << 20, FUNCTIONS_REPEATED_NODES = 1 << 17 };

/* Remembers the functions of a FunctionDefLibrary, which is part of l->input;
 * of equal names the first. */
void functions_add_library(struct loader *l, struct span library);
/* Remembers what the ops of an OpList return. */
void functions_add_ops(struct loader *l, struct span ops);

/* Puts the bodies into the graph as -functions says.  What calls
 * itself, or is too much, is cut, and said.  False with ERR when cancelled. */
bool functions_expand(struct loader *l, struct err *err);

#endif
