/* steps.h: assigns events to steps (formats-xplane.md section 10). */
#ifndef TFPROF_LOAD_XPLANE_STEPS_H
#define TFPROF_LOAD_XPLANE_STEPS_H

#include "load/xplane/executions.h"

/* Fills r->steps with step numbers, ascending, and sets the step of all events to indexes in it;
 * EVENT_BEGINS is kept.  Adds a note about the rule used.  RUNS comes from executions_find(). */
enum capture_steps steps_find(struct run *r, struct loader *l, const struct nodes *n,
                              const uint32_t *main_programs, const struct device_runs *runs);

#endif
