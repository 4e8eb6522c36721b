/* own_types.c: op types that -define_type assigns by node name. */
#include "load/graph/own_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "load/graph/attrs.h"

struct state {
    struct builder *builder;
    struct err *err;
    bool ok;
};

/* Escapes commas, which separate the regexes of a list. */
static void quote_commas(struct strbuf *sb, const char *regex)
{
    for (; *regex; regex++) {
        sb_adds(sb, *regex == ',' ? "\\" : "");
        sb_addc(sb, *regex);
    }
}

static void add_type(struct builder *b, strid type, const struct regexes *regexes)
{
    struct profile *p = builder_profile(b);
    const node_id n = builder_n_nodes(b);
    uint8_t *matches = xcalloc((size_t)n + 1, 1);

    for (node_id i = 0; i < n; i++) {
        const strid name = builder_get_name(b, i);

        matches[i] = regexes_match(regexes, intern_text(&p->strings, name),
                                   intern_len(&p->strings, name)) >= 0;
    }
    for (node_id i = 0; i < n && !regexes_gave_up(regexes); i++)
        if (matches[i])
            builder_add_type(b, i, type);
    free(matches);
    regexes_note_undecided(regexes, "-define_type", n, &p->notes);
}

static void add_item(const char *item, size_t len UNUSED, size_t offset UNUSED, void *arg)
{
    struct state *state = arg;
    const char *equals = strchr(item, '=');
    struct strbuf list = {0};
    struct regexes *regexes;

    if (!state->ok)
        return;
    if (!equals) {
        state->ok = err_set(state->err, ERR_USAGE, "-define_type: '%s' is not NAME=REGEX", item);
        return;
    }
    quote_commas(&list, equals + 1);
    regexes = regexes_new(sb_text(&list), state->err);
    state->ok = regexes != NULL;
    if (regexes)
        add_type(state->builder, builder_str(state->builder, item, (size_t)(equals - item)),
                 regexes);
    regexes_free(regexes);
    sb_done(&list);
}

bool own_types_add(struct builder *b, const char *list, struct err *err)
{
    struct state state = {.builder = b, .err = err, .ok = true};

    if (list)
        regexes_split(list, add_item, &state);
    return state.ok;
}

/* ---- types of the weights of a frozen graph, which are constants */

enum { NODE_ATTR = 5 };

static bool has_variables(const struct builder *b, const struct intern *strings)
{
    static const char *const ops[] = {"Variable",        "VariableV2",         "VarHandleOp",
                                      "AutoReloadVariable", "TemporaryVariable", "_VarHandlesOp"};

    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        const strid op = intern_find(strings, ops[k], strlen(ops[k]));

        for (node_id i = 0; op != STRID_NONE && i < builder_n_nodes((struct builder *)b); i++)
            if (builder_get_op(b, i) == op)
                return true;
    }
    return false;
}

/* True for a stored profile, whose types are complete. */
static bool is_stored(const struct builder *b)
{
    return builder_n_nodes(b) && builder_get_def(b, 0).form == NODE_FORM_PROFILENODE;
}

/* The shape of a floating-point literal; SHAPE_UNKNOWN for other attributes. */
static shape_id weight_shape(struct builder *b, const struct attr *attrs, size_t n)
{
    const struct attr_value *value = attrs_find(attrs, n, "value");
    const struct dtype *type =
        value && value->kind == ATTR_TENSOR ? dtype_find(value->v.tensor.dtype) : NULL;

    if (!type || type->kind != DTYPE_FLOAT || value->v.tensor.shape.unknown_rank)
        return SHAPE_UNKNOWN;
    if (!value->v.tensor.shape.n_dims)
        return SHAPE_SCALAR;
    return builder_shape(b, value->v.tensor.shape.dims, value->v.tensor.shape.n_dims);
}

void weight_types_add(struct builder *b)
{
    static const char type_name[] = "_constant_variables";
    const struct profile *p = builder_profile(b);
    const strid op = intern_find(&p->strings, "Const", strlen("Const"));
    const strid type = builder_str(b, type_name, sizeof type_name - 1);
    struct arena arena = {0};

    if (op == STRID_NONE || is_stored(b) || has_variables(b, &p->strings))
        return;
    for (node_id i = 0; i < builder_n_nodes(b); i++) {
        shape_id shape;
        size_t n;
        const struct attr *attrs;

        if (builder_get_op(b, i) != op)
            continue;
        attrs = attrs_of_def(p, builder_get_def(b, i), &arena, &n);
        shape = weight_shape(b, attrs, n);
        if (shape != SHAPE_UNKNOWN) {
            builder_add_type(b, i, type);
            builder_set_shape(b, i, shape);
        }
        arena_reset(&arena);
    }
    arena_done(&arena);
}
