/* node_batch.h: NodeDefs decoded apart from the profile they will join. */
#ifndef TFPROF_LOAD_NODE_BATCH_H
#define TFPROF_LOAD_NODE_BATCH_H

#include "load/loader.h"
#include "load/graph/shape.h"

/* An entry of NodeDef.input (semantics.md section 1.1). */
struct decoded_input {
    struct span name; /* without ^ and index; of a bad entry the whole */
    uint32_t hash;
    int32_t index;
    bool control;
    bool bad; /* it has a `:` but is not NAME:NUMBER */
};

/* A NodeDef that waits to be decoded.  Framing writes no more of a node, for the rest is in the
 * caches of the cores that decode. */
struct node_message {
    struct span message;
    struct node_def def;
};

struct decoded_node {
    struct node_def def;
    struct span name, op;
    uint32_t name_hash, op_hash;
    size_t first_input, n_inputs;
    size_t first_output, n_outputs; /* of _output_shapes, in shapes */
    struct decoded_shape shape;     /* of the attribute `shape` */
    bool has_shape;
    uint8_t element_bits;           /* as profile.h has them */
};

/* Nodes in the order of the file.  What they have stands in lists that all
 * share, so that a batch is a handful of arrays whatever is in it. */
struct node_batch {
    VEC(struct node_message) messages;
    VEC(struct decoded_node) nodes; /* of the first messages */
    VEC(struct decoded_input) inputs;
    VEC(struct decoded_shape) shapes;
    dim_list dims;
    struct arena pieces; /* attributes that are in pieces, put together */
    bool names_kept; /* names of nodes are copies that the profile may keep */
    struct err err; /* why messages[nodes.n] could not be decoded */
};

/* Frees what BATCH, a struct node_batch, owns; one of zeros is empty. */
void node_batch_done(void *batch);
/* Empties it but keeps its memory. */
void node_batch_clear(void *batch);
/* Adds the NodeDef MESSAGE, not yet decoded. */
void node_batch_add(struct node_batch *batch, struct span message, struct node_def def);
/* Decodes all that was added; stops at one that is malformed.  Of L only what
 * messages need is read, so several threads may decode for one loader.  Names of nodes
 * are copied to NAMES, for the profile to keep; NULL: joining copies those that are new. */
void node_batch_decode(struct node_batch *batch, const struct loader *l, struct arena *names);
/* Adds the decoded nodes to the profile; false with ERR when one is malformed
 * or has a bad input. */
bool node_batch_join(struct node_batch *batch, struct loader *l, struct err *err);

#endif
