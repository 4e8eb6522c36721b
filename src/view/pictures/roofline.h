/* roofline.h: roofline plot: operation types by arithmetic intensity (FLOPs per byte) and FLOP/s,
 * on decimal logarithmic axes. Source: see roofs.h. */
#pragma once

#include "base/cancel.h"
#include "base/vec.h"
#include "view/query.h"

/* Sums of an operation type over its nodes that pass the filters. Time and either FLOPs or bytes
 * are positive. Without FLOPs, x is the left edge and y the FLOP/s that its bandwidth allows there,
 * so that the distance to the roof shows its share. Without bytes, x is the right edge. Points at
 * an edge are moved into the range of Y. */
struct roofline_point {
    strid op;
    node_id node; /* its most expensive node */
    int64_t micros_ps, float_ops, bytes_accessed;
    /* The fields of the same names. */
    int64_t flops_per_second, bytes_per_second, intensity, roof_percent;
    enum bound bound;
    double x, y; /* decimal logarithms of FLOPs per byte and FLOP/s */
};

/* Range from 10^from to 10^to; to > from. */
struct roofline_axis {
    int from, to;
};

/* Limit; the most expensive types are kept. */
enum { ROOFLINE_POINTS_MAX = 1000 };

struct roofline {
    struct roofs roofs;
    VEC(struct roofline_point) points; /* by time, longest first */
    VEC(uint32_t) by_intensity;        /* indices of points, lowest intensity first */
    VEC(uint32_t) by_rate;             /* indices of points, highest FLOP/s first */
    /* ranges of the points inside and, if both roofs are known, of the ridge point */
    struct roofline_axis x, y;
    int64_t all_ps;      /* time of all types that pass, including those without rates;
                          * accelerator time below accelerator peaks, else execution time */
    uint32_t n_rateless; /* number of types without time, or with neither FLOPs nor bytes */
    uint32_t n_above;    /* number of points above the roof */
    uint32_t n_left_out; /* number of types beyond ROOFLINE_POINTS_MAX */
};

/* Computes the plot of R, on the heap, from nodes with a row that passes the filters on names,
 * types and devices; depth and figures do not matter. Linear in the nodes. Computes figures of R,
 * so it is not thread-safe. NULL when cancelled. */
struct roofline *roofline_new(struct result *r, struct cancel_mark cancel);
void roofline_free(struct roofline *l); /* accepts NULL */

/* Decimal logarithm of the attainable FLOP/s at 10^X FLOPs per byte. An unknown roof does not
 * limit; at least one must be known. */
double roofline_roof(const struct roofline *l, double x);
