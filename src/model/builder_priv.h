/* builder_priv.h: a profile under construction; private to the builder's files. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/builder.h"

/* A set of used steps that finds the next free one. */
struct step_slot;

/* Empty when zeroed. */
struct step_set {
    struct step_slot *slots; /* open addressing */
    size_t n, n_slots;
};

void step_set_add(struct step_set *set, int64_t step);
/* The first step >= STEP not in SET; INT64_MAX: none. Amortised nearly constant time. */
int64_t step_set_free_from(struct step_set *set, int64_t step);
void step_set_done(struct step_set *set);

/* Items with their owners, in two parallel arrays; packing an ordered list takes one copy. */
struct owned {
    VEC(uint32_t) owners;
    unsigned char *items;
    size_t capacity; /* in items */
    size_t item_bytes;
};

/* Initialises an empty list of items of ITEM_BYTES bytes. */
void owned_init(struct owned *o, size_t item_bytes);
void owned_done(struct owned *o);

static inline size_t owned_count(const struct owned *o)
{
    return o->owners.n;
}

/* Initialises COPY with the same items. */
void owned_copy(struct owned *copy, const struct owned *o);

/* Appends a copy of *ITEM. */
void owned_add(struct owned *o, uint32_t owner, const void *item);

/* Packs the items by owner, in insertion order, into ITEMS (NULL: heap memory that the caller
 * frees), and *BEGIN [n_owners + 1] into BEGINS (may be ITEMS). Every owner is < N_OWNERS. Empties
 * the list. */
void *owned_pack(struct owned *o, uint32_t n_owners, struct arena *items, struct arena *begins,
                 uint32_t **begin);

/* Who owns a record: a node, a part and its node, or a part alone. */
enum record_of { RECORD_OF_NODE, RECORD_OF_PART, RECORD_RUNS_OF_PART, RECORD_OF_BITS = 2 };

/* The owners of all records, in order.  For each record a varint with the distance from the one before, in units of
 * EXEC_ALIGN, and its enum record_of in the lowest bits; then its owner relative to the one before. */
struct record_owners {
    VEC(uint8_t) bytes;
    uint32_t position, owner; /* of the last record */
};

/* The range of a node's run outputs in builder.run_outputs. */
struct run_span {
    uint32_t first, n;
};

/* An input whose source may be added later. */
struct given_input {
    int32_t position, output_index, own_index; /* as in struct node_input */
    strid source_name;
};

struct builder {
    struct profile *profile;

    /* columns by node */
#define NODE_COLUMN_VEC(member, type, ...) VEC(type) member;
    NODE_COLUMNS(NODE_COLUMN_VEC)
#undef NODE_COLUMN_VEC
    VEC(unsigned char) types_given; /* 1: the op is not added as a type */
    VEC(struct run_span) run_span;  /* shorter when the last nodes have none */

    VEC(node_id) node_of_string;

    /* Distinct lists of numbers, interned by their bytes. */
    struct intern shapes;   /* of int64_t; id = shape_id */
    struct stack_builder stacks;

    struct owned types;   /* by node, of strid */
    struct owned inputs;  /* by node, of struct given_input */
    struct owned outputs; /* by node */
    VEC(struct run_output) run_outputs;

    struct intern parts;      /* of struct part_def; id - 1 = part */
    uint32_t *part_order;     /* parts sorted by node; NULL until packed */

    VEC(struct signature_end) signature_ends;
    VEC(struct free_tensor) free_tensors;
    VEC(struct file_fact) file_facts;
    VEC(int64_t) steps;
    struct step_set taken_steps; /* `steps` as a set */
    struct exec_pack records;
    struct record_owners record_owners;
    int64_t last_step;          /* of the last record */
    bool steps_mixed;           /* a record followed one of a later step */

    node_id saturated_node; /* first node whose sums reached a 64-bit limit */
};

/* Moves a vector to the profile's arena and empties it. */
#define PACK_COLUMN(b, to, column)                                                           \
    do {                                                                                     \
        (to) = xreallocarray((b)->column.data, (b)->column.n, sizeof *(b)->column.data);     \
        arena_adopt(&(b)->profile->arena, (to), (b)->column.n * sizeof *(b)->column.data);   \
        memset(&(b)->column, 0, sizeof (b)->column);                                         \
    } while (0)

/* Copies the columns of FROM to the empty columns of TO. */
void builder_columns_copy(struct builder *to, const struct builder *from);
/* Appends a part to the columns of nodes. */
void builder_columns_add_part(struct builder *b, const struct part_def *part);
/* Moves the columns to the profile. */
void builder_columns_pack(struct builder *b);

/* builder_parts.c, called by builder_new(), builder_free() and builder_finish(). */
void builder_init_parts(struct builder *b);
void builder_done_parts(struct builder *b);
/* Numbers parts by node and appends their values to the node columns. */
void builder_pack_parts(struct builder *b);
/* Finishes the event store; its kinds get the final ids of parts. */
void builder_finish_events(struct builder *b);
/* The id of each part in the profile, whose parts are packed; the caller frees the array. */
uint32_t *builder_ids_of_parts(const struct builder *b);

/* Frees B without its profile. */
void builder_free(struct builder *b);
/* builder_exec.c, called by builder_finish() and builder_free(). */
void builder_pack_execs(struct builder *b);
void builder_done_execs(struct builder *b);
