/* shape.h: decodes TensorShapeProtos, on any thread; they are interned later. */
#ifndef TFPROF_LOAD_SHAPE_H
#define TFPROF_LOAD_SHAPE_H

#include "load/loader.h"

struct decoded_shape {
    size_t first_dim;
    uint32_t n_dims;
    bool unknown_rank;
};

/* Decodes MESSAGE and appends its dims to DIMS (semantics.md section 1.1); false with ERR when it
 * is malformed. */
bool shape_decode(const struct loader *l, struct span message, dim_list *dims,
                  struct decoded_shape *shape, struct err *err);

/* The id of SHAPE, whose dims are in DIMS. */
shape_id shape_intern(struct builder *b, const dim_list *dims, const struct decoded_shape *shape);
/* Decodes and interns. */
bool load_shape(struct loader *l, struct span message, shape_id *id, struct err *err);

#endif
