/* run_lanes.h: the lines of captures as timelines show them (formats-xplane.md section 4). */
#ifndef TFPROF_LOAD_XPLANE_RUN_LANES_H
#define TFPROF_LOAD_XPLANE_RUN_LANES_H

#include "load/loader.h"
#include "load/xplane/run.h"

/* Gives the profile a lane for each line and device that has events in it.  The events of R are
 * gone afterwards: both would not fit. */
void run_lanes_take(struct run *r, struct loader *l, int64_t origin_ps);

#endif
