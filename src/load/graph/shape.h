/* shape.h: decodes TensorShapeProtos, on any thread; they are interned later. */
#pragma once

#include "base/arena.h"
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

/* The best attribute so far; none when zeroed. */
struct element_attr {
    unsigned rank;     /* 0: none; higher ranks describe the outputs better */
    struct span value; /* AttrValue */
};

/* Keeps VALUE, the AttrValue of attribute KEY, if its rank is higher than BEST's. */
void element_attr_note(struct element_attr *best, struct span key, struct span value);
/* The size of an element in bits; 0: unknown, varying, or malformed. */
uint8_t element_attr_bits(const struct element_attr *best, struct arena *pieces);
