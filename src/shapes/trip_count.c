/* trip_count.c: trip counts from the usual loop conditions: counter < bound, and conjunctions of
 * them. */
#include "shapes/shape_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* An operand in the condition or the body. */
struct operand {
    node_id node;   /* NODE_NONE: none */
    int32_t output;
};

/* Skips Identity nodes before operand O.  NODE_NONE when the budget is exhausted, because many
 * loops may refer to one long chain. */
static struct operand origin(struct budget *budget, const struct profile *p, struct operand o)
{
    enum { STEPS_OF_NODE = 2 };

    /* Bounded by the number of nodes, in case of a cycle. */
    for (uint32_t i = 0; o.node != NODE_NONE && i < p->n_nodes; i++) {
        const char *op = profile_text(p, p->op[o.node]);
        const struct node_input *in = &p->inputs[p->input_begin[o.node]];

        if ((strcmp(op, "Identity") != 0 && strcmp(op, "StopGradient") != 0) ||
            p->input_begin[o.node] == p->input_begin[o.node + 1] ||
            in->own_index == INPUT_CONTROL)
            break;
        if (!budget_take(budget, 0, STEPS_OF_NODE))
            return (struct operand){NODE_NONE, 0};
        o = (struct operand){in->source, in->own_index};
    }
    return o;
}

/* Data input I of a node. */
static struct operand operand_of(struct budget *budget, const struct profile *p, node_id node,
                                 uint32_t i)
{
    for (uint32_t k = p->input_begin[node]; k < p->input_begin[node + 1]; k++)
        if (p->inputs[k].own_index != INPUT_CONTROL && i-- == 0)
            return origin(budget, p,
                          (struct operand){p->inputs[k].source, p->inputs[k].own_index});
    return (struct operand){NODE_NONE, 0};
}

static struct operand result_of(struct budget *budget, const struct function_body *body,
                                uint32_t i)
{
    if (i >= body->n_results)
        return (struct operand){NODE_NONE, 0};
    return origin(budget, body->graph,
                  (struct operand){body->results[i].node, body->results[i].output});
}

static struct budget *budget_for(const struct opctx *c)
{
    return &shape_graph_request(c->graph)->budget;
}

static bool constant(struct tensor t, int64_t *value)
{
    if (!t.value || t.value->n != 1 || t.value->v[0] == VALUE_UNKNOWN)
        return false;
    *value = t.value->v[0];
    return true;
}

bool loop_input_is_invariant(const struct opctx *c, const struct function_body *body, uint32_t i)
{
    struct operand o = result_of(budget_for(c), body, i);

    return o.node == i && i < body->n_args;
}

/* The value of O if it is equal in every iteration: a constant of GRAPH, or of a loop input that is
 * invariant. */
static bool fixed(const struct opctx *c, const struct shape_graph *graph,
                  const struct function_body *body, struct operand o, int64_t *value)
{
    if (o.node == NODE_NONE)
        return false;
    if (o.node < body->n_args)
        return o.node < c->n_in && loop_input_is_invariant(c, body, o.node) &&
               constant(c->in[o.node], value);
    return constant(shape_graph_tensor(graph, o.node, o.output), value);
}

/* The constant that each iteration adds to argument I. */
static bool step_of(const struct opctx *c, const struct shape_graph *body, uint32_t i,
                    int64_t *step)
{
    const struct function_body *b = shape_graph_body(body);
    const struct profile *p = b->graph;
    struct operand o = result_of(budget_for(c), b, i);
    const char *op;
    int sign;

    if (o.node == NODE_NONE || o.node < b->n_args)
        return false;
    op = profile_text(p, p->op[o.node]);
    sign = strcmp(op, "Add") == 0 || strcmp(op, "AddV2") == 0 ? 1 : strcmp(op, "Sub") == 0 ? -1 : 0;
    for (uint32_t k = 0; sign != 0 && k < 2; k++) {
        /* argument + constant, constant + argument, argument - constant */
        if (operand_of(budget_for(c), p, o.node, k).node != i || (sign < 0 && k == 1) ||
            !fixed(c, body, b, operand_of(budget_for(c), p, o.node, 1 - k), step))
            continue;
        *step = clamp_mul(*step, sign);
        return true;
    }
    return false;
}

int64_t trips_of_range(int64_t start, int64_t limit, int64_t delta)
{
    const int64_t far = INT64_MAX / 4;

    if (delta == 0 || start > far || start < clamp_neg(far) || limit > far ||
        limit < clamp_neg(far) || delta < clamp_neg(far))
        return TRIPS_UNKNOWN;
    if (start == limit || (limit < start) != (delta < 0))
        return 0;
    return quotient_up(clamp_sub(limit, start), delta);
}

