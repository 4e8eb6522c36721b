/* tensor.h: decodes shapes and values of TensorProto in a file (formats-graph.md sections 7 and
 * 8). */
#pragma once

#include "base/arena.h"
#include "base/wire_in.h"
#include "load/graph/attrs.h"
#include "load/graph/dtype.h"

/* Decodes a TensorShapeProto; dims are in ARENA. */
struct attr_shape tensor_shape_decode(struct wire_in message, struct arena *arena);
/* Decodes type, shape and position of a TensorProto. */
struct attr_tensor tensor_decode(struct wire_in message, struct arena *arena);
/* The number of elements of SHAPE; -1 when unknown or above 2^63 - 1. */
int64_t tensor_elements(const struct attr_shape *shape);

/* The first N elements, at V, of a literal with N_ALL, as bits for dtype_double() and
 * dtype_int64(); see struct attr_int64s. */
struct tensor_bits {
    int64_t n_all;
    size_t n;
    uint64_t *v;
};

/* At most MAX elements of T, of type TYPE (dtype_find), in ARENA. */
struct tensor_bits tensor_bits(const struct attr_tensor *t, const struct dtype *type, size_t max,
                               struct arena *arena);
