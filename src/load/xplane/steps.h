/* steps.h: which step each event of a run is of (formats-xplane.md section 10). */
#ifndef TFPROF_LOAD_XPLANE_STEPS_H
#define TFPROF_LOAD_XPLANE_STEPS_H

#include "load/xplane/executions.h"

/* Fills r->steps with the numbers of the steps, ascending, and sets the step of all events to
 * places in it; EVENT_BEGINS stays.  A note says by which rule.  RUNS: of executions_find(). */
enum capture_steps steps_find(struct run *r, struct loader *l, const struct nodes *n,
                              const uint32_t *main_programs, const struct device_runs *runs);

#endif
