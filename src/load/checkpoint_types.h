/* checkpoint_types.h: what a checkpoint tells about a graph's nodes. */
#ifndef TFPROF_LOAD_CHECKPOINT_TYPES_H
#define TFPROF_LOAD_CHECKPOINT_TYPES_H

#include "base/err.h"
#include "model/builder.h"

/* Opens the checkpoint PATH and adds the type `_checkpoint_variables` to the
 * nodes it has values for (semantics.md 1.4).  The profile under construction
 * keeps it open for its values.  False with ERR. */
bool load_checkpoint(struct builder *b, const char *path, struct err *err);

#endif
