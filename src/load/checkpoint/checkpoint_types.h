/* checkpoint_types.h: what a checkpoint tells about a graph's nodes. */
#ifndef TFPROF_LOAD_CHECKPOINT_TYPES_H
#define TFPROF_LOAD_CHECKPOINT_TYPES_H

#include "load/loader.h"

/* Opens the checkpoint l->path and adds the type `_checkpoint_variables` to the
 * nodes it has values for (semantics.md section 1.4).  The profile under construction
 * keeps it open for its values; of several the last one.  False with ERR. */
bool load_checkpoint_path(struct loader *l, struct err *err);

#endif
