/* function_copy.c: adds the nodes of a body to the graph, below a call. */
#include "load/graph/functions_priv.h"

/* ---- names and sources */

const struct function_body *site_body(struct expansion *x, const struct site *site)
{
    return library_body(x->lib, (struct library_function *)site->function);
}

strid expanded_name(const struct expansion *x, node_id node)
{
    return builder_name(x->loader->builder, node);
}

void expanded_add_name(struct strbuf *sb, const struct intern *strings, strid id)
{
    sb_add(sb, intern_text(strings, id), intern_len(strings, id));
}

struct origin site_origin(struct expansion *x, const struct site *site, node_id source,
                          strid source_name, int32_t index)
{
    const struct function_body *body = site_body(x, site);
    struct builder *b = x->loader->builder;

    if (source != NODE_NONE && source >= body->n_args)
        return (struct origin){
            expanded_name(x, site->public.first + (source - body->n_args)), index};
    if (source != NODE_NONE && source < site->n_arguments)
        return x->arguments.data[site->first_argument + source];
    /* No such argument is given: a name with nothing behind it. */
    sb_clear(&x->name);
    expanded_add_name(&x->name, &x->lib->names, site->function->name);
    sb_addc(&x->name, '/');
    expanded_add_name(&x->name, &body->graph->strings, source_name);
    return (struct origin){builder_str(b, sb_text(&x->name), x->name.len), index};
}

/* ---- bodies */

/* A name below PREFIX_LEN bytes of x->name that no node has. */
static strid free_name(struct expansion *x, size_t prefix_len, const char *name, size_t len)
{
    struct builder *b = x->loader->builder;
    strid id;

    sb_cut(&x->name, prefix_len);
    sb_add(&x->name, name, len);
    while (id = builder_str(b, sb_text(&x->name), x->name.len), builder_find(b, id) != NODE_NONE)
        sb_adds(&x->name, "_inlined");
    return id;
}

static void copy_shapes(struct builder *b, const struct profile *g, node_id from, node_id to)
{
    const shape_id shape = g->shape[from];

    if (shape != SHAPE_UNKNOWN)
        builder_set_shape(b, to,
                          shape == SHAPE_SCALAR
                              ? SHAPE_SCALAR
                              : builder_shape(b, g->shapes[shape].dims, g->shapes[shape].n_dims));
    for (uint32_t i = g->output_begin[from]; i < g->output_begin[from + 1]; i++) {
        const struct node_output *out = &g->outputs[i];

        builder_add_output(b, to, out->index,
                           out->shape <= SHAPE_SCALAR
                               ? out->shape
                               : builder_shape(b, g->shapes[out->shape].dims,
                                               g->shapes[out->shape].n_dims));
    }
}

void site_add_nodes(struct expansion *x, struct site *site, size_t prefix_len)
{
    const struct function_body *body = site_body(x, site);
    const struct profile *g = body->graph;
    struct builder *b = x->loader->builder;

    site->public.first = builder_n_nodes(b);
    site->public.n_nodes = g->n_nodes - body->n_args;
    for (node_id i = body->n_args; i < g->n_nodes; i++) {
        strid name = free_name(x, prefix_len, profile_text(g, g->name[i]),
                               intern_len(&g->strings, g->name[i]));
        struct node_def def = g->def[i];
        bool added;
        node_id node = builder_node(b, name,
                                    builder_str(b, profile_text(g, g->op[i]),
                                                intern_len(&g->strings, g->op[i])),
                                    &added);

        def.file = site->function->file_index;
        builder_set_def(b, node, def);
        copy_shapes(b, g, i, node);
    }
}

void site_add_inputs(struct expansion *x, const struct site *site)
{
    const struct function_body *body = site_body(x, site);
    const struct profile *g = body->graph;

    for (node_id i = body->n_args; i < g->n_nodes; i++)
        for (uint32_t k = g->input_begin[i]; k < g->input_begin[i + 1]; k++) {
            const struct node_input *in = &g->inputs[k];
            const bool is_control = in->own_index == INPUT_CONTROL;
            struct origin o = site_origin(x, site, in->source, in->source_name,
                                        is_control ? 0 : in->own_index);

            builder_add_input(x->loader->builder, site->public.first + (i - body->n_args),
                              in->position, o.name, is_control ? 0 : o.index,
                              is_control ? INPUT_CONTROL : o.index);
        }
}
