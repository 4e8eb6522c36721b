/* records.h: the events of a run as executions of nodes (formats-xplane.md section 11). */
#ifndef TFPROF_LOAD_XPLANE_RECORDS_H
#define TFPROF_LOAD_XPLANE_RECORDS_H

#include "load/xplane/program_nodes.h"

/* Adds a record for each node, step and device that it ran on.  All events have self_ps and the
 * places of their steps.  ORIGIN_PS is subtracted from instants. */
void records_add(struct run *r, const struct nodes *n, struct loader *l, int64_t origin_ps);

#endif
