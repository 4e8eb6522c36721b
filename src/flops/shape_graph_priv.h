/* shape_graph_priv.h: what shape_graph.c and shape_calls.c share. */
#ifndef TFPROF_FLOPS_SHAPE_GRAPH_PRIV_H
#define TFPROF_FLOPS_SHAPE_GRAPH_PRIV_H

#include "flops/shape_graph.h"

/* A loop that changes more often than this has no shape. */
#define VISITS_MAX 10

struct shape_graph {
    const struct profile *p;
    struct shape_request *request;
    const struct shape_graph *caller; /* NULL: the main graph */
    const struct function_body *body; /* NULL: the main graph */
    uint32_t depth;

    uint32_t *out_begin; /* CSR: outputs that are kept, by node */
    struct tensor *outs;
    uint32_t *n_outs; /* as the rule says, kept or not */
    const struct op_entry **entries;
    uint8_t *visits;
    const struct dims **of_shape; /* dims by shape_id, made on first sight */
    const struct tensor *arguments; /* of the call */
    uint32_t n_arguments;
};

/* Infers P, the BODY of a call in CALLER (both NULL: the main graph). */
struct shape_graph *shape_graph_infer(const struct profile *p, struct shape_request *request,
                                      const struct shape_graph *caller,
                                      const struct function_body *body,
                                      const struct tensor *arguments, uint32_t n_arguments);

#endif
