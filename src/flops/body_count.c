/* body_count.c: counts of function bodies, each once for its arguments.
 *
 * Bodies count the bodies that they call before they are done themselves: a
 * chain no longer than shape inference follows calls. */
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/bodies_priv.h"
#include "flops/count_node.h"

/* ---- one node */

unsigned body_count_has(uint8_t state)
{
    switch (state) {
    case FLOPS_COUNTED:
        return HAS_COUNTED;
    case FLOPS_PER_TRIP:
        return HAS_COUNTED | HAS_PER_TRIP;
    case FLOPS_UNKNOWN_SHAPE:
        return HAS_UNKNOWN;
    default:
        return state == FLOPS_NO_RULE ? HAS_NO_RULE : 0;
    }
}

uint8_t body_count_state(unsigned has)
{
    if (has & HAS_COUNTED)
        return has & HAS_PER_TRIP ? FLOPS_PER_TRIP : FLOPS_COUNTED;
    return has & HAS_UNKNOWN ? FLOPS_UNKNOWN_SHAPE : has ? FLOPS_NO_RULE : FLOPS_NO_COMPUTE;
}

/* Of several branches the costliest counts, in compat all that are entered. */
static void leave_out(const struct bodies *b, struct counted_part *parts, size_t n)
{
    const struct counted_part *most = NULL;

    for (size_t i = 0; i < n; i++)
        if (parts[i].call.is_branch && parts[i].body &&
            (!most || parts[i].body->total > most->body->total))
            most = &parts[i];
    for (size_t i = 0; i < n; i++) {
        const struct call_part *call = &parts[i].call;

        parts[i].left_out = b->request.full
                                ? call->is_ungiven || (call->is_branch && &parts[i] != most)
                                : call->is_ungiven || (call->stays && !b->request.loops);
    }
}

unsigned body_count_parts(const struct counted_part *parts, size_t n, const uint8_t *placed,
                          int64_t *count, bool *saturated)
{
    unsigned has = 0;

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct counted_part *part = &parts[i];

        if (part->left_out || (placed && placed[i]))
            continue;
        if (!part->body) {
            has |= HAS_NO_RULE;
            continue;
        }
        *count = sat_add(*count, sat_mul(part->body->total, part->call.times, saturated),
                         saturated);
        *saturated |= part->body->saturated;
        has |= part->body->has;
        if (part->call.per_trip && (part->body->has & HAS_COUNTED))
            has |= HAS_PER_TRIP;
    }
    return has;
}

/* What stands for a call that is left out, wholly. */
static bool all_left_out(const struct counted_part *parts, size_t n)
{
    bool computes = false;

    for (size_t i = 0; i < n; i++) {
        if (!parts[i].left_out)
            return false;
        computes |= !parts[i].body || parts[i].body->has;
    }
    return computes;
}

static struct attr_bytes keep_name(struct bodies *b, struct attr_bytes name)
{
    char *kept = ARENA_NEW(&b->keep, char, name.len + 1);

    if (name.len)
        memcpy(kept, name.bytes, name.len);
    return (struct attr_bytes){kept, name.len};
}

static strid role_of(const struct bodies *b, const struct call_part *part)
{
    struct strbuf role = {0};
    strid id;

    function_role_add(&role, part->attr, part->item);
    id = intern_find(&b->p->strings, sb_text(&role), role.len);
    sb_done(&role);
    return id;
}

static int compare_roles(const void *x, const void *y)
{
    const struct part_role *a = x;
    const struct part_role *b = y;

    if (a->role == b->role)
        return a->part < b->part ? -1 : 1;
    return a->role < b->role ? -1 : 1;
}

/* NODE calls what was FOUND. */
static struct counted_call keep_call(struct bodies *b, node_id node, const call_part_list *found)
{
    const size_t n = found->n;
    struct counted_call call = {.node = node, .n_parts = (uint32_t)n};
    struct attr_bytes attr = {0};

    call.parts = ARENA_NEW(&b->keep, struct counted_part, n);
    call.by_role = ARENA_NEW(&b->keep, struct part_role, n);
    for (size_t i = 0; i < n; i++) {
        struct call_part part = found->data[i];

        part.function = keep_name(b, part.function);
        if (i == 0 || part.attr.bytes != found->data[i - 1].attr.bytes)
            attr = keep_name(b, part.attr);
        part.attr = attr;
        call.parts[i] = (struct counted_part){
            .call = part,
            .body = part.graph ? body_count_of(b, part.graph) : NULL,
        };
        call.by_role[i] = (struct part_role){role_of(b, &part), (uint32_t)i};
    }
    qsort(call.by_role, n, sizeof *call.by_role, compare_roles);
    return call;
}

