/* function_copy.c: copies the nodes of a body into the graph, below a call. */
#include "load/graph/functions_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- names and sources */

/* Bytes of a row and its parts, including views and counts. */
enum { ROW_BYTES = 400, INPUT_BYTES = 40, OUTPUT_BYTES = 40 };

/* ---- functions */

static strid *new_strings(size_t n)
{
    strid *strings = xreallocarray(NULL, n, sizeof *strings);

    memset(strings, 0xff, n * sizeof *strings);
    return strings;
}

static void measure(struct function_use *use, const struct function_body *body)
{
    const struct profile *g = body->graph;

    for (node_id i = body->n_args; i < g->n_nodes; i++)
        use->name_bytes += intern_len(&g->strings, g->name[i]);
    use->strings = new_strings(g->strings.n);
    use->shapes = xcalloc((size_t)g->n_shapes + 1, sizeof *use->shapes);
    use->is_measured = true;
}

bool use_take_cost(struct expansion *x, const struct library_function *function,
                   size_t prefix_len)
{
    struct function_use *use = use_of(x, function);
    const struct profile *g = function->body.graph;
    const uint64_t rows = g->n_nodes - function->body.n_args;
    const uint64_t lists = g->input_begin[g->n_nodes] + (uint64_t)g->output_begin[g->n_nodes];
    const uint64_t reserve = use->is_shown ? x->reserve_bytes : 0;
    uint64_t bytes, name_bytes;

    if (!use->is_measured)
        measure(use, &function->body);
    name_bytes = use->name_bytes + rows * (prefix_len + 1);
    bytes = rows * ROW_BYTES + name_bytes +
            (uint64_t)g->input_begin[g->n_nodes] * INPUT_BYTES +
            (uint64_t)g->output_begin[g->n_nodes] * OUTPUT_BYTES;
    return bytes + reserve <= x->budget.bytes_left &&
           budget_take(&x->budget, bytes, rows * 16 + lists + name_bytes / 8);
}

void use_done(struct function_use *use)
{
    body_calls_done(&use->calls);
    EACH(free, use->strings, use->missing, use->shapes);
}

/* ---- names and sources */

strid expanded_name(const struct expansion *x, node_id node)
{
    return builder_get_name(x->loader->builder, node);
}

void expanded_add_name(struct strbuf *sb, const struct intern *strings, strid id)
{
    sb_add(sb, intern_text(strings, id), intern_len(strings, id));
}

/* The name of argument NAME of FUNCTION without a value in a call. */
static strid missing_argument(struct expansion *x, const struct library_function *function,
                              strid name)
{
    const struct intern *strings = &function->body.graph->strings;
    struct function_use *use = use_of(x, function);
    const uint64_t len = (uint64_t)intern_len(&x->lib->names, function->name) + 1 +
                         intern_len(strings, name);

    if (!use->missing)
        use->missing = new_strings(strings->n);
    if (use->missing[name] != STRID_NONE)
        return use->missing[name];
    /* Bounds the repetition of a long function name. */
    if (!budget_take(&x->budget, len, len / 8))
        return STRID_EMPTY;
    sb_clear(&x->name);
    expanded_add_name(&x->name, &x->lib->names, function->name);
    sb_addc(&x->name, '/');
    expanded_add_name(&x->name, strings, name);
    use->missing[name] = builder_str(x->loader->builder, sb_text(&x->name), x->name.len);
    return use->missing[name];
}

struct origin site_origin(struct expansion *x, const struct site *site, node_id source,
                          strid source_name, int32_t index)
{
    const struct function_body *body = &site->function->body;

    if (source != NODE_NONE && source >= body->n_args)
        return (struct origin){
            expanded_name(x, site->public.first + (source - body->n_args)), index};
    if (source != NODE_NONE && source < site->n_arguments)
        return x->arguments.data[site->first_argument + source];
    return (struct origin){missing_argument(x, site->function, source_name), index};
}

/* ---- bodies */

