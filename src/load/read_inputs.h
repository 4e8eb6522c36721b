/* read_inputs.h: each input of a load by the reader of its format. */
#ifndef TFPROF_LOAD_READ_INPUTS_H
#define TFPROF_LOAD_READ_INPUTS_H

#include "load/inputs.h"

/* Reads INPUTS, collected, in their order into the builder of L.  False with ERR when one of them,
 * inputs->in_work, cannot be read or the load is cancelled. */
bool read_inputs(struct loader *l, struct inputs *inputs, struct err *err);

#endif
