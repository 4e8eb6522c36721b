/* node_columns.h: the columns of nodes, a row each.
 *
 * From a row follow the member of struct profile, the vector of the builder with its getter and
 * setter, packing, copies for parts of nodes, forks and rows of functions, the merged profile of a
 * comparison, and the field of a stored profile. */
#ifndef TFPROF_MODEL_NODE_COLUMNS_H
#define TFPROF_MODEL_NODE_COLUMNS_H

/* Nodes of traces that people or programs name as they like. */
enum free_name { FREE_NAME_NONE, FREE_NAME_ANNOTATION, FREE_NAME_MODULE };

/* X(member, type, kind, vector, part, stored, field)
 *
 * type:   of an element.  0 is the value of a node that has none, so a type of which 0 means
 *         something holds one more.
 * kind:   how a value gets into another profile: STRING, SHAPE and STACK are ids of the profile, DEF
 *         has the index of a file, a NUMBER means the same everywhere.
 * vector: of the builder.  FIXED and DENSE ones have an element for each node; FIXED: set when the node
 *         is added.  LAST and FIRST ones end at the last node that has a value, so a column that no file
 *         fills takes no memory; the value set last, or first, is kept.
 * part:   what a part of a node has.  SAME: the node's value.  OWN: that of struct part_def.  NONE: 0.
 * stored: whether a ProfileNode has the value as field FIELD.  ALWAYS: of each node.  WITHOUT_DEF: of
 *         nodes without a definition that says it.  BY_HAND: profile_out.c and profile_batch.c have
 *         rules of their own, or it is not stored.  Only numbers and strings are stored by rows. */
#define NODE_COLUMNS(X)                                                                          \
    X(name, strid, STRING, FIXED, SAME, BY_HAND, 0)                                              \
    X(op, strid, STRING, FIXED, OWN, BY_HAND, 0)                                                 \
    X(def, struct node_def, DEF, DENSE, NONE, BY_HAND, 0)                                        \
    /* of attribute `shape` */                                                                   \
    X(shape, shape_id, SHAPE, LAST, SAME, BY_HAND, 0)                                            \
    /* size of an element of its tensors, by its dtype; 0: not known */                          \
    X(element_bits, uint8_t, NUMBER, LAST, SAME, WITHOUT_DEF, 2005)                              \
    /* of a tensor whose bytes are not its elements times element_bits; 0: they are */            \
    X(stored_bytes, int64_t, NUMBER, LAST, SAME, WITHOUT_DEF, 2006)                              \
    /* enum free_name: whether its name is chosen freely; matching takes the class for the type */ \
    X(free_name, uint8_t, NUMBER, LAST, SAME, BY_HAND, 0)                                        \
    /* canonical device; STRID_EMPTY: none */                                                    \
    X(device, strid, STRING, LAST, SAME, ALWAYS, 6)                                              \
    X(host_device, strid, STRING, LAST, SAME, ALWAYS, 7)                                         \
    /* of one execution, as recorded */                                                          \
    X(static_float_ops, int64_t, NUMBER, LAST, NONE, BY_HAND, 0)                                 \
    X(stack, stack_id, STACK, FIRST, OWN, BY_HAND, 0)

/* What is to be done for a column that is stored by its row: STORED_##stored(...). */
#define STORED_BY_HAND(...)
#define STORED_ALWAYS(...) __VA_ARGS__
#define STORED_WITHOUT_DEF(...) __VA_ARGS__

/* What is to be done for a column that is stored by its row: STORED_##stored(...). */
#define STORED_BY_HAND(...)
#define STORED_ALWAYS(...) __VA_ARGS__
#define STORED_WITHOUT_DEF(...) __VA_ARGS__

#endif
