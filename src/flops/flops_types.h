/* flops_types.h: the request for operation counts, and the counts. */
#ifndef TFPROF_FLOPS_FLOPS_TYPES_H
#define TFPROF_FLOPS_FLOPS_TYPES_H

#include "model/attr.h"
#include "model/function.h"

enum flops_state {
    FLOPS_NO_COMPUTE,    /* the op does no arithmetic by its rule: 0 is right */
    FLOPS_COUNTED,
    FLOPS_PER_TRIP,      /* counted for one iteration of a loop of unknown length */
    FLOPS_LEFT_OUT,      /* in a branch that costs less than another one, or in a
                            function that TensorFlow does not enter */
    FLOPS_UNKNOWN_SHAPE, /* a rule, but a dimension it names is unknown */
    FLOPS_NO_RULE,
    FLOPS_STATE_COUNT
};

/* Which counts: those that the profile recorded; the original's registered
 * rules, exactly (flops.md sections 1 to 4); ours (sections 5 to 7). */
enum flops_rules { FLOPS_RULES_LOG, FLOPS_RULES_COMPAT, FLOPS_RULES_FULL, FLOPS_RULES_COUNT };

/* From which release on TensorFlow has a statistic; flops.md section 3. */
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
    enum flops_release release; /* compat: the statistics of this one */
    /* full: what a transcendental function and a division count; 0: 1 */
    int64_t transcendental, division;
    bool macs;        /* multiply-adds count 1 */
    bool loops;       /* compat: enter loops (for one trip), branches and all other
                         calls too, which TensorFlow does not */
    int64_t batch;    /* binds the unknown first dimension of inputs; 0: none */
    const char *bind; /* NODE=2x3x?[,...] shapes of nodes; NULL: none */
    const struct attr_source *attrs;
    struct function_source functions; /* find NULL: no library */
};

struct flops {
    int64_t *count; /* [n_nodes] operations of one execution; 0 unless counted.  A
                       node in a loop of known length has all its iterations, a
                       call what its functions make and no rows below it show */
    uint8_t *state; /* [n_nodes] enum flops_state */
    uint32_t n_state[FLOPS_STATE_COUNT];
    struct notes notes;
    struct flops_priv *priv;
};

#endif
