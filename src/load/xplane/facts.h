/* facts.h: device, program and allocator data of a capture (formats-xplane.md section 12). */
#ifndef TFPROF_LOAD_XPLANE_FACTS_H
#define TFPROF_LOAD_XPLANE_FACTS_H

#include "load/xplane/program_nodes.h"

/* Creates the capture of the profile in L and takes ownership of N.  Times in it are relative to
 * ORIGIN_PS. */
void facts_add(struct run *r, struct nodes *n, struct loader *l, enum capture_steps from,
               int64_t origin_ps);

#endif
