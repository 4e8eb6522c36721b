/* graphdef.h: loads GraphDef files. */
#ifndef TFPROF_LOAD_GRAPHDEF_H
#define TFPROF_LOAD_GRAPHDEF_H

#include "load/loader.h"

struct node_choice; /* load/graph/signature.h */

/* Adds the nodes of GRAPH, a binary GraphDef in l->input; with CHOICE only those nodes. */
bool load_graph(struct loader *l, struct span graph, const struct node_choice *choice,
                struct err *err);

#endif
