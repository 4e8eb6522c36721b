/* metagraph.h: loads MetaGraphDef and SavedModel (formats-graph.md sections 10 and 11). */
#ifndef TFPROF_LOAD_METAGRAPH_H
#define TFPROF_LOAD_METAGRAPH_H

#include "load/loader.h"

/* Loads the MetaGraphDef META, part of l->input: its graph, and the type `_trainable_variables`
 * from the collection of that name (oplog.md section 4.3) or from its objects.  False with ERR. */
bool load_meta_graph(struct loader *l, struct span meta, struct err *err);

#endif
