/* known_shapes.c: shapes of the outputs and inputs of nodes, for the screen and the exports. */
#include <string.h>

#include "base/satmath.h"
#include "flops/flops_priv.h"

static void set_shape(struct known_shape *k, const int64_t *dims, uint32_t n_dims,
                      enum shape_origin origin)
{
    *k = (struct known_shape){dims, n_dims, origin};
}

static void set_profile_shape(struct known_shape *k, const struct profile *p, shape_id id,
                              enum shape_origin origin)
{
    if (id != SHAPE_UNKNOWN && k->origin == SHAPE_NOT_KNOWN)
        set_shape(k, p->shapes[id].dims, id == SHAPE_SCALAR ? 0 : p->shapes[id].n_dims, origin);
}

/* Shapes without inference: recorded ones, then those of runs. */
static size_t from_profile(const struct profile *p, node_id node, uint32_t max,
                           struct arena *arena, const struct known_shape **shapes)
{
    const struct node_output *outs = p->outputs;
    uint32_t first = p->output_begin[node], last = p->output_begin[node + 1];
    uint32_t run = p->run_output_begin ? p->run_output_begin[node] : 0;
    uint32_t run_end = p->run_output_begin ? p->run_output_begin[node + 1] : 0;
    struct known_shape *list;
    int64_t all = last > first ? clamp_add(outs[last - 1].index, 1) : 0, n;

    for (uint32_t k = run; k < run_end; k++)
        all = p->run_outputs[k].slot >= all ? clamp_add(p->run_outputs[k].slot, 1) : all;
    all = all > 0 ? all : 0;
    n = all < max ? all : max;
    list = ARENA_NEW(arena, struct known_shape, (size_t)n);
    memset(list, 0, (size_t)n * sizeof *list);
    for (uint32_t k = first; k < last; k++)
        if (outs[k].index >= 0 && outs[k].index < n)
            set_profile_shape(&list[outs[k].index], p, outs[k].shape, SHAPE_RECORDED);
    for (uint32_t k = run; k < run_end; k++)
        if (p->run_outputs[k].slot >= 0 && p->run_outputs[k].slot < n)
            set_profile_shape(&list[p->run_outputs[k].slot], p, p->run_outputs[k].shape,
                              SHAPE_OF_RUN);
    *shapes = list;
    return (size_t)all;
}

size_t flops_shapes(const struct flops *f, const struct profile *p, node_id node, uint32_t max,
                    struct arena *arena, const struct known_shape **shapes)
{
    struct known_shape *list;
    const struct dims **dims;
    enum shape_origin *origins;
    struct body_node in_body;
    uint32_t all, n;

    max = max < SHAPE_OUTPUTS_MAX ? max : SHAPE_OUTPUTS_MAX;
    if (!flops_has_shapes(f))
        return from_profile(p, node, max, arena, shapes);
    in_body = function_counts_body_node(f->priv->functions, node);
    all = shape_graph_all_outputs(in_body.graph, in_body.node, max, arena, &dims, &origins);
    n = all < max ? all : max;
    list = ARENA_NEW(arena, struct known_shape, n);
    for (uint32_t i = 0; i < n; i++) {
        set_shape(&list[i], dims[i] ? dims[i]->d : NULL, dims[i] ? dims[i]->rank : 0, origins[i]);
    }
    *shapes = list;
    return all;
}

struct known_shape flops_shape(const struct flops *f, const struct profile *p, node_id node,
                               int32_t index, struct arena *arena)
{
    const struct known_shape *list;
    size_t n = node == NODE_NONE ? 0 : flops_shapes(f, p, node, SHAPE_OUTPUTS_MAX, arena, &list);

    n = n < SHAPE_OUTPUTS_MAX ? n : SHAPE_OUTPUTS_MAX;
    return index >= 0 && (size_t)index < n ? list[index] : (struct known_shape){0};
}

struct known_shape flops_input_shape(const struct flops *f, const struct node_input *input)
{
    const struct profile *p = f->priv->p;
    const struct tensor *kept = NULL;
    struct tensor made_by_none;
    struct body_node in_body;

    if (input->source == NODE_NONE) {
        made_by_none = shape_graph_free_tensor(f->priv->graph, (uint32_t)(input - p->inputs));
        kept = &made_by_none;
    } else {
        in_body = function_counts_body_node(f->priv->functions, input->source);
        kept = shape_graph_tracked(in_body.graph, in_body.node, input->own_index);
    }
    return kept && kept->shape
               ? (struct known_shape){kept->shape->d, kept->shape->rank, SHAPE_INFERRED}
               : (struct known_shape){0};
}

bool flops_has_shapes(const struct flops *f)
{
    return f && f->priv->graph;
}
