/* graphdef.h: a GraphDef file. */
#ifndef TFPROF_LOAD_GRAPHDEF_H
#define TFPROF_LOAD_GRAPHDEF_H

#include "load/loader.h"

/* Adds the nodes of the binary GraphDef that is l->input. */
bool load_graphdef(struct loader *l, struct err *err);

/* The same of a text. */
bool load_graphdef_text(struct loader *l, struct err *err);

#endif
