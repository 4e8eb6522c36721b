/* marks.h: numbers of the steps that hosts mark (formats-xplane.md section 10). */
#ifndef TFPROF_LOAD_XPLANE_MARKS_H
#define TFPROF_LOAD_XPLANE_MARKS_H

#include "load/xplane/run.h"

/* True when the numbers of the marks are those of steps: none is negative, and no host has one of
 * them twice. */
bool marks_are_numbered(const struct run *r);

/* Makes each mark a step, numbered from 0 by start, that keeps its name: "train 3", the second of
 * them "train 3 (2)".  Marks of one name on several hosts are one step.  Fills r->steps,
 * r->step_names and the step of all marks, which are in order of their starts. */
void marks_number(struct run *r, struct loader *l);

#endif