/* A new node name below the first PREFIX_LEN bytes of x->name. */
static strid free_name(struct expansion *x, size_t prefix_len, const char *name, size_t len)
{
    struct builder *b = x->loader->builder;
    strid id;

    sb_truncate(&x->name, prefix_len);
    sb_add(&x->name, name, len);
    while (id = builder_str(b, sb_text(&x->name), x->name.len), builder_find(b, id) != NODE_NONE) {
        sb_adds(&x->name, "_inlined");
        budget_charge(&x->budget, 0, x->name.len / 8);
    }
    return id;
}

/* String ID of FUNCTION's body, as a string of the graph. */
static strid graph_string(struct expansion *x, const struct library_function *function, strid id)
{
    const struct intern *strings = &function->body.graph->strings;
    strid *known = &use_of(x, function)->strings[id];

    if (*known == STRID_NONE)
        *known = builder_str(x->loader->builder, intern_text(strings, id),
                             intern_len(strings, id));
    return *known;
}

static shape_id graph_shape(struct expansion *x, const struct library_function *function,
                            shape_id id)
{
    const struct shape *shape = &function->body.graph->shapes[id];
    shape_id *known = &use_of(x, function)->shapes[id];

    if (id <= SHAPE_SCALAR)
        return id;
    if (*known == SHAPE_UNKNOWN)
        *known = builder_shape(x->loader->builder, shape->dims, shape->n_dims);
    return *known;
}

/* Copies the columns of node FROM of FUNCTION's body to node TO of the graph; graphs have no call
 * stacks. */
static void copy_columns(struct expansion *x, const struct library_function *function,
                        node_id from, node_id to)
{
    const struct profile *g = function->body.graph;
    struct builder *b = x->loader->builder;

#define GRAPH_NUMBER(number) (number)
#define GRAPH_STRING(string) graph_string(x, function, (string))
#define GRAPH_SHAPE(shape) graph_shape(x, function, (shape))
#define GRAPH_STACK(stack) STACK_NONE
#define COPY_FIXED(member, kind)
#define COPY_DENSE(member, kind)
#define COPY_LAST(member, kind) builder_set_##member(b, to, GRAPH_##kind(g->member[from]));
#define COPY_FIRST COPY_LAST
#define COPY(member, type, kind, vector, ...) COPY_##vector(member, kind)
    NODE_COLUMNS(COPY)
    for (uint32_t i = g->output_begin[from]; i < g->output_begin[from + 1]; i++)
        builder_add_output(b, to, g->outputs[i].index,
                           graph_shape(x, function, g->outputs[i].shape));
}

void site_add_nodes(struct expansion *x, struct site *site, size_t prefix_len)
{
    const struct function_body *body = &site->function->body;
    const struct profile *g = body->graph;
    struct builder *b = x->loader->builder;

    site->public.first = builder_n_nodes(b);
    site->public.n_nodes = g->n_nodes - body->n_args;
    for (node_id i = body->n_args; i < g->n_nodes; i++) {
        strid name = free_name(x, prefix_len, profile_text(g, g->name[i]),
                               intern_len(&g->strings, g->name[i]));
        struct node_def def = g->def[i];
        bool added;
        node_id node = builder_node(b, name, graph_string(x, site->function, g->op[i]), &added);

        def.file = site->function->file_index;
        builder_set_def(b, node, def);
        copy_columns(x, site->function, i, node);
    }
}

void site_add_inputs(struct expansion *x, const struct site *site)
{
    const struct function_body *body = &site->function->body;
    const struct profile *g = body->graph;

    for (node_id i = body->n_args; i < g->n_nodes; i++)
        for (uint32_t k = g->input_begin[i]; k < g->input_begin[i + 1]; k++) {
            const struct node_input *in = &g->inputs[k];
            const bool is_control = in->own_index == INPUT_CONTROL;
            struct origin o = site_origin(x, site, in->source, profile_input_name(g, k),
                                        is_control ? 0 : in->own_index);

            builder_add_input(x->loader->builder, site->public.first + (i - body->n_args),
                              profile_input_position(g, i, k), o.name, is_control ? 0 : o.index,
                              is_control ? INPUT_CONTROL : o.index);
        }
}
