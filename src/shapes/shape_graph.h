/* shape_graph.h: shapes, values and handles of every tensor of a graph.
 *
 * Recorded shapes (attribute _output_shapes) win over rules; shapes of a run
 * fill what is left; shapes.md sections 2, 6 and 7.  Two degrees: without
 * `stronger` exactly what TensorFlow infers when it imports the graph. */
#ifndef TFPROF_SHAPES_SHAPE_GRAPH_H
#define TFPROF_SHAPES_SHAPE_GRAPH_H

#include "base/budget.h"
#include "shapes/op_table.h"
#include "shapes/opctx.h"
#include "shapes/shape_origin.h"

/* A shape that the user gives a node. */
struct shape_binding {
    node_id node;
    const struct dims *shape;
};

/* The first contradictions are named, the others counted. */
#define CONTRADICTIONS_NAMED 3

struct shape_calls;

/* Beyond this many nodes only what leads to unknown shapes is inferred: the rest is recorded, and
 * checking it would cost more than it tells. */
enum { SHAPES_CHECKED_MAX = 200000 };

struct contradiction {
    const char *node, *op, *what;
};

/* What the graph and the bodies of its functions have in common. */
struct shape_request {
    const struct op_table *ops;
    const struct attr_source *attrs;
    struct function_source functions; /* find NULL: no library */
    bool stronger;
    int64_t transcendental, division; /* weights of counting, for struct opctx */
    int64_t batch;        /* 0: none */
    uint32_t n_batches;   /* outputs that it bound */
    const struct shape_binding *bindings;
    size_t n_bindings;
    struct budget budget; /* of shapes, values, bodies and their counts */
    struct arena *keep; /* shapes live here */
    struct notes *notes;
    uint32_t n_contradictions;
    uint32_t n_unchecked; /* nodes whose recorded shapes were not compared with the rules */
    struct contradiction named[CONTRADICTIONS_NAMED]; /* the first ones by name */
    struct shape_calls *calls; /* set by shape_graph_new() */
    bool unknown_step;         /* noted */
};

struct shape_graph;

/* Infers the whole graph; NULL when cancelled. */
struct shape_graph *shape_graph_new(const struct profile *p, struct shape_request *request);
/* Notes what contradictions were met, once all is inferred. */
void shape_graph_note_contradictions(const struct shape_request *request, struct notes *notes);
/* The main graph takes the bodies of its calls along. */
void shape_graph_free(struct shape_graph *g);

/* What is known of output INDEX of NODE. */
struct tensor shape_graph_tensor(const struct shape_graph *g, node_id node, int32_t index);
/* Output INDEX of NODE, NULL when it is not kept. */
struct tensor *shape_graph_kept(const struct shape_graph *g, node_id node, int64_t index);
/* What is known of input I (place in the profile's inputs), which no node makes. */
struct tensor shape_graph_free_tensor(const struct shape_graph *g, uint32_t i);
/* The row of rules of NODE's op. */
const struct op_entry *shape_graph_entry(const struct shape_graph *g, node_id node);
/* Fills C (inputs, outputs) for NODE; SCRATCH is reset. */
void shape_graph_load(const struct shape_graph *g, node_id node, struct arena *scratch,
                      struct opctx *c);

/* The shapes of the first MAX outputs of NODE, also those that nobody reads, and where they
 * come from; arrays and shapes in memory of ARENA.  Returns how many outputs there are. */
uint32_t shape_graph_all_outputs(const struct shape_graph *g, node_id node, uint32_t max,
                                 struct arena *arena, const struct dims ***shapes,
                                 enum shape_origin **origins);

/* Version of what wrote the graph, 0 when it does not say. */
int32_t shape_graph_producer(const struct shape_graph *g);
/* Notes, once, that a fused op has a step that no table names. */
void shape_graph_note_step(const struct opctx *c, struct attr_bytes step);

/* ---- for rules of control flow */

/* False while the producer of input I has not been looked at (a loop). */
bool shape_graph_known(const struct opctx *c, uint32_t i);
/* Outputs of function NAME with the inputs from FIRST on as arguments, merged
 * into what the outputs have. */
void shape_graph_call(struct opctx *c, struct attr_bytes name, uint32_t first);
/* The same of the branches of If and Case, and of the body of While. */
void shape_graph_branches(struct opctx *c);
void shape_graph_loop(struct opctx *c);
/* Makes the inputs of a While what its body sees in every round. */
void shape_graph_settle_inputs(struct opctx *c);
/* The body of function NAME with inputs FIRST, ... of C as arguments; NULL when there is no
 * such function, when it is under way already, or when the budget is spent.  NULL also when it
 * was not inferred for the like so far: then it is asked for, and whoever applies rules calls
 * shape_graph_infer_asked() and applies the rule once more.  It belongs to the request.
 * VALUES: constants go in too.  STAYS: the call is none that TensorFlow puts the body in place
 * of: then, but in stronger inference, what reads a variable has no shape (freezing a model
 * forgets them there), and what tracing recorded inside is not believed. */
struct shape_graph *shape_graph_enter(struct opctx *c, struct attr_bytes name, uint32_t first,
                                      bool values, bool stays);
/* The same with N arguments of any kind, which are copied. */
struct shape_graph *shape_graph_enter_with(const struct opctx *c, struct attr_bytes name,
                                           const struct tensor *arguments, uint32_t n, bool stays);
/* True when a body was asked for, so that the rule at hand will be applied again. */
bool shape_graph_is_asked(const struct shape_graph *g);
/* Infers what was asked for; true when the same question has another answer now. */
bool shape_graph_infer_asked(struct shape_request *r);
/* Gives up what was asked for. */
void shape_graph_forget_asked(struct shape_request *r);
struct shape_request *shape_graph_request(const struct shape_graph *g);
const struct profile *shape_graph_profile(const struct shape_graph *g);
/* False when there are no functions at all. */
bool shape_graph_has_functions(const struct shape_graph *g);
/* The function of a name, or NULL. */
const struct function_body *shape_graph_function(const struct shape_graph *g,
                                                 struct attr_bytes name);

/* ---- for bodies that stand in the graph */

/* The function that G is a body of; NULL: the main graph. */
const struct function_body *shape_graph_body(const struct shape_graph *g);
/* Tells the bodies of a request apart: 0, 1, ... */
uint32_t shape_graph_number(const struct shape_graph *g);
/* Outputs that NODE has by its rule. */
uint32_t shape_graph_n_outputs(const struct shape_graph *g, node_id node);
/* Takes over what FROM knows of FROM_NODE as what G knows of NODE. */
void shape_graph_put(struct shape_graph *g, node_id node, const struct shape_graph *from,
                     node_id from_node);

#endif
