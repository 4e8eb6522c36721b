/* graphdef.h: loads GraphDef files. */
#pragma once

#include "load/loader.h"

struct node_choice; /* load/graph/signature.h */

/* Adds the nodes of GRAPH, a binary GraphDef in l->input; with CHOICE only those nodes. */
bool load_graph(struct loader *l, struct span graph, const struct node_choice *choice,
                struct err *err);

/* Loads the MetaGraphDef META, part of l->input: its graph, and the type `_trainable_variables`
 * from the collection of that name (oplog.md section 4.3) or from its objects.  False with ERR. */
bool load_meta_graph(struct loader *l, struct span meta, struct err *err);
