/* held.h: memory of programs in nodes that never run themselves: arguments and constants
 * (formats-xplane.md section 11). */
#ifndef TFPROF_LOAD_XPLANE_HELD_H
#define TFPROF_LOAD_XPLANE_HELD_H

#include "load/xplane/program_nodes.h"

/* Fills c->held, whose c->device_begin is there.  All events of R have their steps and nodes. */
void held_add(const struct run *r, const struct nodes *n, struct capture *c);

#endif
