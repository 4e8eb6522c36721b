/* function_library.c: the functions of a model and their definitions. */
#include "load/graph/function_library.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "load/graph/functions.h"

/* Cost of a body: a constant part for the tables, strings and lists in proportion to its bytes in
 * the file, and columns in proportion to its nodes. */
enum { GRAPH_BYTES = 4096, BYTES_PER_BYTE = 4, NODE_BYTES = 96, GRAPH_STEPS = 256 };
enum { LIBRARY_FUNCTION = 1, FUNCTION_SIGNATURE = 1, OP_NAME = 1, OP_LIST_OP = 1 };

static const struct function_body *find_body(void *context, const char *name, size_t len,
                                             struct budget *budget)
{
    struct library_function *function = library_find(context, name, len);

    return function ? library_body(context, function, budget) : NULL;
}

static void release(void *context)
{
    struct function_library *lib = context;

    for (size_t i = 0; i < lib->functions.n; i++)
        profile_free((struct profile *)lib->functions.data[i].body.graph);
    EACH(vec_done, &lib->functions, &lib->function_of, &lib->op_of, &lib->outputs_of);
    intern_done(&lib->names);
    arena_done(&lib->arena);
    pthread_mutex_destroy(&lib->lock);
    free(lib);
}

/* The library of L's profile, created on first use. */
static struct function_library *library_of(struct loader *l)
{
    if (!l->library) {
        l->library = xcalloc(1, sizeof *l->library);
        pthread_mutex_init(&l->library->lock, NULL);
        intern_init(&l->library->names);
        builder_profile(l->builder)->functions =
            (struct function_source){find_body, l->library, release};
    }
    return l->library;
}

struct library_function *library_find(struct function_library *lib, const void *name, size_t len)
{
    strid id = intern_find(&lib->names, name, len);

    if (id == STRID_NONE || id >= lib->function_of.n || !lib->function_of.data[id])
        return NULL;
    return &lib->functions.data[lib->function_of.data[id] - 1];
}

const struct function_body *library_body(struct function_library *lib,
                                         struct library_function *function,
                                         struct budget *budget)
{
    enum function_state state;

    pthread_mutex_lock(&lib->lock);
    if (function->state == FUNCTION_NOT_BUILT &&
        budget_take(budget, GRAPH_BYTES + BYTES_PER_BYTE * (uint64_t)function->def.len,
                    GRAPH_STEPS + function->def.len / 4)) {
        function->state = function_body_build(lib, function, budget);
        if (function->state == FUNCTION_BUILT)
            budget_charge(budget, (uint64_t)function->body.graph->n_nodes * NODE_BYTES, 0);
    }
    state = function->state;
    pthread_mutex_unlock(&lib->lock);
    return state == FUNCTION_BUILT ? &function->body : NULL;
}

/* Registers an OpDef; returns the id of its name. */
static strid name_op(struct function_library *lib, struct span op)
{
    struct span name = span_part(op, OP_NAME);
    strid id = intern_put(&lib->names, name.bytes ? (const char *)name.bytes : "", name.len);

    if (id >= lib->op_of.n)
        vec_resize_zero(&lib->op_of, (size_t)id + 1);
    if (!lib->op_of.data[id].bytes)
        lib->op_of.data[id] = op;
    return id;
}

void functions_add_library(struct loader *l, struct span library)
{
    wire_each_len(f, span_walk(library), LIBRARY_FUNCTION) {
        struct function_library *lib = library_of(l);
        struct library_function function;
        strid id = name_op(lib, span_message(field_span(&f), FUNCTION_SIGNATURE, &lib->arena));

        if (id >= lib->function_of.n)
            vec_resize_zero(&lib->function_of, (size_t)id + 1);
        if (lib->function_of.data[id])
            continue;
        function = (struct library_function){
            .name = id, .def = field_span(&f), .file = l->input, .file_index = l->file};
        function.body.index = (uint32_t)lib->functions.n;
        vec_push(&lib->functions, function);
        lib->function_of.data[id] = (uint32_t)lib->functions.n;
    }
}

void functions_add_ops(struct loader *l, struct span ops)
{
    wire_each_len(f, span_walk(ops), OP_LIST_OP)
        name_op(library_of(l), field_span(&f));
}
