/* function_calls.c: finds the functions that nodes call: by the node's op, or by attributes. */
#include "load/graph/function_calls.h"


#include "base/compare.h"
#include "load/graph/attrs.h"

enum { NODE_ATTR = 5 };

static void add_callee(struct function_library *lib, struct attr_bytes name,
                       struct attr_bytes attr, int64_t item, callee_list *callees)
{
    struct callee callee = {.function = library_find(lib, name.bytes, name.len)};
    struct strbuf role = {0};

    if (!callee.function)
        return;
    function_role_add(&role, attr, item);
    callee.role = intern_put(&lib->names, sb_text(&role), role.len);
    sb_done(&role);
    vec_push(callees, callee);
}

COMPARE_CHAIN(compare_attrs, struct attr,
              THEN(bytes_compare(a->name.bytes, a->name.len, b->name.bytes, b->name.len)))

static bool is_functions(const struct attr_value *v)
{
    return v->kind == ATTR_FUNC || (v->kind == ATTR_LIST && v->item_kind == ATTR_FUNC);
}

/* Appends the functions that attributes of a NodeDef name, sorted by attribute name. */
static void add_callees(struct function_library *lib, struct span def, callee_list *callees)
{
    struct arena arena = {0};
    VEC(struct attr) named = {0};
    size_t n_attrs;
    const struct attr *attrs =
        attrs_of_message(wire_in_of(def.bytes, def.len), NODE_ATTR, &arena, &n_attrs);

    for (size_t i = 0; i < n_attrs; i++)
        if (is_functions(&attrs[i].value))
            vec_push(&named, attrs[i]);
    vec_sort(&named, compare_attrs);
    for (size_t i = 0; i < named.n; i++) {
        const struct attr_value *v = &named.data[i].value;

        if (v->kind == ATTR_FUNC)
            add_callee(lib, v->v.s, named.data[i].name, -1, callees);
        for (uint32_t k = 0; v->kind == ATTR_LIST && k < v->n_items; k++)
            add_callee(lib, v->v.list_s[k], named.data[i].name, k, callees);
    }
    vec_done(&named);
    arena_done(&arena);
}

/* Appends the functions that NODE of type OP calls; DEF is its NodeDef, empty when unknown. */
static void add_call(struct body_calls *calls, struct function_library *lib, node_id node,
                     struct span name, struct span op, struct span def)
{
    struct body_call call = {
        .node = node, .name = name, .first_callee = (uint32_t)calls->callees.n};

    add_callee(lib, (struct attr_bytes){(const char *)op.bytes, op.len},
               (struct attr_bytes){"", 0}, -1, &calls->callees);
    if (def.len)
        add_callees(lib, def, &calls->callees);
    call.n_callees = (uint32_t)calls->callees.n - call.first_callee;
    if (call.n_callees)
        vec_push(&calls->calls, call);
}

COMPARE_CHAIN(compare_calls, struct body_call,
              THEN(bytes_compare(a->name.bytes, a->name.len, b->name.bytes, b->name.len)))

static struct span text_of(const struct intern *strings, strid id)
{
    return (struct span){(const uint8_t *)intern_text(strings, id), intern_len(strings, id)};
}

bool body_calls_of_graph(struct body_calls *calls, struct function_library *lib,
                         const struct loader *l, uint32_t n_nodes)
{
    const struct builder *b = l->builder;
    const struct profile *p = builder_profile(l->builder);

    for (node_id i = 0; i < n_nodes; i++) {
        const struct node_def def = builder_get_def(b, i);
        struct span message = {0};

        if (i % 1024 == 0 && cancel_asked(l->cancel))
            return false;
        if (def.form == NODE_FORM_NODEDEF)
            message = (struct span){p->files[def.file].bytes + def.offset, def.len_bytes};
        add_call(calls, lib, i, text_of(&p->strings, builder_get_name(b, i)),
                 text_of(&p->strings, builder_get_op(b, i)), message);
    }
    vec_sort(&calls->calls, compare_calls);
    return true;
}

void body_calls_find(struct body_calls *calls, struct function_library *lib,
                     const struct library_function *function)
{
    const struct profile *g = function->body.graph;

    if (calls->is_known)
        return;
    calls->is_known = true;
    for (node_id i = function->body.n_args; i < g->n_nodes; i++) {
        const struct node_def def = g->def[i];

        add_call(calls, lib, i, text_of(&g->strings, g->name[i]), text_of(&g->strings, g->op[i]),
                 (struct span){function->file.bytes + def.offset, def.len_bytes});
    }
    vec_sort(&calls->calls, compare_calls);
}

void body_calls_done(struct body_calls *calls)
{
    EACH(vec_done, &calls->calls, &calls->callees);
}
