/* self_time.h: what events of a line took beside those within them (formats-xplane.md section 7). */
#ifndef TFPROF_LOAD_XPLANE_SELF_TIME_H
#define TFPROF_LOAD_XPLANE_SELF_TIME_H

#include "load/xplane/run.h"

/* Sorts the events of T: by start, the longer one first, else as they came. */
void track_sort(struct track *t);

/* Sets self_ps of all events of the sorted T, by its use:
 * of a device the whole time; of compiled code without the events that lie within it; of ops on
 * a host by what is innermost at each moment. */
void track_self_times(struct track *t);

#endif
