/* own_types.h: types that the user gives nodes by their names. */
#ifndef TFPROF_LOAD_OWN_TYPES_H
#define TFPROF_LOAD_OWN_TYPES_H

#include "base/err.h"
#include "model/builder.h"

/* For each NAME=REGEX of LIST (commas between, NULL: none): adds the type NAME
 * to the nodes whose whole name REGEX matches.  False with ERR (usage). */
bool own_types_add(struct builder *b, const char *list, struct err *err);

#endif
