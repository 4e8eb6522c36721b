/* count_calls.h: the functions that a node calls, and how often (flops.md sections 2.4 and 7). */
#pragma once

#include "base/vec.h"
#include "shapes/shape_graph.h"

/* One function that a node calls. */
struct call_part {
    struct attr_bytes attr;          /* the attribute that names it; "" for the op itself */
    int64_t item;                    /* index in a list of functions; -1: not a list */
    struct attr_bytes function;      /* its name */
    const struct shape_graph *graph; /* the body for this call; NULL: unavailable */
    int64_t times;                   /* executions per call; 1 when unknown */
    bool per_trip;                   /* the number of executions is unknown */
    bool is_branch;                  /* one of several alternatives */
    bool is_ungiven;                 /* the code that runs is derived from it and unknown */
    bool not_inlined;                      /* TensorFlow does not inline the body */
};

struct call_request {
    const struct shape_graph *graph;
    node_id node;
    bool full;             /* also finds trip counts, and calls that are not inlined */
    struct arena *scratch; /* is reset; the names are in it */
};

typedef VEC(struct call_part) call_part_list;

/* Appends the functions that the node calls to PARTS; none: it is not a call. */
void call_parts(const struct call_request *r, call_part_list *parts);
/* True when the node calls functions; does not infer them. */
bool calls_function(const struct shape_graph *g, node_id node);
/* FUNCTION as a part of its own, without a calling node. */
struct call_part call_of_function(const struct shape_graph *g, struct attr_bytes function);
