/* read_inputs.h: reads each input of a load with the reader of its format. */
#ifndef TFPROF_LOAD_READ_INPUTS_H
#define TFPROF_LOAD_READ_INPUTS_H

#include "load/inputs.h"

/* Reads inputs [FROM, TO) of INPUTS into the builder of L; earlier ones are already read.  False
 * with ERR when inputs->in_work cannot be read or the load is cancelled.  Truncates INPUTS when a
 * stop was requested. */
bool read_inputs(struct loader *l, struct inputs *inputs, size_t from, size_t to, struct err *err);
/* Completes the load after the first N of INPUTS, all that the builder of L contains, are read. */
bool finish_inputs(struct loader *l, const struct inputs *inputs, size_t n, struct err *err);

#endif
