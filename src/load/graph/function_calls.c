/* function_calls.c: functions are called by an op of their name, or named by
 * attributes. */
#include "load/graph/function_calls.h"

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

size_t callees_of(struct function_library *lib, struct span op, struct span def,
                  callee_list *callees)
{
    const size_t before = callees->n;
    struct arena arena = {0};
    size_t n_attrs = 0;
    const struct attr *attrs =
        def.len ? attrs_of_message(wire_in_of(def.bytes, def.len), NODE_ATTR, &arena, &n_attrs)
                : NULL;

    add_callee(lib, (struct attr_bytes){(const char *)op.bytes, op.len},
               (struct attr_bytes){"", 0}, -1, callees);
    for (size_t i = 0; i < n_attrs; i++) {
        const struct attr_value *v = &attrs[i].value;

        if (v->kind == ATTR_FUNC)
            add_callee(lib, v->v.s, attrs[i].name, -1, callees);
        for (uint32_t k = 0; v->kind == ATTR_LIST && v->item_kind == ATTR_FUNC && k < v->n_items;
             k++)
            add_callee(lib, v->v.list_s[k], attrs[i].name, k, callees);
    }
    arena_done(&arena);
    return callees->n - before;
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
        const struct span op = {(const uint8_t *)profile_text(g, g->op[i]),
                                intern_len(&g->strings, g->op[i])};
        struct body_call call = {.node = i, .first_callee = (uint32_t)calls->callees.n};

        call.n_callees = (uint32_t)callees_of(
            lib, op, (struct span){function->file.bytes + def.offset, def.len_bytes},
            &calls->callees);
        if (call.n_callees)
            vec_push(&calls->calls, call);
    }
}

void body_calls_done(struct body_calls *calls)
{
    vec_done(&calls->calls);
    vec_done(&calls->callees);
}
