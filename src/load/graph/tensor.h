/* tensor.h: decoding literals: shapes and values of TensorProto where they
 * stand in a file (formats-graph.md sections 7 and 8). */
#ifndef TFPROF_LOAD_TENSOR_H
#define TFPROF_LOAD_TENSOR_H

#include "base/arena.h"
#include "base/wire_in.h"
#include "load/graph/attrs.h"
#include "load/graph/dtype.h"

/* A TensorShapeProto; dims in ARENA. */
struct attr_shape tensor_shape_decode(struct wire_in message, struct arena *arena);
/* A TensorProto: type, shape and where it stands. */
struct attr_tensor tensor_decode(struct wire_in message, struct arena *arena);
/* How many elements SHAPE has; -1 when that is not known or above 2^63 - 1. */
int64_t tensor_elements(const struct attr_shape *shape);
/* At most MAX elements of type TYPE (dtype_find) as their bits, for
 * dtype_double() and dtype_int64().  Returns how many there are in all, or -1
 * when the data do not fit the shape. */
int64_t tensor_bits(const struct attr_tensor *t, const struct dtype *type, uint64_t *out,
                    size_t max);
/* At most MAX strings of a DT_STRING tensor, borrowed from the message (the
 * values of tensor_content too).  Returns how many there are in all, -1 when
 * it is no string tensor or its data do not fit. */
int64_t tensor_strings(const struct attr_tensor *t, struct attr_bytes *out, size_t max);

#endif
