/* shape_origin.c: the shapes of all outputs of one node and their origins, computed on demand. */
#include "shapes/shape_graph.h"

#include <string.h>

#include "shapes/shape_graph_priv.h"

const char *shape_origin_name(enum shape_origin origin)
{
    static const char *const names[] = {
        [SHAPE_NOT_KNOWN] = "unknown", [SHAPE_BOUND] = "bound",       [SHAPE_RECORDED] = "recorded",
        [SHAPE_OF_RUN] = "of a run",   [SHAPE_INFERRED] = "inferred",
    };
    _Static_assert(sizeof names / sizeof *names == SHAPE_ORIGIN_COUNT, "a name for each origin");

    return names[origin];
}

/* The number of outputs of NODE, as far as known. */
static uint32_t count_outputs(const struct shape_graph *g, node_id node)
{
    const uint32_t last = g->out_index[g->out_begin[node + 1] - 1];
    uint32_t n = g->n_outs[node];

    /* Nodes without a rule, or not inferred, have the outputs that are recorded or read. */
    if ((!op_entry_has_shape(g->entries[node]) || g->visits[node] == 0) && n <= last)
        n = last + 1;
    return n;
}

/* Applies the rule of NODE again for its first N outputs, without other evidence. */
static struct tensor *apply_rule_again(const struct shape_graph *g, node_id node,
                                       struct arena *arena,
                                       uint32_t n)
{
    const struct op_entry *e = g->entries[node];
    struct tensor *outs = arena_calloc(arena, n, sizeof *outs);
    uint32_t *indexes = ARENA_NEW(arena, uint32_t, n);
    struct arena scratch = {0};
    struct opctx c;

    for (uint32_t i = 0; i < n; i++)
        indexes[i] = i;
    if (op_entry_has_shape(e) && g->visits[node] > 0) {
        shape_graph_load(g, node, &scratch, &c);
        c.keep = arena;
        c.out = outs;
        c.out_index = indexes;
        c.n_out = n;
        op_entry_apply_shape(e, &c);
        shape_graph_drop_requests(g->request);
        if (c.failed)
            memset(outs, 0, n * sizeof *outs);
    }
    arena_done(&scratch);
    return outs;
}

static bool is_bound(const struct shape_graph *g, node_id node, uint32_t index)
{
    for (size_t i = 0; !g->caller && index == 0 && i < g->request->n_bindings; i++)
        if (g->request->bindings[i].node == node)
            return true;
    return false;
}

/* The shape of output INDEX in a run; NULL: none. */
static const struct dims *of_run(const struct shape_graph *g, node_id node, uint32_t index)
{
    const struct profile *p = g->p;
    uint32_t k = p->run_output_begin ? p->run_output_begin[node] : 0;
    uint32_t end = p->run_output_begin ? p->run_output_begin[node + 1] : 0;

    while (k < end && p->run_outputs[k].slot != (int32_t)index)
        k++;
    return k < end ? shape_graph_of_run(g, &p->run_outputs[k]) : NULL;
}

/* The origin of shape S of output INDEX, given the shapes that are recorded and that the rule
 * finds. */
static enum shape_origin origin_of(const struct shape_graph *g, node_id node, uint32_t index,
                                   const struct dims *s, const struct dims *recorded,
                                   const struct dims *rule, struct arena *arena)
{
    const struct dims *both, *run;
    bool ok = true;

    if (!s)
        return SHAPE_NOT_KNOWN;
    if (is_bound(g, node, index))
        return SHAPE_BOUND;
    if (dims_equal(s, recorded))
        return SHAPE_RECORDED;
    both = dims_merge(arena, recorded, rule, &ok);
    if (dims_equal(s, both))
        return SHAPE_INFERRED;
    if (!g->caller && g->request->batch > 0 && both && both->rank > 0 && both->rank == s->rank &&
        both->d[0] < 0 && s->d[0] == g->request->batch)
        return SHAPE_BOUND;
    run = of_run(g, node, index);
    ok = true;
    return run && dims_equal(s, dims_merge(arena, both, run, &ok)) ? SHAPE_OF_RUN : SHAPE_INFERRED;
}

uint32_t shape_graph_all_outputs(const struct shape_graph *g, node_id node, uint32_t max,
                                 struct arena *arena, const struct dims ***shapes,
                                 enum shape_origin **origins)
{
    const uint32_t all = count_outputs(g, node), n = all < max ? all : max;
    struct tensor *rule = apply_rule_again(g, node, arena, n);

    *shapes = ARENA_NEW(arena, const struct dims *, n);
    *origins = ARENA_NEW(arena, enum shape_origin, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct dims *recorded = shape_graph_recorded(g, node, i);
        const struct tensor *kept = shape_graph_tracked(g, node, i);
        bool ok = true;

        (*shapes)[i] = kept ? kept->shape : dims_merge(arena, recorded, rule[i].shape, &ok);
        (*origins)[i] = origin_of(g, node, i, (*shapes)[i], recorded, rule[i].shape, arena);
    }
    return all;
}
