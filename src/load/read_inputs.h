/* read_inputs.h: each input of a load by the reader of its format. */
#ifndef TFPROF_LOAD_READ_INPUTS_H
#define TFPROF_LOAD_READ_INPUTS_H

#include "load/inputs.h"

/* Reads of INPUTS, collected, those numbered FROM to TO in their order into the builder of L; those
 * before are read.  False with ERR when one of them, inputs->in_work, cannot be read or the load is
 * cancelled.  Fewer are left in INPUTS when a stop is asked for. */
bool read_inputs(struct loader *l, struct inputs *inputs, size_t from, size_t to, struct err *err);
/* What is known once the first N of INPUTS, all that the builder of L is made of, are read. */
bool finish_inputs(struct loader *l, const struct inputs *inputs, size_t n, struct err *err);

#endif
