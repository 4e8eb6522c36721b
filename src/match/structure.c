/* structure.c: hashes of the computation around each node, without names. */
#include "match/structure.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Number of rounds of refinement. One round covers producers and consumers, two also siblings,
 * three also the uses of siblings (for initial values of a variable: where the variable is
 * used). */
enum { ROUNDS = 3 };

static uint32_t n_inputs(const struct profile *p)
{
    return p->input_begin[p->n_nodes];
}

static void list_takers(struct structure *s)
{
    const struct profile *p = s->profile;
    uint32_t sum = 0;

    s->taker_begin = xcalloc((size_t)p->n_nodes + 2, sizeof *s->taker_begin);
    s->takers = xalloc_huge((size_t)n_inputs(p) + 1, sizeof *s->takers);
    s->node_of_input = xalloc_huge((size_t)n_inputs(p) + 1, sizeof *s->node_of_input);
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
            s->node_of_input[i] = node;
            if (p->inputs[i].source != NODE_NONE)
                s->taker_begin[p->inputs[i].source + 1]++;
        }
    for (node_id node = 0; node <= p->n_nodes; node++) {
        sum += s->taker_begin[node];
        s->taker_begin[node] = sum;
    }
    for (uint32_t i = 0; i < n_inputs(p); i++)
        if (p->inputs[i].source != NODE_NONE)
            s->takers[s->taker_begin[p->inputs[i].source]++] = i;
    for (node_id node = p->n_nodes; node > 0; node--)
        s->taker_begin[node] = s->taker_begin[node - 1];
    s->taker_begin[0] = 0;
}

void structure_init(struct structure *s, const struct profile *p, const uint32_t *op_of)
{
    *s = (struct structure){.profile = p};
    s->label = xalloc_huge((size_t)p->n_nodes + 1, sizeof *s->label);
    s->whole = xalloc_huge((size_t)p->n_nodes + 1, sizeof *s->whole);
    s->depth = xalloc_huge((size_t)p->n_nodes + 1, sizeof *s->depth);
    for (node_id node = 0; node < p->n_nodes; node++)
        s->label[node] = structure_mix(1, op_of[p->op[node]]);
    list_takers(s);
}

/* One sweep over the graph: to consumers (FORWARD) or to producers. */
struct sweep {
    struct structure *s;
    bool forward;
    const uint64_t *own; /* initial hash by node */
    uint64_t *value;
    uint32_t *depth;
    uint32_t *waits_for; /* number of neighbours not processed yet */
    node_id *queue;
    uint32_t n_queue;
};

/* Hash of the position of input I of NODE. */
static uint64_t slot_of(const struct profile *p, node_id node, uint32_t i)
{
    return structure_mix((uint64_t)(uint32_t)profile_input_position(p, node, i),
                         (uint64_t)(uint32_t)p->inputs[i].own_index);
}

/* Computes the hash of a node from its processed neighbours; others (in cycles) count with their
 * initial hash. */
static void settle(struct sweep *w, node_id node)
{
    const struct profile *p = w->s->profile;
    const struct structure *s = w->s;
    uint64_t sum = 0;
    uint32_t depth = 0;

    if (w->forward) {
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
            const node_id source = p->inputs[i].source;

            sum += source == NODE_NONE ? 0 : structure_mix(slot_of(p, node, i), w->value[source]);
            if (source != NODE_NONE && w->depth[source] > depth)
                depth = w->depth[source];
        }
    } else {
        for (uint32_t i = s->taker_begin[node]; i < s->taker_begin[node + 1]; i++) {
            const node_id taker = s->node_of_input[s->takers[i]];

            sum += structure_mix(slot_of(p, taker, s->takers[i]), w->value[taker]);
            if (w->depth[taker] > depth)
                depth = w->depth[taker];
        }
    }
    w->value[node] = structure_mix(w->own[node], sum);
    w->depth[node] = depth + 1;
}

static void release(struct sweep *w, node_id node)
{
    if (!--w->waits_for[node])
        w->queue[w->n_queue++] = node;
}

static void release_behind(struct sweep *w, node_id node)
{
    const struct profile *p = w->s->profile;
    const struct structure *s = w->s;

    if (w->forward)
        for (uint32_t i = s->taker_begin[node]; i < s->taker_begin[node + 1]; i++)
            release(w, s->node_of_input[s->takers[i]]);
    else
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
            if (p->inputs[i].source != NODE_NONE)
                release(w, p->inputs[i].source);
}

static void run_sweep(struct sweep *w)
{
    const struct profile *p = w->s->profile;
    const struct structure *s = w->s;

    w->n_queue = 0;
    memcpy(w->value, w->own, p->n_nodes * sizeof *w->value);
    memset(w->depth, 0, p->n_nodes * sizeof *w->depth);
    for (node_id node = 0; node < p->n_nodes; node++) {
        w->waits_for[node] = 0;
        if (!w->forward)
            w->waits_for[node] = s->taker_begin[node + 1] - s->taker_begin[node];
        for (uint32_t i = p->input_begin[node]; w->forward && i < p->input_begin[node + 1]; i++)
            w->waits_for[node] += p->inputs[i].source != NODE_NONE;
        if (!w->waits_for[node])
            w->queue[w->n_queue++] = node;
    }
    for (uint32_t i = 0; i < w->n_queue; i++) {
        settle(w, w->queue[i]);
        release_behind(w, w->queue[i]);
    }
}

static uint64_t shape_number(const struct profile *p, node_id node)
{
    const struct shape *shape = &p->shapes[p->shape[node]];
    uint64_t number = p->shape[node] == SHAPE_UNKNOWN ? 0 : 1;

    for (uint32_t i = 0; i < shape->n_dims; i++)
        number = structure_mix(number, (uint64_t)shape->dims[i]);
    return number;
}

void structure_fill(struct structure *s, bool with_shapes)
{
    const uint32_t n = s->profile->n_nodes;
    uint64_t *own = xalloc_huge((size_t)n + 1, sizeof *own);
    uint64_t *before = xalloc_huge((size_t)n + 1, sizeof *before);
    struct sweep w = {.s = s, .own = own};

    w.waits_for = xalloc_huge((size_t)n + 1, sizeof *w.waits_for);
    w.queue = xalloc_huge((size_t)n + 1, sizeof *w.queue);
    for (node_id node = 0; node < n; node++)
        own[node] = with_shapes ? structure_mix(s->label[node], shape_number(s->profile, node))
                                : s->label[node];
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t *depth = xalloc_huge((size_t)n + 1, sizeof *depth);

        w.forward = true;
        w.value = before;
        w.depth = s->depth;
        run_sweep(&w);
        w.forward = false;
        w.value = s->whole;
        w.depth = depth;
        run_sweep(&w);
        for (node_id node = 0; node < n; node++) {
            own[node] = s->whole[node] = structure_mix(before[node], s->whole[node]);
            s->depth[node] += depth[node];
        }
        free(depth);
    }
    free(w.waits_for);
    free(w.queue);
    free(before);
    free(own);
}

void structure_done(struct structure *s)
{
    free(s->label);
    free(s->whole);
    free(s->depth);
    free(s->taker_begin);
    free(s->takers);
    free(s->node_of_input);
    memset(s, 0, sizeof *s);
}
