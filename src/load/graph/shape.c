/* shape.c: decodes TensorShapeProtos, on any thread; they are interned later. */
#include "load/graph/shape.h"

/* Decodes the size of a Dim; missing is 0, below -1 is unknown. */
static bool decode_dim(const struct loader *l, struct span dim, int64_t *size, struct err *err)
{
    struct wire_in in = span_walk(dim);
    struct wire_field f;

    *size = 0;
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_VARINT)
            *size = (int64_t)f.value;
    KEEP_MAX(*size, -1);
    return load_ended(l, &in, "shape dimension", err);
}

bool shape_decode(const struct loader *l, struct span message, dim_list *dims,
                  struct decoded_shape *shape, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;
    int64_t size;

    shape->first_dim = dims->n;
    shape->unknown_rank = false;
    while (wire_next(&in, &f)) {
        if (f.number == 2 && f.type == WIRE_LEN) {
            if (!decode_dim(l, field_span(&f), &size, err))
                return false;
            vec_push(dims, size);
        } else if (f.number == 3 && f.type == WIRE_VARINT) {
            shape->unknown_rank = f.value != 0;
        }
    }
    shape->n_dims = (uint32_t)(dims->n - shape->first_dim);
    return load_ended(l, &in, "shape", err);
}

shape_id shape_intern(struct builder *b, const dim_list *dims, const struct decoded_shape *shape)
{
    if (shape->unknown_rank)
        return SHAPE_UNKNOWN;
    if (shape->n_dims == 0)
        return SHAPE_SCALAR;
    return builder_shape(b, dims->data + shape->first_dim, shape->n_dims);
}

bool load_shape(struct loader *l, struct span message, shape_id *id, struct err *err)
{
    struct decoded_shape shape;

    l->dims.n = 0;
    if (!shape_decode(l, message, &l->dims, &shape, err))
        return false;
    *id = shape_intern(l->builder, &l->dims, &shape);
    return true;
}
