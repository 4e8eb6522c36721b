/* run_notes.h: notes about missing data and its share of the capture (formats-xplane.md section
 * 12). */
#ifndef TFPROF_LOAD_XPLANE_RUN_NOTES_H
#define TFPROF_LOAD_XPLANE_RUN_NOTES_H

#include "load/xplane/program_nodes.h"

/* Adds a note for each kind of missing data. */
void run_notes_add(const struct run *r, const struct nodes *n, struct loader *l,
                   const struct capture *c);

#endif
