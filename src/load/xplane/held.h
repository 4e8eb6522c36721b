/* held.h: memory of parameters and constants, which have no events (formats-xplane.md section
 * 11). */
#ifndef TFPROF_LOAD_XPLANE_HELD_H
#define TFPROF_LOAD_XPLANE_HELD_H

#include "load/xplane/program_nodes.h"

/* Fills c->held; c->device_begin is set already.  All events of R have steps and nodes. */
void held_add(const struct run *r, const struct nodes *n, struct capture *c);

#endif
