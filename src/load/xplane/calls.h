/* calls.h: Python calls and runtime calls on host threads (formats-xplane.md section 7). */
#ifndef TFPROF_LOAD_XPLANE_CALLS_H
#define TFPROF_LOAD_XPLANE_CALLS_H

#include "load/xplane/run.h"

/* Makes one op for each distinct path of Python calls, and sets self_ps of all events in the sorted
 * TRACK_CALLS tracks: duration minus nested Python calls and ops. */
void calls_find(struct run *r);

#endif
