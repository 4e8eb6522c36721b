/* body_count.c: counts function bodies, each once for each set of argument shapes.  A body waits on
 * an explicit stack until the bodies that it calls are counted, so chains of calls need no
 * recursion. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/count_table.h"
#include "flops/function_counts_priv.h"

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

/* Excludes parts that do not count: with full rules all branches but the most expensive, else the
 * calls that TensorFlow does not enter; always those of unknown work. */
static void exclude_parts(const struct function_counts *b, struct counted_part *parts, size_t n)
{
    const struct counted_part *max = NULL;

    for (size_t i = 0; i < n; i++)
        if (parts[i].call.is_branch && parts[i].body &&
            (!max || parts[i].body->total > max->body->total))
            max = &parts[i];
    for (size_t i = 0; i < n; i++) {
        const struct call_part *call = &parts[i].call;

        parts[i].left_out = b->request.full
                                ? call->is_ungiven || (call->is_branch && &parts[i] != max)
                                : call->is_ungiven || (call->not_inlined && !b->request.loops);
    }
}

unsigned body_count_parts(const struct counted_part *parts, size_t n, const uint8_t *assigned,
                          int64_t *count, bool *saturated)
{
    unsigned has = 0;

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct counted_part *part = &parts[i];

        if (part->left_out || (assigned && assigned[i]))
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

static bool all_excluded(const struct counted_part *parts, size_t n)
{
    bool computes = false;

    for (size_t i = 0; i < n; i++) {
        if (!parts[i].left_out)
            return false;
        computes |= !parts[i].body || parts[i].body->has;
    }
    return computes;
}

/* Copies NAME to b->keep; the copy is empty when the budget is exhausted. */
static struct attr_bytes copy_name(struct function_counts *b, struct attr_bytes name)
{
    if (!budget_take(&shape_graph_request(b->graph)->budget, name.len, name.len / 8))
        name.len = 0;
    name.bytes = arena_memdupz(&b->keep, name.bytes, name.len);
    return name;
}

/* The counts of G; NULL when they are not available, in which case they are requested unless that
 * failed before. */
static const struct body_count *counts_or_request(struct function_counts *b,
                                              const struct shape_graph *g)
{
    const uint32_t number = shape_graph_number(g);
    const struct body_count *counts = number < b->counts.n ? b->counts.data[number] : NULL;

    if (!counts)
        vec_push(&b->requested, g);
    return counts && counts->is_done ? counts : NULL;
}

static strid role_of(const struct function_counts *b, const struct call_part *part)
{
    struct strbuf role = {0};
    strid id;

    function_role_add(&role, part->attr, part->item);
    id = intern_find(&b->p->strings, sb_text(&role), role.len);
    sb_done(&role);
    return id;
}

COMPARE_BY_TWO(compare_roles, struct part_role, role, part)

/* Stores the call NODE with its parts FOUND, whose bodies are counted or requested. */
static struct counted_call store_call(struct function_counts *b, node_id node,
                                      const call_part_list *found)
{
    const size_t n = found->n;
    struct counted_call call = {.node = node, .n_parts = (uint32_t)n};
    struct attr_bytes attr = {0};

    call.parts = ARENA_NEW(&b->keep, struct counted_part, n);
    call.by_role = ARENA_NEW(&b->keep, struct part_role, n);
    budget_charge(&shape_graph_request(b->graph)->budget,
                  n * (sizeof *call.parts + sizeof *call.by_role), n * 4);
    for (size_t i = 0; i < n; i++) {
        struct call_part part = found->data[i];

        part.function = copy_name(b, part.function);
        if (i == 0 || part.attr.bytes != found->data[i - 1].attr.bytes)
            attr = copy_name(b, part.attr);
        part.attr = attr;
        call.parts[i] = (struct counted_part){
            .call = part,
            .body = part.graph ? counts_or_request(b, part.graph) : NULL,
        };
        call.by_role[i] = (struct part_role){role_of(b, &part), (uint32_t)i};
    }
    qsort(call.by_role, n, sizeof *call.by_role, compare_roles);
    return call;
}

enum counted { NO_CALL, COUNTED, ASKS };

static enum counted count_call(struct function_counts *b, struct body_count *to, node_id node)
{
    const struct call_request request = {
        .graph = to->graph, .node = node, .full = b->request.full, .scratch = &b->scratch};
    enum counted counted = NO_CALL;
    call_part_list found = {0};
    struct counted_call call;

    call_parts(&request, &found);
    for (size_t i = 0; i < found.n; i++)
        if (found.data[i].graph)
            counts_or_request(b, found.data[i].graph);
    if (b->requested.n > 0 || shape_graph_has_requests(to->graph)) {
        counted = ASKS;
    } else if (found.n > 0) {
        call = store_call(b, node, &found);
        exclude_parts(b, call.parts, call.n_parts);
        to->state[node] = body_count_state(body_count_parts(
            call.parts, call.n_parts, NULL, &to->count[node], &to->saturated));
        if (all_excluded(call.parts, call.n_parts))
            to->state[node] =
                call.parts[0].call.is_ungiven ? FLOPS_NO_RULE : FLOPS_LEFT_OUT;
        vec_push(&to->calls, call);
        counted = COUNTED;
    }
    vec_done(&found);
    return counted;
}

bool body_count_node(struct function_counts *b, struct body_count *to, node_id node)
{
    struct tally t;

    if (b->p->function_rows == FUNCTION_ROWS_BELOW_CALLS ||
        (b->p->function_rows == FUNCTION_ROWS_NONE && b->request.full)) {
        const enum counted counted = count_call(b, to, node);

        if (counted != NO_CALL)
            return counted == COUNTED;
    } else if (calls_function(to->graph, node)) {
        to->state[node] = b->p->function_rows == FUNCTION_ROWS_LISTED ? FLOPS_NO_COMPUTE
                                                                      : FLOPS_LEFT_OUT;
        return true;
    }
    tally_init(&t, b->request.macs, NULL);
    count_node(b->request.rules, to->graph, node, b->request.full, &b->scratch, &t);
    to->count[node] = tally_finish(&t);
    to->state[node] = (uint8_t)t.state;
    to->saturated |= t.sum.saturated && t.state == FLOPS_COUNTED;
    return true;
}

/* ---- one body */

/* Marks the nodes that the results of G depend on; with full rules also nodes without outputs,
 * which have side effects. */
static uint8_t *needed_nodes(const struct function_counts *b, const struct shape_graph *g)
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

/* Starts counting the body on top of the stack; false when it needs no counting, because it was
 * counted meanwhile or exceeds the budget. */
static bool begin_body(struct function_counts *b, struct counting *c)
{
    const uint32_t number = shape_graph_number(c->graph);
    const struct function_body *body = shape_graph_body(c->graph);
    const uint32_t n_nodes = body->graph->n_nodes;
    struct body_count *counts;

    if (number >= b->counts.n)
        vec_resize_zero(&b->counts, (size_t)number + 1);
    if (b->counts.data[number])
        return false;
    b->counts.data[number] = counts = ARENA_NEW(&b->keep, struct body_count, 1);
    *counts = (struct body_count){.graph = c->graph};
    if (!budget_take(&shape_graph_request(c->graph)->budget,
                     sizeof *counts + n_nodes * (sizeof(int64_t) + 1), n_nodes))
        return false;
    counts->count = ARENA_NEW(&b->keep, int64_t, n_nodes + 1);
    counts->state = ARENA_NEW(&b->keep, uint8_t, n_nodes + 1);
    memset(counts->count, 0, n_nodes * sizeof *counts->count);
    memset(counts->state, FLOPS_NO_COMPUTE, n_nodes);
    c->counts = counts;
    c->at = body->n_args;
    /* A function listed as a row of its own counts all its nodes. */
    c->needed =
        b->p->function_rows == FUNCTION_ROWS_LISTED ? NULL : needed_nodes(b, c->graph);
    return true;
}

/* Continues counting a body; false when it has to wait for other bodies. */
static bool continue_body(struct function_counts *b, struct counting *c)
{
    struct body_count *counts = c->counts;
    const uint32_t n_nodes = shape_graph_body(c->graph)->graph->n_nodes;

    for (; c->at < n_nodes; c->at++) {
        if (c->needed && !c->needed[c->at])
            continue;
        if (!body_count_node(b, counts, c->at))
            return false;
        counts->total = sat_add(counts->total, counts->count[c->at], &counts->saturated);
        counts->has |= body_count_has(counts->state[c->at]);
    }
    counts->is_done = true;
    return true;
}

static void push_requested(struct function_counts *b)
{
    for (size_t i = 0; i < b->requested.n; i++)
        vec_push(&b->stack, ((struct counting){.graph = b->requested.data[i]}));
    b->requested.n = 0;
}

bool function_counts_resolve(struct function_counts *b)
{
    struct shape_request *r = shape_graph_request(b->graph);

    shape_graph_infer_requested(r);
    push_requested(b);
    while (b->stack.n > 0) {
        struct counting *c = &b->stack.data[b->stack.n - 1];

        if ((!c->counts && !begin_body(b, c)) || continue_body(b, c)) {
            free(c->needed);
            b->stack.n--;
        }
        shape_graph_infer_requested(r);
        push_requested(b);
        if (cancel_asked(r->budget.cancel))
            return false;
    }
    return true;
}

const struct body_count *body_count_of(struct function_counts *b, const struct shape_graph *g)
{
    const struct body_count *counts = counts_or_request(b, g);

    if (counts)
        return counts;
    if (function_counts_resolve(b))
        counts = counts_or_request(b, g);
    b->requested.n = 0;
    return counts;
}
