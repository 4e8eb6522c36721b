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

/* Rules that several families use. */
void shape_results(struct opctx *c);  /* results of the node's bodies, in order */
void shape_none(struct opctx *c);     /* no outputs */
void shape_unknown(struct opctx *c);  /* arg outputs, all unknown */
void shape_scalars(struct opctx *c);  /* arg outputs, all scalars */
void shape_input(struct opctx *c);    /* one output: input number arg */
void shape_attr(struct opctx *c);     /* one output: attribute `shape` */
void shape_vectors(struct opctx *c);  /* arg vectors of unknown length */
void shape_open_rows(struct opctx *c); /* one output: [?] + in0[1:] */
void shape_from_input(struct opctx *c); /* one output: the value of input arg */
/* Sets outputs [FROM, TO) to scalars, as quantised ops have them. */
void out_scalars(struct opctx *c, uint32_t from, uint32_t to);
/* A vector of SIZE elements. */
const struct dims *ctx_vector(struct opctx *c, int64_t size);
