/* shape_graph_priv.h: what the files of shape graphs share. */
#ifndef TFPROF_FLOPS_SHAPE_GRAPH_PRIV_H
#define TFPROF_FLOPS_SHAPE_GRAPH_PRIV_H

#include "base/vec.h"
#include "shapes/body_cache.h"
#include "shapes/shape_graph.h"

/* A loop that changes more often than this has no shape. */
#define VISITS_MAX 10

/* What other nodes demand of an output; NULL: nothing. */
struct constraint {
    const struct dims *shape, *element;
};

/* What was decoded of Const nodes, by node; made on first sight. */
struct literals {
    struct literal **of_node;
};

void literals_free(struct literals *l);

struct shape_graph {
    const struct profile *p;
    struct shape_request *request;
    const struct shape_graph *caller; /* NULL: the main graph; who asked for it first */
    const struct function_body *body; /* NULL: the main graph */
    uint32_t depth; /* how many callers are above it */
    uint32_t number; /* among the bodies */
    int32_t producer; /* version of what wrote the graph; 0: not said */

    /* Outputs that are followed, by node: output out_index[k] is outs[k]. */
    uint32_t *out_begin, *out_index;
    struct tensor *outs;
    uint32_t *n_outs; /* as the rule says, kept or not */
    struct constraint *constraints; /* as outs; NULL until a hint makes one */
    const struct op_entry **entries;
    uint8_t *visits;
    uint8_t *noted; /* a contradiction of the node was noted */
    const struct dims **of_shape; /* dims by shape_id, made on first sight */
    struct literals *literals;
    const struct tensor *arguments; /* of the call */
    uint32_t n_arguments;
    bool stays; /* see shape_graph_enter() */
};

/* A body that a call asks for. */
struct asked_body {
    const struct shape_graph *caller;
    struct body_key key;
};

struct inferring;

/* Calls of a request: bodies that are there, and those under way.  Nothing recurses: a node
 * that asks for a body waits until the body is inferred, and is looked at again. */
struct shape_calls {
    struct body_cache *cache;
    VEC(struct asked_body) asked; /* by the node at hand */
    VEC(struct inferring *) stack;
    struct arena scratch;
    /* Which functions are open in a graph and its callers, by their index: kept for the
     * graph asked last, as the next one is near. */
    const struct shape_graph *open_in;
    VEC(uint32_t) n_open;
};

/* Looks at NODE: its rule, then what is recorded, ran, bound or constrained.  False: it asks for
 * bodies, and is to be looked at again when they are there. */
bool shape_graph_step(struct shape_graph *g, node_id node, struct arena *scratch);
/* Lists the outputs to follow: output 0 of every node, those that somebody reads or that are
 * recorded, and the results of a body. */
void shape_graph_list_outputs(struct shape_graph *g);
const struct dims *shape_graph_recorded(const struct shape_graph *g, node_id node, uint32_t index);

/* What a run says of an output; TensorFlow takes no description for a scalar. */
const struct dims *shape_graph_of_run(const struct shape_graph *g,
                                      const struct run_output *output);

/* Shapes of a run for what rules left open: the number of outputs must be the
 * node's; oplog.md section 5.  Nothing follows from them there. */
void shape_graph_take_run(struct shape_graph *g, node_id node);

struct graph_order;

/* Stronger inference, once every node was looked at in ORDER: goes round loops,
 * and applies the hints of all nodes, until nothing changes. */
struct settling;
struct settling *settling_new(struct shape_graph *g, const struct graph_order *order,
                              struct arena *scratch);
/* False: a node asks for bodies; call it again when they are there. */
bool settling_run(struct settling *s);
void settling_free(struct settling *s);

#endif
