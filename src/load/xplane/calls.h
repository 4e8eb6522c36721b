/* calls.h: Python calls and what else threads of a host did beside ops (formats-xplane.md section 7). */
#ifndef TFPROF_LOAD_XPLANE_CALLS_H
#define TFPROF_LOAD_XPLANE_CALLS_H

#include "load/xplane/run.h"

/* Makes an op of each distinct path of Python calls, and sets self_ps of all events in the sorted
 * tracks of calls: the duration without the Python calls and ops within. */
void calls_find(struct run *r);

#endif