/* Counts a call; false when NODE is none. */
static bool count_call(struct bodies *b, struct body_count *to, node_id node,
                       struct arena *scratch)
{
    const struct call_request request = {
        .graph = to->graph, .node = node, .full = b->request.full, .scratch = scratch};
    call_part_list found = {0};
    struct counted_call call;

    call_parts(&request, &found);
    if (found.n == 0)
        return false;
    call = keep_call(b, node, &found);
    vec_done(&found);
    leave_out(b, call.parts, call.n_parts);
    to->state[node] = body_count_state(
        body_count_parts(call.parts, call.n_parts, NULL, &to->count[node], &to->saturated));
    if (all_left_out(call.parts, call.n_parts))
        to->state[node] = call.parts[0].call.is_ungiven ? FLOPS_NO_RULE : FLOPS_LEFT_OUT;
    vec_push(&to->calls, call);
    return true;
}

void body_count_node(struct bodies *b, struct body_count *to, node_id node,
                      struct arena *scratch)
{
    struct tally t;

    if (b->p->function_rows == FUNCTION_ROWS_BELOW_CALLS ||
        (b->p->function_rows == FUNCTION_ROWS_NONE && b->request.full)) {
        if (count_call(b, to, node, scratch))
            return;
    } else if (calls_function(to->graph, node)) {
        to->state[node] = b->p->function_rows == FUNCTION_ROWS_LISTED ? FLOPS_NO_COMPUTE
                                                                      : FLOPS_LEFT_OUT;
        return;
    }
    tally_init(&t, b->request.macs, NULL);
    count_node(to->graph, node, b->request.full, scratch, &t);
    to->count[node] = tally_finish(&t);
    to->state[node] = (uint8_t)t.state;
    to->saturated |= t.sum.saturated && t.state == FLOPS_COUNTED;
}

/* ---- one body */

/* The nodes that the results of G need; with FULL also what is done for its
 * effect, which has no outputs. */
static uint8_t *needed_nodes(const struct bodies *b, const struct shape_graph *g)
{
    const struct function_body *body = shape_graph_body(g);
    const struct profile *p = body->graph;
    uint8_t *needed = xcalloc((size_t)p->n_nodes + 1, 1);
    VEC(node_id) stack = {0};

    for (uint32_t i = 0; i < body->n_results; i++)
        if (body->results[i].node < p->n_nodes)
            vec_push(&stack, body->results[i].node);
    for (node_id i = 0; b->request.full && i < p->n_nodes; i++)
        if (shape_graph_n_outputs(g, i) == 0)
            vec_push(&stack, i);
    while (stack.n > 0) {
        node_id node = stack.data[--stack.n];

        if (needed[node])
            continue;
        needed[node] = 1;
        for (uint32_t k = p->input_begin[node]; k < p->input_begin[node + 1]; k++)
            if (p->inputs[k].own_index != INPUT_CONTROL && p->inputs[k].source != NODE_NONE)
                vec_push(&stack, p->inputs[k].source);
    }
    vec_done(&stack);
    return needed;
}

/* The counts of G, a body; made once. */
const struct body_count *body_count_of(struct bodies *b, const struct shape_graph *g)
{
    const uint32_t number = shape_graph_number(g);
    const struct function_body *body = shape_graph_body(g);
    const uint32_t n_nodes = body->graph->n_nodes;
    struct arena scratch = {0};
    struct body_count *counts;
    uint8_t *needed;

    if (number < b->counts.n && b->counts.data[number])
        return b->counts.data[number];
    counts = ARENA_NEW(&b->keep, struct body_count, 1);
    *counts = (struct body_count){.graph = g,
                                  .count = ARENA_NEW(&b->keep, int64_t, n_nodes + 1),
                                  .state = ARENA_NEW(&b->keep, uint8_t, n_nodes + 1)};
    memset(counts->count, 0, n_nodes * sizeof *counts->count);
    memset(counts->state, FLOPS_NO_COMPUTE, n_nodes);
    /* A function that stands for itself counts whole. */
    needed = b->p->function_rows == FUNCTION_ROWS_LISTED ? NULL : needed_nodes(b, g);
    for (node_id i = body->n_args; i < n_nodes; i++) {
        if (needed && !needed[i])
            continue;
        body_count_node(b, counts, i, &scratch);
        counts->total = sat_add(counts->total, counts->count[i], &counts->saturated);
        counts->has |= body_count_has(counts->state[i]);
    }
    free(needed);
    arena_done(&scratch);
    if (number >= b->counts.n)
        vec_resize_zero(&b->counts, (size_t)number + 1);
    b->counts.data[number] = counts;
    return counts;
}
