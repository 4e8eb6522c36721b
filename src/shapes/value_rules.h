/* value_rules.h: the interface between the files of value rules. */
#pragma once

#include "shapes/shape_rules.h"

/* Operations on two elements, or on one (the second is ignored). */
enum value_op {
    OP_ADD, OP_SUB, OP_MUL, OP_FLOOR_DIV, OP_DIV, OP_FLOOR_MOD, OP_MOD, OP_MAX, OP_MIN, OP_NEG,
    OP_ABS, OP_FLOOR, OP_CEIL, OP_ROUND, OP_SQRT, OP_EQUAL, OP_NOT_EQUAL, OP_GREATER, OP_GREATER_EQUAL, OP_LESS, OP_LESS_EQUAL,
};

/* The result; VALUE_UNKNOWN when an operand is unknown, or on overflow. */
int64_t value_combine(int op, int64_t a, int64_t b);

/* All that is known about input I.  For TensorFlow that is a constant or nothing, except in the few
 * ops that pass on partial values. */
const struct value *in_value(const struct opctx *c, uint32_t i);
void out_value(struct opctx *c, uint32_t i, const struct value *v);
bool values_all_const(const struct opctx *c);
/* True for the DataType numbers of integers and bool. */
bool value_is_integer(int dtype);
/* The same for floating point numbers (value_real.c); false when the inputs are not such
 * constants. */
bool reals_const(struct opctx *c, const struct attr_tensor *t);
/* TO: the DataType number that input 0 is cast to. */
bool reals_cast(struct opctx *c, int64_t to);
bool reals_binary(struct opctx *c);
bool reals_unary(struct opctx *c);
bool reals_pack(struct opctx *c);
/* Reads the floating point scalar at input I. */
bool in_real_scalar(const struct opctx *c, uint32_t i, double *v);

/* Output 0 is what attribute `value` holds. */
void value_literal(struct opctx *c);
/* Sets output 0 to the concatenation of inputs [FROM, TO); elements may be unknown. */
void value_join(struct opctx *c, uint32_t from, uint32_t to);

/* N elements of X: FROM, FROM + STEP, ... */
struct value *value_pieces(struct opctx *c, const struct value *x, int64_t from, int64_t step,
                           uint32_t n);
