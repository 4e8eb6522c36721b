/* shape_graph.h: shapes, values and handles of every tensor of a graph.  Recorded shapes (attribute
 * _output_shapes) have priority over rules; shapes of a run fill the remaining gaps (shapes.md
 * sections 2, 6 and 7).  Without `stronger` the result is exactly what TensorFlow infers when it
 * imports the graph. */
#pragma once

#include "base/budget.h"
#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"
#include "shapes/op_table.h"
#include "shapes/opctx.h"

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

/* A shape that the user sets for a node. */
struct shape_binding {
    node_id node;
    const struct dims *shape;
};

/* The first contradictions are named, the others counted. */
#define CONTRADICTIONS_NAMED 3

struct shape_calls;

/* In graphs with more nodes only what leads to unknown shapes is inferred; all other shapes are
 * recorded, and are not checked against the rules. */
enum { SHAPES_CHECKED_MAX = 200000 };

struct contradiction {
    const char *node, *op, *what;
};

/* Settings and state shared by the graph and the bodies of its functions. */
struct shape_request {
    const struct op_table *ops;
    const struct attr_source *attrs;
    struct function_source functions; /* find NULL: no library */
    bool stronger;
    int64_t transcendental, division; /* see struct opctx */
    int64_t batch;        /* 0: none */
    uint32_t n_batches;   /* outputs whose batch was set */
    const struct shape_binding *bindings;
    size_t n_bindings;
    struct budget budget; /* for shapes, values, bodies and their counts */
    struct arena *keep; /* memory of shapes */
    struct notes *notes;
    uint32_t n_contradictions;
    uint32_t n_unchecked; /* nodes whose recorded shapes were not compared with rules */
    struct contradiction named[CONTRADICTIONS_NAMED]; /* smallest names first */
    struct shape_calls *calls; /* set by shape_graph_new() */
    bool unknown_step;         /* a note on it was made */
};

struct shape_graph;

/* Infers the whole graph; NULL when cancelled. */
struct shape_graph *shape_graph_new(const struct profile *p, struct shape_request *request);
/* Adds notes about contradictions, after all is inferred. */
void shape_graph_note_contradictions(const struct shape_request *request, struct notes *notes);
/* Freeing the main graph frees the bodies of its calls. */
void shape_graph_free(struct shape_graph *g);

/* The shape, value and handle of output INDEX of NODE. */
struct tensor shape_graph_tensor(const struct shape_graph *g, node_id node, int32_t index);
/* Output INDEX of NODE; NULL when it is not tracked. */
struct tensor *shape_graph_tracked(const struct shape_graph *g, node_id node, int64_t index);
/* The declared shape of free input I (an index in the profile's inputs), which no node produces. */
struct tensor shape_graph_free_tensor(const struct shape_graph *g, uint32_t i);
/* The rules of NODE's op. */
const struct op_entry *shape_graph_entry(const struct shape_graph *g, node_id node);
/* Fills C (inputs, outputs) for NODE; resets SCRATCH. */
void shape_graph_load(const struct shape_graph *g, node_id node, struct arena *scratch,
                      struct opctx *c);

/* Shapes and origins of the first MAX outputs of NODE, including those that are not read, in memory
 * of ARENA.  Returns the number of outputs. */
uint32_t shape_graph_all_outputs(const struct shape_graph *g, node_id node, uint32_t max,
                                 struct arena *arena, const struct dims ***shapes,
                                 enum shape_origin **origins);

/* Version of the producer of the graph; 0 when not recorded. */
int32_t shape_graph_producer(const struct shape_graph *g);
/* Adds a note, once, that a fused op has an unknown step. */
void shape_graph_note_step(const struct opctx *c, struct attr_bytes step);

/* ---- for rules of control flow */

