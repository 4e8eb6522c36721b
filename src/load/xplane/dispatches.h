/* dispatches.h: when the host dispatched each execution of a compiled program (formats-xplane.md
 * section 10). */
#ifndef TFPROF_LOAD_XPLANE_DISPATCHES_H
#define TFPROF_LOAD_XPLANE_DISPATCHES_H

#include "load/xplane/run.h"

/* What is alike in the name of a function ("<lambda>", IS_FUNCTION) and of the program that is
 * made of it ("jit__lambda"): letters and digits. */
strid dispatch_key(struct loader *l, struct span name, bool is_function);

/* Sets cause_ps of all r->runs.  Runs of a program are numbered in the order in which they were
 * dispatched, so the k-th is of the k-th dispatch, but for those that were dispatched before the
 * capture began: INT64_MIN.  Where no dispatch is known it is when the run began. */
void dispatches_find(struct run *r, struct loader *l);

#endif
