/* einsum.h: applies an Einsum equation to shapes: the labels of output and operands, and their
 * sizes. */
#pragma once

#include "shapes/opctx.h"

/* Labels are bytes of the equation; dimensions of an ellipsis get labels from 256 on, counted from
 * the right. */
#define EINSUM_LABELS (256 + DIMS_MAX_RANK)
#define EINSUM_OPERANDS 16

struct einsum_term {
    uint32_t n;
    uint16_t label[DIMS_MAX_RANK];
};

struct einsum {
    uint32_t n_operands;
    struct einsum_term operand[EINSUM_OPERANDS];
    struct einsum_term output;
    int64_t size[EINSUM_LABELS]; /* by label; DIM_UNKNOWN */
};

/* False when the equation is malformed or contradicts the known shapes of the N operands. */
bool einsum_parse(struct einsum *e, const char *equation, size_t len, const struct tensor *operands,
                  uint32_t n);
const struct dims *einsum_output(const struct einsum *e, struct arena *a);
