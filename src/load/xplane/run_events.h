/* run_events.h: the events of a run as packed tracks of the profile (formats-xplane.md section 12). */
#ifndef TFPROF_LOAD_XPLANE_RUN_EVENTS_H
#define TFPROF_LOAD_XPLANE_RUN_EVENTS_H

#include "load/loader.h"
#include "load/xplane/program_nodes.h"
#include "load/xplane/run.h"

/* Adds a track to the profile for each line and device with events, and a hidden track for the
 * launches of each host.  Times are those of executions: ORIGIN_PS becomes 0.  Frees the events of
 * R while packing, to limit peak memory. */
void run_events_add(struct run *r, const struct nodes *n, struct loader *l, int64_t origin_ps);

#endif
