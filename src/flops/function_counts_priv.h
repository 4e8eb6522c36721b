/* function_counts_priv.h: counts of graphs and their positions, shared by body_count.c and
 * function_counts.c. */
#pragma once

#include "base/vec.h"
#include "flops/function_counts.h"
#include "flops/count_calls.h"

/* Bits: the states of the nodes in a body. */
enum { HAS_COUNTED = 1, HAS_PER_TRIP = 2, HAS_UNKNOWN = 4, HAS_NO_RULE = 8 };

/* The role of a part in the profile's strings; STRID_NONE: no row has it. */
struct part_role {
    strid role;
    uint32_t part;
};

/* A node that calls functions. */
struct counted_call {
    node_id node;
    uint32_t n_parts;
    struct counted_part *parts;
    struct part_role *by_role; /* [n_parts] ascending */
};

/* The counts of one execution of a graph. */
struct body_count {
    const struct shape_graph *graph;
    int64_t *count; /* [n_nodes]; of a call: the sum of its functions */
    uint8_t *state;
    VEC(struct counted_call) calls; /* by node */
    int64_t total;
    unsigned has;
    bool saturated;
    bool is_done; /* false: in progress, or unavailable */
};

struct counted_part {
    struct call_part call;
    const struct body_count *body; /* NULL: unavailable */
    bool left_out;                 /* not counted */
};

/* The body at a call site of the graph. */
struct assigned {
    const struct body_count *body; /* NULL: not counted */
    int64_t times;                 /* per execution of the graph */
    bool per_trip, left_out;
};

struct counting {
    const struct shape_graph *graph;
    struct body_count *counts; /* NULL: not started */
    node_id at;      /* the next node */
    uint8_t *needed; /* NULL: all nodes */
};

struct function_counts {
    struct shape_graph *graph;
    const struct profile *p;
    struct function_counts_request request;
    struct body_count main;
    VEC(struct body_count *) counts; /* indexed by the number of the body's graph */
    VEC(const struct shape_graph *) requested; /* bodies that the current node needs */
    VEC(struct counting) stack;            /* bodies in progress; each waits for those above it */
    struct arena scratch;                  /* of the current node */
    struct assigned *assigned;           /* indexed by call site */
    uint32_t *first_site;            /* [n_nodes] first call site of a node + 1 */
    uint32_t *next_site;             /* [n_call_sites] the next one of the same node + 1 */
    VEC(uint32_t) open;              /* placed sites whose nodes are not filled in yet */
    struct arena keep;
};

/* Converts a STATE to its bits, and back. */
unsigned body_count_has(uint8_t state);
uint8_t body_count_state(unsigned has);
/* Sums the PARTS that are not left out into *COUNT, except those with PLACED set (NULL: none);
 * returns their bits. */
unsigned body_count_parts(const struct counted_part *parts, size_t n, const uint8_t *assigned,
                          int64_t *count, bool *saturated);
/* Counts NODE of TO's graph.  False when it calls bodies that are not inferred or counted yet: call
 * function_counts_resolve(), then count NODE again. */
bool body_count_node(struct function_counts *b, struct body_count *to, node_id node);
/* Infers and counts the requested bodies.  False when cancelled. */
bool function_counts_resolve(struct function_counts *b);
/* The counts of the body G, computed once; NULL when unavailable or cancelled. */
const struct body_count *body_count_of(struct function_counts *b, const struct shape_graph *g);
