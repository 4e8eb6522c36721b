/* graphdef.h: a GraphDef file. */
#ifndef TFPROF_LOAD_GRAPHDEF_H
#define TFPROF_LOAD_GRAPHDEF_H

#include "load/loader.h"

struct node_choice; /* load/graph/signature.h */

/* Adds the nodes of GRAPH, a binary GraphDef inside of l->input; with a CHOICE
 * those alone. */
bool load_graph(struct loader *l, struct span graph, const struct node_choice *choice,
                struct err *err);

#endif
