/* scope_parts.h: the rows of the scope view made by all cores, where names are in the order of rows. */
#ifndef TFPROF_VIEW_SCOPE_PARTS_H
#define TFPROF_VIEW_SCOPE_PARTS_H

#include "view/build/builders.h"

/* Fills T with the rows of the scope view of REQUEST's profile, whose names NAMES are in byte order,
 * and COMMON [n_nodes] with the bytes that each of them shares with the one before it.  False, with
 * COMMON filled and T as it was, when a name goes on with a byte below '/' where another has a
 * scope, so that rows would stand in another order than names.  When cancelled T is not whole. */
bool scope_parts_build(struct tree *t, const struct tree_request *request, const struct text *names,
                       uint32_t *common);

#endif
