/* flops_types.h: the request for operation counts, and the counts. */
#pragma once

#include "model/attr.h"

enum flops_state {
    FLOPS_NO_COMPUTE,    /* the op does no arithmetic: its count is 0 */
    FLOPS_COUNTED,
    FLOPS_PER_TRIP,      /* counts one iteration of a loop of unknown length */
    FLOPS_LEFT_OUT,      /* in a branch cheaper than another, or in a function that TensorFlow does
                          * not enter */
    FLOPS_UNKNOWN_SHAPE, /* there is a rule, but it needs an unknown dimension */
    FLOPS_NO_RULE,
    FLOPS_STATE_COUNT
};

/* Which counts: those recorded in the profile; the original's registered statistics (flops.md
 * sections 1 to 4); our own rules (sections 5 to 7). */
enum flops_rules { FLOPS_RULES_LOG, FLOPS_RULES_COMPAT, FLOPS_RULES_FULL, FLOPS_RULES_COUNT };

/* Groups of TensorFlow releases by their statistics (flops.md section 3). */
enum flops_release {
    FLOPS_NEWEST,
    FLOPS_SINCE_2_6,
    FLOPS_SINCE_2_1,
    FLOPS_SINCE_1_15,
    FLOPS_SINCE_1_14,
    FLOPS_SINCE_1_4,
    FLOPS_SINCE_0_9,
    FLOPS_SINCE_0_7,
    FLOPS_SINCE_COUNT
};

struct flops_request {
    enum flops_rules rules;
    enum flops_release release; /* compat: statistics as of this release */
    /* full: FLOPs of a transcendental function and of a division; 0 means 1 */
    int64_t transcendental, division;
    bool macs;        /* a multiply-add counts 1 */
    bool loops;       /* compat: also enter loops (one trip), branches and all other calls, which
                       * TensorFlow does not */
    int64_t batch;    /* size of the unknown first dimension of inputs; 0: none */
    const char *bind; /* NODE=2x3x?[,...]: shapes of nodes; NULL: none */
    const struct attr_source *attrs;
    struct function_source functions; /* find NULL: no library */
};

struct flops {
    int64_t *count; /* [n_nodes] operations per execution; 0 unless counted.  Includes all
                     * iterations of a loop of known length; of a call, the part of its functions
                     * that no rows below it show */
    int64_t *bytes; /* [n_nodes and parts] that a call of attention reads and writes; NULL: none does */
    int64_t *output_bytes; /* [n_nodes] of the outputs whose shape and type are known; NULL: not computed */
    uint8_t *state; /* [n_nodes] enum flops_state */
    uint32_t n_state[FLOPS_STATE_COUNT];
    struct notes notes;
    struct flops_priv *priv;
};
