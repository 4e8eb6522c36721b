/* runmeta.h: loads a RunMetadata file as one step. */
#ifndef TFPROF_LOAD_RUNMETA_H
#define TFPROF_LOAD_RUNMETA_H

#include "load/loader.h"

/* Adds the binary RunMetadata in l->input as step l->next_step, and increments that; a file without
 * step statistics adds a note and no step. */
bool load_runmeta(struct loader *l, struct err *err);

#endif
