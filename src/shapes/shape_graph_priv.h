/* shape_graph_priv.h: the implementation of shape graphs. */
#pragma once

#include "base/vec.h"
#include "shapes/body_cache.h"
#include "shapes/shape_graph.h"

/* Visits of a node in a loop, after which its shape is unknown. */
#define VISITS_MAX 10

/* Requirements of other nodes on an output; NULL: none. */
struct constraint {
    const struct dims *shape, *element;
};

/* Decoded Const nodes, by node; created when needed. */
struct literals {
    struct literal **of_node;
};

void literals_free(struct literals *l);

struct shape_graph {
    const struct profile *p;
    struct shape_request *request;
    const struct shape_graph *caller; /* the first caller; NULL: main graph */
    const struct function_body *body; /* NULL: main graph */
    uint32_t depth; /* number of callers above */
    uint32_t number; /* index among the bodies */
    int32_t producer; /* version of the graph's producer; 0: not recorded */

    /* Tracked outputs, by node: output out_index[k] is outs[k]. */
    uint32_t *out_begin, *out_index;
    struct tensor *outs;
    uint32_t *n_outs; /* by rule, tracked or not */
    struct constraint *constraints; /* parallel to outs; NULL until there is one */
    const struct op_entry **entries;
    uint8_t *visits;
    uint8_t *noted; /* a contradiction of the node was counted */
    const struct dims **of_shape; /* dims by shape_id, created when needed */
    struct literals *literals;
    const struct tensor *arguments; /* of the call */
    uint32_t n_arguments;
    bool not_inlined; /* see shape_graph_enter() */
};

/* A requested body. */
struct requested_body {
    const struct shape_graph *caller;
    struct body_key key;
};

struct inferring;

/* State of the calls of a request: inferred bodies, and those in progress.  There is no recursion:
 * a node that needs a body waits until it is inferred, and is visited again. */
struct shape_calls {
    struct body_cache *cache;
    VEC(struct requested_body) requested; /* requested by the current node */
    VEC(struct inferring *) stack;
    struct arena scratch;
    /* Counts of functions in the callers of open_in, by function index.  Cached, because the next
     * query is for a graph nearby. */
    const struct shape_graph *open_in;
    VEC(uint32_t) n_open;
};

/* Infers NODE: its rule, then recorded, run, bound and constrained shapes.  False: it needs bodies,
 * and has to be visited again when they are inferred. */
bool shape_graph_step(struct shape_graph *g, node_id node, struct arena *scratch);
/* Lists the outputs to track: output 0 of every node, those that are read or recorded, and the
 * results of a body. */
void shape_graph_list_outputs(struct shape_graph *g);
const struct dims *shape_graph_recorded(const struct shape_graph *g, node_id node, uint32_t index);

/* The shape of an output in a run; TensorFlow treats a missing description as a scalar. */
const struct dims *shape_graph_of_run(const struct shape_graph *g,
                                      const struct run_output *output);

/* Fills shapes that rules leave unknown from a run, if the number of outputs matches (oplog.md
 * section 5). Other shapes are not inferred from them. */
void shape_graph_apply_run(struct shape_graph *g, node_id node);

struct graph_order;

/* Stronger inference, after every node was visited in ORDER: repeats loops and applies the hints of
 * all nodes until nothing changes. */
struct fixpoint;
struct fixpoint *fixpoint_new(struct shape_graph *g, const struct graph_order *order,
                              struct arena *scratch);
/* False: a node needs bodies; call it again when they are inferred. */
bool fixpoint_run(struct fixpoint *s);
void fixpoint_free(struct fixpoint *s);
