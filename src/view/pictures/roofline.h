/* roofline.h: operation types as points below their roofs: operations per byte against operations
 * a second, both on scales of decades.  Source: see roofs.h. */
#ifndef TFPROF_VIEW_PICTURES_ROOFLINE_H
#define TFPROF_VIEW_PICTURES_ROOFLINE_H

#include "base/cancel.h"
#include "base/vec.h"
#include "view/query.h"

/* The sums of an operation type over its nodes that pass the filters, all above 0. */
struct roofline_point {
    strid op;
    node_id node; /* of those the one that takes most time */
    int64_t micros_ps, float_ops, bytes_accessed;
    /* As fields of these names have them. */
    int64_t flops_per_second, bytes_per_second, intensity, roof_percent;
    enum bound bound;
    double x, y; /* decimal logarithms of operations per byte, and a second */
};

/* Powers of ten: from 10^from to 10^to, to above from. */
struct roofline_axis {
    int from, to;
};

/* What a plot can hold: of more types those that take most time. */
enum { ROOFLINE_POINTS_MAX = 1000 };

struct roofline {
    struct roofs roofs;
    VEC(struct roofline_point) points; /* most time first */
    VEC(uint32_t) by_intensity;        /* points, the lowest first */
    VEC(uint32_t) by_rate;             /* points, the most operations a second first */
    struct roofline_axis x, y; /* with room for all points and, where both roofs are known, the ridge */
    int64_t all_ps;      /* of all types that pass, with rates or without */
    uint32_t n_rateless; /* types without operations, bytes or time */
    uint32_t n_left_out; /* points beyond ROOFLINE_POINTS_MAX */
};

/* The points of R, on the heap: of nodes for which a row stands that passes the filters of names,
 * types and devices, whatever its depth and its figures.  Linear in nodes; makes figures of R, so
 * one thread at a time.  NULL: CANCEL was asked. */
struct roofline *roofline_new(struct result *r, struct cancel_mark cancel);
void roofline_free(struct roofline *l); /* NULL is fine */

/* The decimal logarithm of what the roofs let through, in operations a second, at 10^X operations
 * per byte; a roof that is not known lets all through, so one has to be known. */
double roofline_roof(const struct roofline *l, double x);

#endif
