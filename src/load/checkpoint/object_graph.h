/* object_graph.h: maps keys of a TF2 checkpoint to variables of a graph (formats-checkpoint.md
 * section 6.2). */
#ifndef TFPROF_LOAD_OBJECT_GRAPH_H
#define TFPROF_LOAD_OBJECT_GRAPH_H

#include "model/attr.h"

/* Calls EACH for every stored value of a serialized TrackableObjectGraph; the full name is "" when
 * it is missing. */
void object_graph_walk(struct attr_bytes graph,
                       void (*each)(void *context, struct attr_bytes key,
                                    struct attr_bytes full_name),
                       void *context);

#endif
