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

/* The first elements of a literal as their bits, for dtype_double() and
 * dtype_int64(): N at V, of N_ALL that it has; struct attr_int64s says more. */
struct tensor_bits {
    int64_t n_all;
    size_t n;
    uint64_t *v;
};

/* At most MAX elements of T, whose type is TYPE (dtype_find), in ARENA. */
struct tensor_bits tensor_bits(const struct attr_tensor *t, const struct dtype *type, size_t max,
                               struct arena *arena);

#endif
