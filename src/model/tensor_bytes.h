/* tensor_bytes.h: bytes that an execution of a node reads and writes, from tensor sizes. */
#ifndef TFPROF_MODEL_TENSOR_BYTES_H
#define TFPROF_MODEL_TENSOR_BYTES_H

#include "model/profile.h"

/* Bytes of all inputs and outputs of each node of P in one execution: heap, [n_nodes]; 0 when a
 * shape or type is unknown (doc/semantics.md section 2, bytes_accessed).  Linear time in inputs and
 * outputs. */
int64_t *tensor_bytes_new(const struct profile *p);

#endif
