/* runmeta.h: a RunMetadata file: one step. */
#ifndef TFPROF_LOAD_RUNMETA_H
#define TFPROF_LOAD_RUNMETA_H

#include "load/loader.h"

/* Adds the binary RunMetadata that is l->input as step l->next_step, and
 * counts that up; one without step statistics is noted and gives no step. */
bool load_runmeta(struct loader *l, struct err *err);

#endif
