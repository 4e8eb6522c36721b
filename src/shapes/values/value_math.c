/* value_math.c: arithmetic on small integer tensors (shapes.md section 3). */
#include "shapes/value_rules.h"

static int64_t divided(int op, int64_t a, int64_t b)
{
    const int64_t down = quotient(a, b), rest = sat_remainder(a, b);
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

static void value_binary(struct opctx *c)
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

static void value_unary(struct opctx *c)
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

static void value_reduced(struct opctx *c)
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

static void value_select(struct opctx *c)
{
    int64_t which;

    if (in_const_scalar(c, 0, &which))
        out_value(c, 0, in_value(c, which ? 1 : 2));
}

const struct op_rule value_rules_math[] = {
    {"Add AddV2", value_binary, OP_ADD},
    {"Sub", value_binary, OP_SUB},
    {"Mul", value_binary, OP_MUL},
    {"FloorDiv", value_binary, OP_FLOOR_DIV},
    {"RealDiv Div TruncateDiv", value_binary, OP_DIV},
    {"FloorMod", value_binary, OP_FLOOR_MOD}, {"Mod TruncateMod", value_binary, OP_MOD},
    {"Maximum", value_binary, OP_MAX}, {"Minimum", value_binary, OP_MIN},
    {"Neg", value_unary, OP_NEG}, {"Abs", value_unary, OP_ABS}, {"Floor", value_unary, OP_FLOOR},
    {"Ceil", value_unary, OP_CEIL}, {"Round Rint", value_unary, OP_ROUND},
    {"Sqrt", value_unary, OP_SQRT}, {"Equal", value_binary, OP_EQUAL},
    {"NotEqual", value_binary, OP_NOT_EQUAL}, {"Greater", value_binary, OP_GREATER},
    {"GreaterEqual", value_binary, OP_GREATER_EQUAL},
    {"Less", value_binary, OP_LESS}, {"LessEqual", value_binary, OP_LESS_EQUAL},
    {"Prod", value_reduced, OP_MUL}, {"Sum", value_reduced, OP_ADD}, {"Max", value_reduced, OP_MAX},
    {"Min", value_reduced, OP_MIN}, {"Select SelectV2", value_select, 0}, {0},
};
