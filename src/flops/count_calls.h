/* count_calls.h: the functions that a node calls, and how often; flops.md
 * sections 2.4 and 7. */
#ifndef TFPROF_FLOPS_COUNT_CALLS_H
#define TFPROF_FLOPS_COUNT_CALLS_H

#include "base/vec.h"
#include "shapes/shape_graph.h"

/* One function that a node calls. */
struct call_part {
    struct attr_bytes attr;          /* that names it; "" for the op itself */
    int64_t item;                    /* of a list of functions; -1: there is none */
    struct attr_bytes function;      /* its name */
    const struct shape_graph *graph; /* the body for this call; NULL: there is none */
    int64_t times;                   /* that one call runs it; 1 when that is unknown */
    bool per_trip;                   /* it is unknown */
    bool is_branch;                  /* one of several of which one is run */
    bool is_ungiven;                 /* what is run is made from it, and not known */
    bool stays;                      /* TensorFlow does not put the body in place of the call */
};

struct call_request {
    const struct shape_graph *graph;
    node_id node;
    bool full;             /* times count, and calls that stay */
    struct arena *scratch; /* reset; names are in it */
};

typedef VEC(struct call_part) call_part_list;

/* Appends to PARTS; none: no call. */
void call_parts(const struct call_request *r, call_part_list *parts);
/* True when there are any; nothing is entered. */
bool calls_function(const struct shape_graph *g, node_id node);
/* FUNCTION by itself, which no node calls. */
struct call_part call_of_function(const struct shape_graph *g, struct attr_bytes function);

#endif
