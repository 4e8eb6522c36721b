/* records.h: turns events into execution records of nodes (formats-xplane.md section 11). */
#ifndef TFPROF_LOAD_XPLANE_RECORDS_H
#define TFPROF_LOAD_XPLANE_RECORDS_H

#include "load/xplane/program_nodes.h"

/* Adds a record for each node, step and device with events.  All events have self_ps and step
 * indexes.  ORIGIN_PS is subtracted from times. */
void records_add(struct run *r, const struct nodes *n, struct loader *l, int64_t origin_ps);

#endif
