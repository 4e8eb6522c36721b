/* weight_types.h: types of the weights of a frozen graph, which are constants. */
#ifndef TFPROF_LOAD_WEIGHT_TYPES_H
#define TFPROF_LOAD_WEIGHT_TYPES_H

#include "model/builder.h"

/* In a graph without variables, gives every floating-point Const the type `_constant_variables` and
 * the shape of its value, so that its elements count as parameters. */
void weight_types_add(struct builder *b);

#endif
