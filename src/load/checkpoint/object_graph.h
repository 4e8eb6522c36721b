/* object_graph.h: which variable of a graph a TF2 checkpoint's key belongs to
 * (formats-checkpoint.md section 6.2). */
#ifndef TFPROF_LOAD_OBJECT_GRAPH_H
#define TFPROF_LOAD_OBJECT_GRAPH_H

#include "model/attr.h"

/* Calls EACH for every stored value of a serialized TrackableObjectGraph; the
 * full name is "" when the file has none. */
void object_graph_walk(struct attr_bytes graph,
                       void (*each)(void *context, struct attr_bytes key,
                                    struct attr_bytes full_name),
                       void *context);

#endif
