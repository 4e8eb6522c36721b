/* functions.h: adds the bodies of library functions to the graph, below the nodes that call them
 * (formats-graph.md section 9). */
#pragma once

#include "load/loader.h"

/* Limits for nodes that bodies add to a graph: the larger one for the first copies of bodies, the
 * smaller one for further copies.  Calls without rows are counted as well, see
 * flops/function_counts.h. */
enum { FUNCTIONS_MAX_NODES = 1 << 20, FUNCTIONS_REPEATED_NODES = 1 << 17 };

/* Registers the functions of a FunctionDefLibrary, part of l->input; the first of equal names
 * counts. */
void functions_add_library(struct loader *l, struct span library);
/* Registers the outputs of the ops in an OpList. */
void functions_add_ops(struct loader *l, struct span ops);

/* Adds the bodies as selected by -functions.  Recursive calls and bodies beyond the limits are left
 * out, with a note.  False with ERR when cancelled. */
bool functions_expand(struct loader *l, struct err *err);
