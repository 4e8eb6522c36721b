/* join.h: merges the data of one file into the run (formats-xplane.md section 6). */
#ifndef TFPROF_LOAD_XPLANE_JOIN_H
#define TFPROF_LOAD_XPLANE_JOIN_H

#include "load/xplane/event_batch.h"

/* Registers the host name of XSpace X, the current file of L, in r->names. */
void join_name(struct run *r, struct loader *l, const struct xspace *x);
/* Adds the host of X, whose name is entry FILE of r->names.  Errors and warnings in X become notes.
 * Returns the index in r->hosts. */
uint32_t join_host(struct run *r, struct loader *l, const struct xspace *x, uint32_t file);
/* Adds the compiled programs in plane P. */
bool join_programs(struct run *r, struct loader *l, const struct plane *p, struct err *err);
void join_events(struct run *r, struct loader *l, const struct event_batch *b);

#endif
