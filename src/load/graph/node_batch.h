/* node_batch.h: decodes NodeDefs independently of the profile that they are added to. */
#pragma once

#include "load/loader.h"
#include "load/graph/shape.h"

/* An entry of NodeDef.input (semantics.md section 1.1). */
struct decoded_input {
    struct span name; /* without ^ and index; of an invalid entry everything */
    uint32_t hash;
    int32_t index;
    bool control;
    bool bad; /* has a `:` but is not NAME:NUMBER */
};

/* A NodeDef to decode.  Framing writes no more than this, because the decoding core has the rest in
 * its cache. */
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
    uint8_t element_bits;           /* as in profile.h */
};

/* Nodes in file order.  Their data is in lists shared by the batch, so a batch consists of a few
 * arrays. */
struct node_batch {
    VEC(struct node_message) messages;
    VEC(struct decoded_node) nodes; /* of the first messages */
    VEC(struct decoded_input) inputs;
    VEC(struct decoded_shape) shapes;
    dim_list dims;
    struct arena pieces; /* joined pieces of attributes */
    bool names_kept; /* names of nodes are copies that the profile may keep */
    struct err err; /* why messages[nodes.n] could not be decoded */
};

/* Frees the contents of BATCH, a struct node_batch; empty when zeroed. */
void node_batch_done(void *batch);
/* Empties it and keeps its memory. */
void node_batch_clear(void *batch);
/* Adds the NodeDef MESSAGE without decoding it. */
void node_batch_add(struct node_batch *batch, struct span message, struct node_def def);
/* Decodes the added messages up to a malformed one.  Uses only those parts of L that messages need,
 * so several threads may decode for one loader.  Copies node names to NAMES for the profile; NULL:
 * joining copies new names. */
void node_batch_decode(struct node_batch *batch, const struct loader *l, struct arena *names);
/* Adds the decoded nodes to the profile; false with ERR when a node is malformed or has an invalid
 * input. */
bool node_batch_join(struct node_batch *batch, struct loader *l, struct err *err);
