/* shape_rules.h: the tables of shape rules and value rules, one for each family of ops.  A row
 * without ops ends a table. */
#pragma once

#include "shapes/opctx.h"

extern const struct op_rule shape_rules_elementwise[];
extern const struct op_rule shape_rules_reduce[];
extern const struct op_rule shape_rules_pad[];
extern const struct op_rule shape_rules_reshape[];
extern const struct op_rule shape_rules_slice[];
extern const struct op_rule shape_rules_given[];
extern const struct op_rule shape_rules_matrix[];
extern const struct op_rule shape_rules_linalg[];
extern const struct op_rule shape_rules_conv[];
extern const struct op_rule shape_rules_pool[];
extern const struct op_rule shape_rules_xla[];
extern const struct op_rule shape_rules_nn[];
extern const struct op_rule shape_rules_image[];
extern const struct op_rule shape_rules_state[];
extern const struct op_rule shape_rules_list[];
extern const struct op_rule shape_rules_text[];
extern const struct op_rule shape_rules_data[];
extern const struct op_rule shape_rules_flow[];

extern const struct op_rule value_rules[];
extern const struct op_rule value_rules_made[];
extern const struct op_rule value_rules_math[];

/* An op whose outputs are written in the signs of shapes.md: "[?], in0[:-1] + [val1]". */
struct written_rule {
    const char *ops;     /* as in struct op_rule */
    const char *outputs; /* "" for none */
};
extern const struct written_rule written_rules[], written_rules_onnx[];
void shape_written(struct opctx *c, const char *outputs);

/* Results of the node's bodies, in order. */
void shape_results(struct opctx *c);
/* Sets outputs [FROM, TO) to scalars, as quantised ops have them. */
void out_scalars(struct opctx *c, uint32_t from, uint32_t to);
