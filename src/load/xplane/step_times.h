/* step_times.h: time of each step on each device, and input wait time (formats-xplane.md section
 * 12). */
#ifndef TFPROF_LOAD_XPLANE_STEP_TIMES_H
#define TFPROF_LOAD_XPLANE_STEP_TIMES_H

#include "load/xplane/program_nodes.h"

/* Fills c->step_devices.  All events of R have self_ps, their steps and nodes. */
void step_times_add(const struct run *r, const struct nodes *n, struct capture *c);
/* Fills c->inputs. */
void input_times_add(const struct run *r, struct capture *c);

#endif
