/* facts.h: what a profile keeps of a run beside nodes and executions (formats-xplane.md section 12). */
#ifndef TFPROF_LOAD_XPLANE_FACTS_H
#define TFPROF_LOAD_XPLANE_FACTS_H

#include "load/xplane/program_nodes.h"

/* Makes the capture of the profile in L; takes N over.  Instants are since ORIGIN_PS then. */
void facts_add(struct run *r, struct nodes *n, struct loader *l, enum capture_steps from,
               int64_t origin_ps);

#endif
