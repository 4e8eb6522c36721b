/* value_math.c: arithmetic on small integer tensors; shapes.md section 3. */
#include "shapes/values/value_rules.h"

static int64_t divided(int op, int64_t a, int64_t b)
{
    const int64_t down = quotient(a, b), rest = remainder_of(a, b);
    const bool is_above = rest != 0 && (rest < 0) != (b < 0);

    if (b == 0)
        return VALUE_UNKNOWN;
    switch (op) {
    case OP_FLOOR_DIV: return is_above ? clamp_sub(down, 1) : down;
    case OP_FLOOR_MOD: return is_above ? clamp_add(rest, b) : rest;
    case OP_MOD:       return rest;
    default:           return down;
    }
}

int64_t value_combine(int op, int64_t a, int64_t b)
{
    int64_t v;

    if (a == VALUE_UNKNOWN || b == VALUE_UNKNOWN)
        return VALUE_UNKNOWN;
    switch (op) {
    case OP_ADD: return __builtin_add_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_SUB: return __builtin_sub_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_MUL: return __builtin_mul_overflow(a, b, &v) ? VALUE_UNKNOWN : v;
    case OP_MAX: return a > b ? a : b;
    case OP_MIN: return a < b ? a : b;
    case OP_NEG: return clamp_neg(a);
    case OP_ABS: return a < 0 ? clamp_neg(a) : a;
    case OP_EQUAL: return a == b;
    case OP_NOT_EQUAL: return a != b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    default: return divided(op, a, b);
    }
}

static void binary_value(struct opctx *c)
{
    const struct value *a = in_value(c, 0), *b = in_value(c, 1);
    struct value *v;
    uint32_t n;

    if (reals_binary(c) || !a || !b || (a->n != b->n && a->n != 1 && b->n != 1))
        return;
    n = a->n == 1 ? b->n : a->n;
    v = value_new(c, n, a->scalar && b->scalar);
    for (uint32_t i = 0; i < n; i++)
        v->v[i] = value_combine(c->arg, a->v[a->n == 1 ? 0 : i], b->v[b->n == 1 ? 0 : i]);
    out_value(c, 0, value_seal(c, v, a->folded && b->folded));
}

static void unary_value(struct opctx *c)
{
    const struct value *a = in_value(c, 0);
    struct value *v;

    if (reals_unary(c) || !a)
        return;
    v = value_new(c, a->n, a->scalar);
    for (uint32_t i = 0; i < a->n; i++)
        v->v[i] = value_combine(c->arg, a->v[i], 0);
    out_value(c, 0, value_seal(c, v, a->folded));
}

static void reduced_value(struct opctx *c)
{
    const struct value *a = in_value(c, 0), *axes = in_const(c, 1);
    int64_t total;
    struct value *v;

    if (!a || !axes || (axes->n == 0 && !a->scalar))
        return;
    total = c->arg == OP_MUL ? 1 : 0;
    if ((c->arg == OP_MAX || c->arg == OP_MIN) && a->n == 0)
        return;
    if (c->arg == OP_MAX || c->arg == OP_MIN)
        total = a->v[0];
    for (uint32_t i = 0; i < a->n; i++)
        total = value_combine(c->arg, total, a->v[i]);
    v = value_new(c, 1, !opctx_bool(c, "keep_dims", false) || a->scalar);
    v->v[0] = total;
    out_value(c, 0, value_seal(c, v, a->folded));
}

static void select_value(struct opctx *c)
{
    int64_t which;

    if (in_const_scalar(c, 0, &which))
        out_value(c, 0, in_value(c, which ? 1 : 2));
}

const struct op_rule value_rules_math[] = {
    {"Add AddV2", binary_value, OP_ADD},
    {"Sub", binary_value, OP_SUB},
    {"Mul", binary_value, OP_MUL},
    {"FloorDiv", binary_value, OP_FLOOR_DIV},
    {"RealDiv Div TruncateDiv", binary_value, OP_DIV},
    {"FloorMod", binary_value, OP_FLOOR_MOD},
    {"Mod TruncateMod", binary_value, OP_MOD},
    {"Maximum", binary_value, OP_MAX},
    {"Minimum", binary_value, OP_MIN},
    {"Neg", unary_value, OP_NEG},
    {"Abs", unary_value, OP_ABS},
    {"Floor", unary_value, OP_FLOOR},
    {"Ceil", unary_value, OP_CEIL},
    {"Round Rint", unary_value, OP_ROUND},
    {"Sqrt", unary_value, OP_SQRT},
    {"Equal", binary_value, OP_EQUAL},
    {"NotEqual", binary_value, OP_NOT_EQUAL},
    {"Greater", binary_value, OP_GREATER},
    {"GreaterEqual", binary_value, OP_GREATER_EQUAL},
    {"Less", binary_value, OP_LESS},
    {"LessEqual", binary_value, OP_LESS_EQUAL},
    {"Prod", reduced_value, OP_MUL},
    {"Sum", reduced_value, OP_ADD},
    {"Max", reduced_value, OP_MAX},
    {"Min", reduced_value, OP_MIN},
    {"Select SelectV2", select_value, 0},
    {0},
};
