/* own_types.h: op types that -define_type assigns by node name. */
#pragma once

#include "base/err.h"
#include "model/builder.h"

/* For each NAME=REGEX of LIST (comma-separated; NULL: none) adds type NAME to the nodes whose whole
 * name matches REGEX.  False with ERR (usage). */
bool own_types_add(struct builder *b, const char *list, struct err *err);

/* In a graph without variables, gives every floating-point Const the type `_constant_variables` and
 * the shape of its value, so that its elements count as parameters. */
void weight_types_add(struct builder *b);
