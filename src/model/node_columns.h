/* node_columns.h: the node columns.  Each row generates the member of struct profile, the vector of
 * the builder with getter and setter, packing, copies for parts of nodes, forks and rows of
 * functions, the merged profile of a comparison, and the field of a stored profile. */
#pragma once

/* Nodes of traces whose names are chosen freely by users or programs. */
enum free_name { FREE_NAME_NONE, FREE_NAME_ANNOTATION, FREE_NAME_MODULE };

/* X(member, type, kind, vector, part, stored, field)
 *
 * type:   of an element.  0 is the value of nodes that have none; types of which 0 is a value are
 *         stored with 1 added.
 * kind:   conversion to another profile: STRING, SHAPE and STACK are ids of the profile, DEF has
 *         the index of a file, a NUMBER needs none.
 * vector: of the builder.  FIXED and DENSE have an element for each node; FIXED is set when the
 *         node is added.  LAST and FIRST end at the last node with a value, so an unused column
 *         takes no memory; they keep the value set last, or first.
 * part:   the value of a part of a node.  SAME: the node's.  OWN: that of struct part_def.
 *         NONE: 0.
 * stored: whether a ProfileNode has it as field FIELD.  ALWAYS: for each node.  WITHOUT_DEF: for
 *         nodes whose definition does not have it.  BY_HAND: special code in profile_out.c and
 *         profile_batch.c, or not stored.  Generated code handles numbers and strings only. */
#define NODE_COLUMNS(X)                                                                          \
    X(name, strid, STRING, FIXED, SAME, BY_HAND, 0)                                              \
    X(op, strid, STRING, FIXED, OWN, BY_HAND, 0)                                                 \
    X(def, struct node_def, DEF, DENSE, NONE, BY_HAND, 0)                                        \
    /* of attribute `shape` */                                                                   \
    X(shape, shape_id, SHAPE, LAST, SAME, BY_HAND, 0)                                            \
    /* bits per tensor element, by dtype; 0: unknown */                                \
    X(element_bits, uint8_t, NUMBER, LAST, SAME, WITHOUT_DEF, 2005)                              \
    /* size of a tensor if it is not elements times element_bits; else 0 */            \
    X(stored_bytes, int64_t, NUMBER, LAST, SAME, WITHOUT_DEF, 2006)                              \
    /* enum free_name; matching compares its class instead of the type */ \
    X(free_name, uint8_t, NUMBER, LAST, SAME, BY_HAND, 0)                                        \
    /* canonical device; STRID_EMPTY: none */                                                    \
    X(device, strid, STRING, LAST, SAME, ALWAYS, 6)                                              \
    X(host_device, strid, STRING, LAST, SAME, ALWAYS, 7)                                         \
    /* other arguments of its first execution, as a JSON object; STRID_EMPTY: none */            \
    X(recorded, strid, STRING, FIRST, NONE, ALWAYS, 2007)                                        \
    /* of one execution, as recorded */                                                          \
    X(static_float_ops, int64_t, NUMBER, LAST, NONE, BY_HAND, 0)                                 \
    X(stack, stack_id, STACK, FIRST, OWN, BY_HAND, 0)

/* Code for stored columns: STORED_##stored(...). */
#define STORED_BY_HAND(...)
#define STORED_ALWAYS(...) __VA_ARGS__
#define STORED_WITHOUT_DEF(...) __VA_ARGS__
