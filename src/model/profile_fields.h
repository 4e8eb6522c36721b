/* profile_fields.h: field numbers of stored profiles (doc/formats-tfprof.md section 2). */
#pragma once

/* Fields of a ProfileProto. */
enum {
    PROFILE_NODE = 1,
    PROFILE_HAS_TRACE = 2,
    PROFILE_STEPS = 3,
    PROFILE_STRING = 4,
    PROFILE_MISS_ACCELERATOR_STREAM = 5,
};

/* Fields of a ProfileNode; generated columns: see NODE_COLUMNS. */
enum {
    NODE_NAME = 1, NODE_INPUT = 2, NODE_SHAPE = 4, NODE_TYPE = 5, NODE_FLOAT_OPS = 8, NODE_OP = 9,
    NODE_TRACE = 10, NODE_ATTR = 11, NODE_EXEC = 12, NODE_ID = 13, NODE_SOURCE_INDEX = 14,
    NODE_OUTPUT_SHAPE = 15,
};

/* ---- our own fields, which the original ignores (section 2.3) */

/* In a ProfileNode. */
enum {
    OWN_NODE_STATE = 2001,      /* int: enum flops_state of float_ops, + 1 */
    OWN_NODE_RUN_OUTPUT = 2002, /* repeated message, in recorded order */
    OWN_NODE_SCALAR = 2003,     /* repeated int: indexes of outputs whose stored shape [1] is a
                                 * scalar; SCALAR_SHAPE: attribute shape */
    OWN_NODE_INPUT = 2004,      /* packed pairs: position of an input and its own output index, or
                                 * OWN_CONTROL; where it differs from src_output_index, which exists
                                 * once for each source */
    /* 2005 and above: NODE_COLUMNS */
};

enum { SCALAR_SHAPE = -1, OWN_CONTROL = -1 };

/* The largest stored values. */
enum { STORED_STATES = 6, STORED_RULES = 3 };

/* A recorded output shape. */
enum { RUN_OUTPUT_SLOT = 1, RUN_OUTPUT_DIMS = 2, RUN_OUTPUT_HAS_SHAPE = 3 };

/* In a ProfileProto. */
enum {
    OWN_COUNT_RULES = 2001, /* int: enum flops_rules of all float_ops, + 1 */
    OWN_CALL_SITE = 2002,   /* repeated message, see struct call_site */
    OWN_PRODUCER = 2003,    /* int: version of the graph's producer */
};

/* Nodes are stored as their ids in the profile. */
enum {
    CALL_SITE_CALL = 1, /* id + 1; absent: a function listed by name */
    CALL_SITE_ROLE = 2,
    CALL_SITE_FUNCTION = 3,
    CALL_SITE_FIRST = 4,
    CALL_SITE_N_NODES = 5,
};
