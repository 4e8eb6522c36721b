/* shape_origin.h: the origin of a shape. */
#ifndef TFPROF_SHAPES_SHAPE_ORIGIN_H
#define TFPROF_SHAPES_SHAPE_ORIGIN_H

enum shape_origin {
    SHAPE_NOT_KNOWN, /* even the rank is unknown */
    SHAPE_BOUND,     /* -bind or -batch */
    SHAPE_RECORDED,
    SHAPE_OF_RUN,
    SHAPE_INFERRED,
    SHAPE_ORIGIN_COUNT
};

/* "recorded", "of a run": static text; "unknown" for SHAPE_NOT_KNOWN. */
const char *shape_origin_name(enum shape_origin origin);

/* Limit for outputs of a node, against hostile attributes. */
enum { SHAPE_OUTPUTS_MAX = 4096 };

#endif
