/* merge_lists.c: merges inputs, outputs, executions and typesets of the nodes of two profiles. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
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
    struct profile *p = m->p;
    uint32_t end = 0;

    p->exec_begin = ARENA_NEW(&p->arena, uint32_t, (size_t)p->n_nodes + 1);
    p->part_execs = ARENA_NEW(&p->arena, struct exec_range, m->ids.n - p->n_nodes);
    for (node_id id = 0; id < m->ids.n; id++) {
        const node_id now = m->ids.data[id].now;
        const bool is_own = now != NODE_NONE && (id < p->n_nodes || now >= m->now->n_nodes);
        const struct exec_range range = is_own ? profile_exec_range(m->now, now) : (struct exec_range){end, end};

        if (id < p->n_nodes) {
            p->exec_begin[id] = range.begin;
            end = range.end;
        } else {
            p->part_execs[id - p->n_nodes] = range;
        }
    }
    p->exec_begin[p->n_nodes] = end;
}

void merge_lists(struct merge *m)
{
    merge_inputs(m);
    merge_outputs(m);
    merge_run_outputs(m);
    merge_executions(m);
}

struct sets {
    struct merge *m;
    struct intern known;     /* typesets as bytes; id = number of the typeset + 1 */
    VEC(uint32_t) begin;
    VEC(strid) types;
    typeset_id *set_of_base; /* [sets of base] */
};

static typeset_id add_set(struct sets *s, const strid *types, size_t n)
{
    const size_t before = s->known.n;
    /* one more element, so that the key of the empty set is not empty */
    strid *key = xreallocarray(NULL, n + 1, sizeof *key);
    strid id;

    key[0] = 0;
    if (n)
        memcpy(key + 1, types, n * sizeof *key);
    id = intern_put(&s->known, key, (n + 1) * sizeof *key);
    free(key);
    if (s->known.n > before) {
        for (size_t i = 0; i < n; i++)
            vec_push(&s->types, types[i]);
        vec_push(&s->begin, (uint32_t)s->types.n);
    }
    return id - 1;
}

static typeset_id add_set_of_base(struct sets *s, typeset_id set)
{
    const struct profile *base = s->m->base;
    VEC(strid) types = {0};
    typeset_id id;

    for (uint32_t i = base->typeset_begin[set]; i < base->typeset_begin[set + 1]; i++)
        vec_push(&types, merge_string(s->m, base->typeset_types[i]));
    id = add_set(s, types.data, types.n);
    vec_done(&types);
    return id;
}

static typeset_id add_union(struct sets *s, typeset_id a, typeset_id b)
{
    const struct intern *strings = &s->m->p->strings;
    uint32_t i = s->begin.data[a], k = s->begin.data[b];
    VEC(strid) types = {0};
    typeset_id id;

    while (i < s->begin.data[a + 1] || k < s->begin.data[b + 1]) {
        const int order = i == s->begin.data[a + 1]   ? 1
                          : k == s->begin.data[b + 1] ? -1
                                                      : intern_compare(strings, s->types.data[i],
                                                                       s->types.data[k]);

        vec_push(&types, s->types.data[order <= 0 ? i : k]);
        i += order <= 0;
        k += order >= 0;
    }
    id = add_set(s, types.data, types.n);
    vec_done(&types);
    return id;
}

/* A node whose typesets differ. */
struct mixed {
    typeset_id now, base;
    node_id id;
};

COMPARE_CHAIN(by_sets, struct mixed, UP(now) || UP(base) || UP(id))

static void fill_column(struct sets *s)
{
    const struct merge *m = s->m;
    typeset_id *column = m->p->typeset;
    VEC(struct mixed) mixed = {0};

    for (node_id id = 0; id < m->ids.n; id++) {
        const struct merged_id of = m->ids.data[id];
        const typeset_id now = of.now != NODE_NONE ? m->now->typeset[of.now] : 0;
        const typeset_id base =
            of.base != NODE_NONE ? s->set_of_base[m->base->typeset[of.base]] : 0;

        column[id] = of.now != NODE_NONE ? now : base;
        if (of.now != NODE_NONE && of.base != NODE_NONE && now != base)
            vec_push(&mixed, ((struct mixed){now, base, id}));
    }
    vec_sort(&mixed, by_sets);
    for (size_t i = 0; i < mixed.n; i++) {
        const struct mixed *at = &mixed.data[i];
        const bool repeats = i && at[-1].now == at->now && at[-1].base == at->base;

        column[at->id] = repeats ? column[at[-1].id] : add_union(s, at->now, at->base);
    }
    vec_done(&mixed);
}

void merge_types(struct merge *m)
{
    struct sets s = {.m = m};
    struct profile *p = m->p;

    intern_init(&s.known);
    vec_push(&s.begin, 0);
    for (typeset_id set = 0; set < m->now->n_typesets; set++)
        add_set(&s, m->now->typeset_types + m->now->typeset_begin[set],
                m->now->typeset_begin[set + 1] - m->now->typeset_begin[set]);
    s.set_of_base = xcalloc((size_t)m->base->n_typesets + 1, sizeof *s.set_of_base);
    for (typeset_id set = 0; set < m->base->n_typesets; set++)
        s.set_of_base[set] = add_set_of_base(&s, set);
    p->typeset = ARENA_NEW(&p->arena, typeset_id, m->ids.n);
    fill_column(&s);
    p->n_typesets = (uint32_t)s.begin.n - 1;
    p->typeset_begin = arena_copy(&p->arena, s.begin.data, s.begin.n, sizeof *s.begin.data);
    p->typeset_types = arena_copy(&p->arena, s.types.data, s.types.n, sizeof *s.types.data);
    intern_done(&s.known);
    EACH(vec_done, &s.begin, &s.types);
    free(s.set_of_base);
}
