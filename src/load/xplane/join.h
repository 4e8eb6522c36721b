/* join.h: what a file of a run says, joined with what others said (formats-xplane.md section 6). */
#ifndef TFPROF_LOAD_XPLANE_JOIN_H
#define TFPROF_LOAD_XPLANE_JOIN_H

#include "load/xplane/event_batch.h"

/* Adds the name of the host that X, the file in work of L, is of, to r->names. */
void join_name(struct run *r, struct loader *l, const struct xspace *x);
/* Adds the host of X, of which file FILE of r->names says the name; what X says of errors and losses
 * becomes notes.  Returns its place in r->hosts. */
uint32_t join_host(struct run *r, struct loader *l, const struct xspace *x, uint32_t file);
/* Adds the compiled programs in plane P. */
bool join_programs(struct run *r, struct loader *l, const struct plane *p, struct err *err);
void join_events(struct run *r, struct loader *l, const struct event_batch *b);

#endif
