/* tensor_bytes.h: how much an execution of a node reads and writes, by the sizes of its tensors. */
#ifndef TFPROF_MODEL_TENSOR_BYTES_H
#define TFPROF_MODEL_TENSOR_BYTES_H

#include "model/profile.h"

/* Bytes of all inputs and outputs of each node of P at one execution: heap, [n_nodes].  0 where the
 * shape or the type of one of them is not known (doc/semantics.md section 2, bytes_accessed).
 * Linear in the inputs and outputs. */
int64_t *tensor_bytes_new(const struct profile *p);

#endif
