/* function_counts_priv.h: what body_count.c and function_counts.c share: counts of graphs, and
 * where they stand. */
#ifndef TFPROF_FLOPS_FUNCTION_COUNTS_PRIV_H
#define TFPROF_FLOPS_FUNCTION_COUNTS_PRIV_H

#include "base/vec.h"
#include "flops/function_counts.h"
#include "flops/count_calls.h"

/* What the nodes of a body have in them. */
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

/* A graph with the counts of one execution. */
struct body_count {
    const struct shape_graph *graph;
    int64_t *count; /* [n_nodes]; of a call: what all that it calls makes */
    uint8_t *state;
    VEC(struct counted_call) calls; /* by node */
    int64_t total;
    unsigned has;
    bool saturated;
    bool is_done; /* else it is under way, or not to be had */
};

struct counted_part {
    struct call_part call;
    const struct body_count *body; /* NULL: there is none */
    bool left_out;                 /* does not count */
};

/* Where a body stands in the graph. */
struct placed {
    const struct body_count *body; /* NULL: not counted */
    int64_t times;                 /* for one execution of the graph */
    bool per_trip, left_out;
};

/* A body that is to be counted. */
struct counting {
    const struct shape_graph *graph;
    struct body_count *counts; /* NULL: not begun */
    node_id at;      /* the next node */
    uint8_t *needed; /* NULL: all nodes */
};

struct function_counts {
    struct shape_graph *graph;
    const struct profile *p;
    struct function_counts_request request;
    struct body_count main;
    VEC(struct body_count *) counts; /* by number of the body's graph */
    VEC(const struct shape_graph *) asked; /* bodies that the node at hand needs counted */
    VEC(struct counting) stack;            /* bodies under way,
        those that wait below what they call */
    struct arena scratch;                  /* of the node at hand */
    struct placed *placed;           /* by call site */
    uint32_t *first_site;            /* [n_nodes] first call site of a node + 1 */
    uint32_t *next_site;             /* [n_call_sites] the next one of the same node + 1 */
    VEC(uint32_t) open;              /* placed sites, their nodes to be filled in */
    struct arena keep;
};

/* The bits of a node in STATE, and back. */
unsigned body_count_has(uint8_t state);
uint8_t body_count_state(unsigned has);
/* Sums up those PARTS that count into *COUNT, but for the ones for which PLACED (NULL:
 * none) is not 0; returns what they have. */
unsigned body_count_parts(const struct counted_part *parts, size_t n, const uint8_t *placed,
                          int64_t *count, bool *saturated);
/* Counts NODE of TO's graph.  False: it calls bodies that are not inferred or not counted so
 * far; function_counts_answer() does that, then NODE is to be counted again. */
bool body_count_node(struct function_counts *b, struct body_count *to, node_id node);
/* False when cancelled. */
bool function_counts_answer(struct function_counts *b);
/* The counts of G, a body, made once; NULL when there are none, or when cancelled. */
const struct body_count *body_count_of(struct function_counts *b, const struct shape_graph *g);

#endif
