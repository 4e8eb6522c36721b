/* flops.h: operation counts of every node by shape inference and rules. */
#ifndef TFPROF_FLOPS_FLOPS_H
#define TFPROF_FLOPS_FLOPS_H

#include "base/cancel.h"
#include "model/profile.h"

enum flops_state {
    FLOPS_NO_COMPUTE,    /* the op does no arithmetic by its rule: 0 is right */
    FLOPS_COUNTED,
    FLOPS_UNKNOWN_SHAPE, /* a rule, but a dimension it names is unknown */
    FLOPS_NO_RULE,
};

enum flops_rules { FLOPS_RULES_LOG, FLOPS_RULES_COMPAT, FLOPS_RULES_FULL };

struct flops_request {
    enum flops_rules rules;
    bool macs;        /* multiply-adds count 1 */
    int64_t batch;    /* -batch N: binds the unknown first dimension of inputs; 0: none */
    const char *bind; /* -bind NODE=2x3x?[,...]; NULL: none */
};

struct flops {
    struct arena arena;
    int64_t *count;  /* [n_nodes] operations of one execution; 0 unless counted */
    uint8_t *state;  /* [n_nodes] enum flops_state */
    uint32_t n_state[FLOPS_NO_RULE + 1];
    struct notes notes;
    void *priv;
};

/* NULL with ERR on a bad -bind (usage) or when cancelled. */
struct flops *flops_compute(const struct profile *p, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err);
void flops_free(struct flops *f);

/* Inferred shape of output INDEX (flops.h knows more shapes than the
 * profile); false when its rank is unknown.  DIMS is valid as long as F. */
bool flops_output_shape(const struct flops *f, node_id node, int32_t index, const int64_t **dims,
                        uint32_t *n_dims);
/* Appends the formula of NODE with its numbers: "2 * 128*32*32*16 * 3*3*3". */
struct strbuf;
void flops_explain(const struct flops *f, node_id node, struct strbuf *sb);

#endif
