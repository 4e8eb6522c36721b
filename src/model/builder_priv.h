/* builder_priv.h: a profile under construction, shared by the builder's files. */
#ifndef TFPROF_MODEL_BUILDER_PRIV_H
#define TFPROF_MODEL_BUILDER_PRIV_H

#include "model/builder.h"
#include "model/owned.h"
#include "model/step_set.h"

/* Where a node's run outputs stand in builder.run_outputs. */
struct run_span {
    uint32_t first, n;
};

/* An input before the nodes of all names are known. */
struct given_input {
    int32_t position, output_index, own_index; /* as in struct node_input */
    strid source_name;
};

struct builder {
    struct profile *profile;

    /* columns by node */
    VEC(strid) name;
    VEC(strid) op;
    VEC(struct node_def) def;
    VEC(unsigned char) types_given; /* 1: the op is not a type by itself */
    /* shorter where the last nodes have nothing, see BUILDER_GET() */
    VEC(strid) device;
    VEC(strid) host_device;
    VEC(shape_id) shape;
    VEC(uint8_t) element_bits;
    VEC(trace_id) trace;
    VEC(int64_t) float_ops;
    VEC(struct run_span) run_span;

    VEC(node_id) node_of_string;

    /* Distinct lists of numbers, told apart by their bytes as strings are. */
    struct intern shapes;   /* of int64_t; id = shape_id */
    struct intern traces;   /* of struct frame; id + 1 = trace_id */

    struct owned types;   /* by node, of strid */
    struct owned inputs;  /* by node, of struct given_input */
    struct owned outputs; /* by node */
    VEC(struct run_output) run_outputs;

    struct intern parts;      /* of struct part_def; id - 1 = part */
    struct owned part_places; /* by part, of uint32_t, as record_places */
    uint32_t *part_order;     /* parts by node; NULL until they are packed */

    VEC(struct signature_end) signature_ends;
    VEC(int64_t) steps;
    struct step_set taken_steps; /* the same ones */
    struct exec_pack records;
    struct owned record_places; /* by node, of uint32_t: where in records, by EXEC_ALIGN */
    int64_t last_step;          /* of the record added last */
    uint32_t last_place;        /* likewise */
    bool steps_mixed;           /* some record came after one of a later step */

    node_id saturated_node; /* the first whose sums met a 64-bit limit */
};

/* An element of a column that ends at the last node which has anything, else 0.  Many files have
 * nothing for most of these columns, which then take neither time nor memory. */
#define BUILDER_GET(column, node) ((node) < (column).n ? (column).data[node] : 0)
#define BUILDER_SET(column, node, value)                                                           \
    do {                                                                                           \
        if ((node) >= (column).n && (value) != 0)                                                  \
            vec_resize_zero(&(column), (size_t)(node) + 1);                                        \
        if ((node) < (column).n)                                                                   \
            (column).data[node] = (value);                                                         \
    } while (0)

/* builder_parts.c, parts of builder_new(), builder_free() and builder_finish(). */
void builder_init_parts(struct builder *b);
void builder_done_parts(struct builder *b);
/* Numbers parts by node and appends their columns to those of the nodes. */
void builder_pack_parts(struct builder *b);
/* Appends their lists to those of the nodes' executions. */
void builder_pack_part_execs(struct builder *b);

/* Frees B but not its profile. */
void builder_free(struct builder *b);
/* The parts of builder_finish() and builder_free() that concern executions. */
void builder_pack_execs(struct builder *b);
void builder_done_execs(struct builder *b);

#endif
