/* own_fields.h: what profiles that we write say beside the fields of the original, which
 * passes over them (doc/formats-tfprof.md section 2.3). */
#ifndef TFPROF_MODEL_OWN_FIELDS_H
#define TFPROF_MODEL_OWN_FIELDS_H

/* In a ProfileNode. */
enum {
    OWN_NODE_STATE = 2001,      /* int: enum flops_state of float_ops, + 1 */
    OWN_NODE_RUN_OUTPUT = 2002, /* repeated message, in recorded order */
    OWN_NODE_SCALAR = 2003,     /* repeated int: outputs whose stored shape [1] is a scalar's;
                                   SCALAR_SHAPE: that of attribute shape */
    OWN_NODE_INPUT = 2004,      /* packed pairs: position of an input, its own output index, or
                                   OWN_CONTROL; where src_output_index, of which there is one
                                   for each source, says something else */
    OWN_NODE_ELEMENT_BITS = 2005, /* int: of nodes without attributes, as struct profile has it */
};

enum { SCALAR_SHAPE = -1, OWN_CONTROL = -1 };

/* The largest values that are written. */
enum { STORED_STATES = 6, STORED_RULES = 3 };

/* A shape that a run told of. */
enum { RUN_OUTPUT_SLOT = 1, RUN_OUTPUT_DIMS = 2, RUN_OUTPUT_HAS_SHAPE = 3 };

/* In a ProfileProto. */
enum {
    OWN_COUNT_RULES = 2001, /* int: enum flops_rules of all float_ops, + 1 */
    OWN_CALL_SITE = 2002,   /* repeated message, see struct call_site */
    OWN_PRODUCER = 2003,    /* int: version of what wrote the graph */
};

/* Nodes by their ids in the profile. */
enum {
    CALL_SITE_CALL = 1, /* + 1; absent: the function by itself */
    CALL_SITE_ROLE = 2,
    CALL_SITE_FUNCTION = 3,
    CALL_SITE_FIRST = 4,
    CALL_SITE_N_NODES = 5,
};

#endif
