/* merge_lists.c: merges inputs, outputs and executions of the nodes of two profiles. */

#include "match/merge_priv.h"
#include "model/odd_inputs.h"

/* Inputs of the merged profile so far; inputs of the current node start at `begin`. */
struct merged_inputs {
    VEC(struct node_input) list;
    odd_input_list odd;
    size_t begin;
};

static void add_input(const struct merge *m, struct merged_inputs *to,
                      const struct node_input *input, int32_t position, strid source_name)
{
    odd_inputs_note(&to->odd, m->p, input, (uint32_t)(to->list.n - to->begin),
                    (struct odd_input){(uint32_t)to->list.n, position, source_name});
    vec_push(&to->list, *input);
}

/* A node on both sides keeps inputs from removed nodes: the graph view shows them below it. */
static void add_inputs(struct merge *m, struct merged_id id, struct merged_inputs *to)
{
    const struct profile *now = m->now, *base = m->base;
    int32_t next = 0;

    for (uint32_t i = id.now == NODE_NONE ? 0 : now->input_begin[id.now];
         id.now != NODE_NONE && i < now->input_begin[id.now + 1]; i++) {
        const int32_t position = profile_input_position(now, id.now, i);

        add_input(m, to, &now->inputs[i], position, profile_input_name(now, i));
        next = position + (position < INT32_MAX);
    }
    for (uint32_t i = id.base == NODE_NONE ? 0 : base->input_begin[id.base];
         id.base != NODE_NONE && i < base->input_begin[id.base + 1]; i++) {
        struct node_input input = base->inputs[i];
        int32_t position = profile_input_position(base, id.base, i);

        input.source = input.source == NODE_NONE ? NODE_NONE : m->id_of[input.source];
        if (id.now != NODE_NONE && (input.source == NODE_NONE || input.source < now->n_nodes))
            continue;
        if (id.now != NODE_NONE) {
            position = next;
            next += next < INT32_MAX;
        }
        add_input(m, to, &input, position, merge_string(m, profile_input_name(base, i)));
    }
}

static void merge_inputs(struct merge *m)
{
    struct profile *p = m->p;
    struct merged_inputs to = {.begin = 0};

    p->input_begin = ARENA_NEW(&p->arena, uint32_t, (size_t)p->n_nodes + 1);
    for (node_id node = 0; node < p->n_nodes; node++) {
        to.begin = to.list.n;
        p->input_begin[node] = (uint32_t)to.begin;
        add_inputs(m, m->ids.data[node], &to);
    }
    p->input_begin[p->n_nodes] = (uint32_t)to.list.n;
    p->inputs = arena_copy(&p->arena, to.list.data, to.list.n, sizeof *to.list.data);
    odd_inputs_keep(&to.odd, p);
    vec_done(&to.list);
}

/* Defines function NAME, which merges lists of TYPE, delimited by BEGIN. */
#define MERGE_OUTPUTS(name, type, list, begin)                                                   \
    static void name(struct merge *m)                                                           \
    {                                                                                           \
        struct profile *p = m->p;                                                               \
        VEC(struct type) all = {0};                                                             \
                                                                                                \
        p->begin = ARENA_NEW(&p->arena, uint32_t, (size_t)p->n_nodes + 1);                      \
        for (node_id node = 0; node < p->n_nodes; node++) {                                     \
            const struct merged_id id = m->ids.data[node];                                      \
            const bool is_now = id.now != NODE_NONE;                                            \
            const struct profile *from = is_now ? m->now : m->base;                             \
            const node_id at = is_now ? id.now : id.base;                                       \
                                                                                                \
            p->begin[node] = (uint32_t)all.n;                                                   \
            for (uint32_t i = from->begin[at]; i < from->begin[at + 1]; i++) {                  \
                struct type output = from->list[i];                                             \
                                                                                                \
                output.shape = is_now ? output.shape : shape_of_base(m, output.shape);          \
                vec_push(&all, output);                                                         \
            }                                                                                   \
        }                                                                                       \
        p->begin[p->n_nodes] = (uint32_t)all.n;                                                 \
        p->list = arena_copy(&p->arena, all.data, all.n, sizeof *all.data);                     \
        vec_done(&all);                                                                         \
    }

MERGE_OUTPUTS(merge_outputs, node_output, outputs, output_begin)
MERGE_OUTPUTS(merge_run_outputs, run_output, run_outputs, run_output_begin)

/* Current parts keep their order, so positions in the records remain ascending. */
static void merge_executions(struct merge *m)
{
    const uint32_t *from = m->now->exec_begin;
    struct profile *p = m->p;
    uint32_t end = 0;

    p->exec_begin = ARENA_NEW(&p->arena, uint32_t, m->ids.n + 1);
    for (node_id id = 0; id < m->ids.n; id++) {
        const node_id now = m->ids.data[id].now;
        const bool is_own = now != NODE_NONE && (id < p->n_nodes || now >= m->now->n_nodes);

        p->exec_begin[id] = is_own ? from[now] : end;
        end = is_own ? from[now + 1] : end;
    }
    p->exec_begin[m->ids.n] = end;
}

void merge_lists(struct merge *m)
{
    merge_inputs(m);
    merge_outputs(m);
    merge_run_outputs(m);
    merge_executions(m);
}
