/* bind.h: shapes that the user sets for nodes: "images=8x224x224x3,mask=8x?". */
#ifndef TFPROF_FLOPS_BIND_H
#define TFPROF_FLOPS_BIND_H

#include "base/err.h"
#include "shapes/shape_graph.h"

/* Parses TEXT (NULL: nothing) into memory of ARENA.  False with ERR (usage) for an item that is not
 * NODE=SIZExSIZE..., or for a node that P does not have. */
bool bind_parse(const struct profile *p, const char *text, struct arena *arena,
                const struct shape_binding **bindings, size_t *n, struct err *err);

#endif