/* The comparison of an op, as counter OP bound. */
enum compare { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, NOT_COMPARED };

static enum compare compare_of(const char *op)
{
    static const char *const names[] = {"Less", "LessEqual", "Greater", "GreaterEqual"};

    for (uint32_t i = LESS; i < NOT_COMPARED; i++)
        if (strcmp(op, names[i]) == 0)
            return (enum compare)i;
    return NOT_COMPARED;
}

/* Iterations until the comparison NODE of the condition fails. */
static int64_t trips_of_comparison(const struct opctx *c, const struct shape_graph *condition,
                                   const struct shape_graph *body, node_id node)
{
    static const enum compare turned[] = {GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_COMPARED};
    const struct function_body *b = shape_graph_body(body);
    const struct profile *p = shape_graph_profile(condition);
    enum compare compare = compare_of(profile_text(p, p->op[node]));

    for (uint32_t k = 0; compare != NOT_COMPARED && k < 2; k++, compare = turned[compare]) {
        struct operand counter = operand_of(budget_for(c), p, node, k);
        struct operand other = operand_of(budget_for(c), p, node, 1 - k);
        int64_t start, bound, step;

        if (counter.node == NODE_NONE || counter.node >= b->n_args || counter.node >= c->n_in ||
            !step_of(c, body, counter.node, &step) || !constant(c->in[counter.node], &start) ||
            !fixed(c, condition, b, other, &bound))
            continue;
        /* For integers, <= N is < N + 1. */
        if (compare == LESS_EQUAL)
            bound = clamp_add(bound, 1);
        else if (compare == GREATER_EQUAL)
            bound = clamp_sub(bound, 1);
        if ((compare == LESS || compare == LESS_EQUAL) != (step > 0)) {
            bool runs = compare == LESS || compare == LESS_EQUAL ? start < bound : start > bound;

            return runs ? TRIPS_UNKNOWN : 0;
        }
        return trips_of_range(start, bound, step);
    }
    return TRIPS_UNKNOWN;
}

/* The conjunction of conditions for the next iteration: NODE and, through LogicalAnd, its operands,
 * each once. */
struct demands {
    VEC(node_id) list;
    uint8_t *seen; /* [n_nodes] visited, allocated at the first LogicalAnd; guards against cycles */
};

/* Adds both operands of NODE, a LogicalAnd; false when the budget is exhausted, because many loops
 * may share one long condition. */
static bool add_operands(struct demands *d, struct budget *budget, const struct profile *p,
                         node_id node)
{
    if (!d->seen) {
        if (!budget_take(budget, 0, p->n_nodes / 8 + 1))
            return false;
        d->seen = xcalloc(p->n_nodes, 1);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const node_id operand = operand_of(budget, p, node, i).node;

        if (operand == NODE_NONE || !d->seen[operand])
            vec_push(&d->list, operand);
        if (operand != NODE_NONE)
            d->seen[operand] = 1;
    }
    return true;
}

int64_t trips_of_while(const struct opctx *c, const struct shape_graph *condition,
                       const struct shape_graph *body)
{
    enum { STEPS_OF_DEMAND = 8 };
    const struct profile *p = shape_graph_profile(condition);
    struct budget *budget = budget_for(c);
    struct demands demands = {0};
    int64_t min = TRIPS_UNKNOWN;
    bool known = true;

    if (shape_graph_body(condition)->n_args != shape_graph_body(body)->n_args)
        return TRIPS_UNKNOWN;
    vec_push(&demands.list, result_of(budget, shape_graph_body(condition), 0).node);
    for (size_t at = 0; known && at < demands.list.n; at++) {
        const node_id node = demands.list.data[at];
        int64_t trips;

        known = node != NODE_NONE && budget_take(budget, 0, STEPS_OF_DEMAND);
        if (known && strcmp(profile_text(p, p->op[node]), "LogicalAnd") == 0) {
            known = add_operands(&demands, budget, p, node);
            continue;
        }
        trips = known ? trips_of_comparison(c, condition, body, node) : TRIPS_UNKNOWN;
        known = trips != TRIPS_UNKNOWN;
        if (known && (min == TRIPS_UNKNOWN || trips < min))
            min = trips;
    }
    free(demands.seen);
    vec_done(&demands.list);
    return known ? min : TRIPS_UNKNOWN;
}
