/* shape_hints.h: shapes that a node implies for other nodes; only stronger inference uses them
 * (shapes.md section 7, step 7).  A rule reads the known inputs and outputs of a node and adds what
 * they have to be for the node to work. */
#pragma once

#include "base/budget.h"
#include "base/intern.h"
#include "base/vec.h"
#include "shapes/opctx.h"

struct shape_hint {
    node_id node;
    int32_t output;
    const struct dims *shape;   /* of the output; NULL: no hint */
    const struct dims *element; /* of the contents of a handle; NULL: no hint */
};

/* A tensor passed by name instead of an edge: output OUTPUT of each consumer of KEY has SHAPE. */
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
/* Makes hints from producers: the common shape of those with equal key and output.  Makes at most
 * consumers * producers hints, limited by BUDGET. */
void shape_hints_deliver(struct shape_hints *h, struct budget *budget, struct arena *keep);

/* Rules for what an op implies about its inputs and about other nodes. */
extern const struct op_rule hint_rules[];
