/* function_calls.c: functions are called by an op of their name, or named by
 * attributes. */
#include "load/graph/function_calls.h"

#include <inttypes.h>
#include <stdio.h>

#include "load/graph/attrs.h"

enum { NODE_ATTR = 5 };

static void add_callee(struct function_library *lib, struct attr_bytes name,
                       struct attr_bytes attr, int64_t item, struct callee *callees, size_t *n)
{
    struct library_function *function = library_find(lib, name.bytes, name.len);
    struct callee *callee = &callees[*n];
    const int len = attr.len < sizeof callee->role ? (int)attr.len : 0;

    if (!function || *n == CALLEES_MAX)
        return;
    callee->function = function;
    if (item < 0)
        snprintf(callee->role, sizeof callee->role, "%.*s", len, attr.bytes);
    else
        snprintf(callee->role, sizeof callee->role, "%.*s_%" PRId64, len, attr.bytes, item);
    ++*n;
}

size_t callees_of(struct function_library *lib, struct span op, struct span def,
                  struct callee *callees)
{
    struct arena arena = {0};
    size_t n_attrs = 0, n = 0;
    const struct attr *attrs =
        def.len ? attrs_of_message(wire_in_of(def.bytes, def.len), NODE_ATTR, &arena, &n_attrs)
                : NULL;

    add_callee(lib, (struct attr_bytes){(const char *)op.bytes, op.len},
               (struct attr_bytes){"", 0}, -1, callees, &n);
    for (size_t i = 0; i < n_attrs; i++) {
        const struct attr_value *v = &attrs[i].value;

        if (v->kind == ATTR_FUNC)
            add_callee(lib, v->v.s, attrs[i].name, -1, callees, &n);
        for (uint32_t k = 0; v->kind == ATTR_LIST && v->item_kind == ATTR_FUNC && k < v->n_items;
             k++)
            add_callee(lib, v->v.list_s[k], attrs[i].name, k, callees, &n);
    }
    arena_done(&arena);
    return n;
}

void body_calls_find(struct body_calls *calls, struct function_library *lib,
                     const struct library_function *function)
{
    const struct profile *g = function->body.graph;
    struct callee callees[CALLEES_MAX];

    if (calls->is_known)
        return;
    calls->is_known = true;
    for (node_id i = function->body.n_args; i < g->n_nodes; i++) {
        const struct node_def def = g->def[i];
        const struct span op = {(const uint8_t *)profile_text(g, g->op[i]),
                                intern_len(&g->strings, g->op[i])};
        const size_t n = callees_of(
            lib, op, (struct span){function->file.bytes + def.offset, def.len_bytes}, callees);
        const struct body_call call = {i, (uint32_t)calls->callees.n, (uint32_t)n};

        for (size_t k = 0; k < n; k++)
            vec_push(&calls->callees, callees[k]);
        if (n)
            vec_push(&calls->calls, call);
    }
}

void body_calls_done(struct body_calls *calls)
{
    vec_done(&calls->calls);
    vec_done(&calls->callees);
}
