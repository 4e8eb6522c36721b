/* metagraph.h: MetaGraphDef and SavedModel: a graph and what was said of its
 * nodes (formats-graph.md sections 10 and 11). */
#ifndef TFPROF_LOAD_METAGRAPH_H
#define TFPROF_LOAD_METAGRAPH_H

#include "load/loader.h"

/* The MetaGraphDef META, which is part of l->input: its graph, and the type
 * `_trainable_variables` from the collection of that name (oplog.md section 4.3) or
 * from the variables of its objects.  False with ERR. */
bool load_meta_graph(struct loader *l, struct span meta, struct err *err);

#endif