/* False while the producer of input I is not inferred yet (in a loop). */
bool shape_graph_known(const struct opctx *c, uint32_t i);
/* Merges the results of function NAME, called with the inputs from FIRST on, into the outputs. */
void shape_graph_call(struct opctx *c, struct attr_bytes name, uint32_t first);
/* The same for the branches of If and Case, and for the body of While. */
void shape_graph_branches(struct opctx *c);
void shape_graph_loop(struct opctx *c);
/* Reduces the inputs of a While to facts that hold in every iteration. */
void shape_graph_weaken_inputs(struct opctx *c);
/* The body of function NAME with inputs FIRST, ... of C as arguments; owned by the request.  NULL
 * when there is no such function, when the call is recursive, or when the budget is exhausted.
 * NULL also when it is not inferred for such arguments yet: it is then requested, and the caller of
 * the rule calls shape_graph_infer_requested() and applies the rule again.  VALUES: passes constants
 * too.  NOT_INLINED: TensorFlow does not inline this call; except in stronger inference, reads of
 * variables have then no shape (freezing a model loses them), and shapes recorded in the body are
 * ignored. */
struct shape_graph *shape_graph_enter(struct opctx *c, struct attr_bytes name, uint32_t first,
                                      bool values, bool not_inlined);
/* The same with N arguments, which are copied. */
struct shape_graph *shape_graph_enter_with(const struct opctx *c, struct attr_bytes name,
                                           const struct tensor *arguments, uint32_t n, bool not_inlined);
/* True when a body was requested, so that the current rule has to be applied again. */
bool shape_graph_has_requests(const struct shape_graph *g);
/* Infers the requested bodies; true when applying the rule again may give another result. */
bool shape_graph_infer_requested(struct shape_request *r);
/* Drops the requests. */
void shape_graph_drop_requests(struct shape_request *r);
struct shape_request *shape_graph_request(const struct shape_graph *g);
const struct profile *shape_graph_profile(const struct shape_graph *g);
/* False when there are no functions. */
bool shape_graph_has_functions(const struct shape_graph *g);
/* The function of a name, or NULL. */
const struct function_body *shape_graph_function(const struct shape_graph *g,
                                                 struct attr_bytes name);

/* ---- for function bodies with rows in the graph */

/* The function that G is a body of; NULL: the main graph. */
const struct function_body *shape_graph_body(const struct shape_graph *g);
/* A unique number for each body of a request: 0, 1, ... */
uint32_t shape_graph_number(const struct shape_graph *g);
/* The number of outputs of NODE by its rule. */
uint32_t shape_graph_n_outputs(const struct shape_graph *g, node_id node);
/* Copies the shapes and values of FROM_NODE in FROM to NODE of G. */
void shape_graph_put(struct shape_graph *g, node_id node, const struct shape_graph *from,
                     node_id from_node);

/* The origin of a shape. */

/* Trip counts of loops, as far as they are constant. */
#define TRIPS_UNKNOWN ((int64_t)-1)

/* Iterations of the While in C, whose CONDITION compares a counter, to which BODY adds a constant,
 * with an invariant bound (flops.md section 7), or is a conjunction of such comparisons; else
 * TRIPS_UNKNOWN. */
int64_t trips_of_while(const struct opctx *c, const struct shape_graph *condition,
                       const struct shape_graph *body);
/* True when BODY passes argument I of the loop in C through unchanged. */
bool loop_input_is_invariant(const struct opctx *c, const struct function_body *body, uint32_t i);
/* Values from START in steps of DELTA while below LIMIT (above, when DELTA is negative). */
int64_t trips_of_range(int64_t start, int64_t limit, int64_t delta);

/* Parses TEXT (NULL: nothing) into memory of ARENA.  False with ERR (usage) for an item that is not
 * NODE=SIZExSIZE..., or for a node that P does not have. */
bool bind_parse(const struct profile *p, const char *text, struct arena *arena,
                const struct shape_binding **bindings, size_t *n, struct err *err);

/* A flag for each node, freed by the caller; NULL when there is no such loop, or when cancelled. */
uint8_t *loop_frames(const struct profile *p, struct cancel_mark cancel);

/* Topological order of a graph; loops are cut. */
struct graph_order {
    uint32_t n;
    node_id *nodes;
    uint32_t *consumer_begin; /* CSR: the consumers of each node */
    node_id *consumers;
    bool has_cycles;
};

/* Orders the nodes that WANTED marks.  Edges from a NextIteration to a Merge close a loop and are
 * ignored; nodes of other cycles come last.  False when cancelled; graph_order_done() is required
 * in any case. */
bool graph_order_init(struct graph_order *o, const struct profile *p, const uint8_t *wanted,
                      struct cancel_mark cancel);
void graph_order_done(struct graph_order *o);
