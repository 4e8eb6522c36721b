/* shape_hints.h: what a node implies of shapes that other nodes leave open.
 *
 * Stronger inference alone asks for it; shapes.md section 7, step 7.  A rule
 * looks at a node's inputs and outputs as they are known and says what they
 * must be for the node to work. */
#ifndef TFPROF_FLOPS_SHAPE_HINTS_H
#define TFPROF_FLOPS_SHAPE_HINTS_H

#include "base/budget.h"
#include "base/intern.h"
#include "base/vec.h"
#include "shapes/opctx.h"

struct shape_hint {
    node_id node;
    int32_t output;
    const struct dims *shape;   /* of the output, or NULL */
    const struct dims *element; /* of what it stands for, or NULL */
};

/* A node that hands tensors on by a name, not by an edge: under KEY it produces
 * SHAPE for output OUTPUT of every consumer. */
struct hint_producer {
    strid key;
    int32_t output;
    const struct dims *shape;
};

struct hint_consumer {
    strid key;
    node_id node;
};

struct shape_hints {
    VEC(struct shape_hint) list;
    struct intern keys;
    VEC(struct hint_producer) producers;
    VEC(struct hint_consumer) consumers;
};

void shape_hints_init(struct shape_hints *h);
void shape_hints_done(struct shape_hints *h);
/* Makes hints of the producers: what all of one key and output have in common.  How many there
 * are is a product, consumers by producers, which the BUDGET bounds. */
void shape_hints_deliver(struct shape_hints *h, struct budget *budget, struct arena *keep);

/* Rules of what an op says of its inputs and of other nodes. */
extern const struct op_rule hint_rules[];

#endif
