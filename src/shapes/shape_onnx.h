/* shape_onnx.h: tables of shape and value rules for ONNX operators; names in them lack
 * ONNX_PREFIX. */
#pragma once

#include "shapes/shape_rules.h"

#define ONNX_PREFIX "onnx:"

extern const struct op_rule shape_rules_onnx[];
extern const struct op_rule shape_rules_onnx_layers[];
extern const struct op_rule shape_rules_onnx_windows[];
extern const struct op_rule shape_rules_onnx_moves[];
extern const struct op_rule value_rules_onnx[];

/* An operator with the same meaning as one of TensorFlow. */
struct op_like {
    const char *op;
    const char *like;
};
/* Operators with equal inputs: they share value rules.  A row with OP NULL ends each table. */
extern const struct op_like values_like_onnx[];
/* Operators with equal inputs and attributes: they share shape, value and counting rules. */
extern const struct op_like ops_like_onnx[];

/* Number of elements that a slice takes of a dimension of SIZE; *FROM becomes the first index. */
int64_t onnx_slice_size(int64_t size, int64_t *from, int64_t to, int64_t step);

/* Attribute NAME in older op sets, else the elements of input I.  *N is -1 when they are not known,
 * 0 when there are none. */
const int64_t *onnx_list(struct opctx *c, const char *name, uint32_t i, int64_t *n);
