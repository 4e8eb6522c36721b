/* weight_types.c: types of the weights of a frozen graph, which are constants. */
#include "load/graph/weight_types.h"

#include <string.h>

#include "load/graph/attrs.h"

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
