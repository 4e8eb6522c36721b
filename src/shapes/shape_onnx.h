/* shape_onnx.h: the tables of rules of the operators of ONNX; names stand in them without
 * ONNX_PREFIX. */
#pragma once

#include "shapes/shape_rules.h"

#define ONNX_PREFIX "onnx:"

extern const struct op_rule shape_rules_onnx[];
extern const struct op_rule shape_rules_onnx_windows[];
extern const struct op_rule shape_rules_onnx_moves[];
extern const struct op_rule value_rules_onnx[];

/* Operators that mean what operators of TensorFlow mean. */
struct op_like {
    const char *op;
    const char *like;
};
/* Values, where the inputs are the same ones; a row with an OP of NULL ends the table. */
extern const struct op_like values_like_onnx[];
/* Shapes and counts as well: attributes are the same. */
extern const struct op_like ops_like_onnx[];

/* How many elements a slice takes of SIZE; *FROM becomes the first one. */
int64_t onnx_slice_size(int64_t size, int64_t *from, int64_t to, int64_t step);
