/* op_nodes.h: assigns events to nodes (formats-xplane.md section 8). */
#ifndef TFPROF_LOAD_XPLANE_OP_NODES_H
#define TFPROF_LOAD_XPLANE_OP_NODES_H

#include "load/xplane/program_nodes.h"

/* Gives device events without an op the op of their launch. */
void ops_take_launches(struct run *r);
/* Marks the programs that ran. */
void ops_find_programs(struct run *r);
/* Sets the node of every op in R. */
void ops_make_nodes(struct nodes *n, struct run *r, struct loader *l);

#endif
