/* bodies.c: counts of function bodies: once for each body and shapes, then put
 * where the body's nodes stand, or to the call.
 *
 * Bodies count the bodies that they call before they are done themselves: a
 * chain no longer than shape inference follows calls. */
#include "flops/bodies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "flops/count_calls.h"
#include "flops/count_node.h"

/* What the nodes of a body have in them. */
enum { HAS_COUNTED = 1, HAS_PER_TRIP = 2, HAS_UNKNOWN = 4, HAS_NO_RULE = 8 };

/* A node that calls functions. */
struct counted_call {
    node_id node;
    uint32_t n_parts;
    struct counted_part *parts;
};

/* A graph with the counts of one execution. */
struct body_count {
    const struct shape_graph *graph;
    int64_t *count; /* [n_nodes]; of a call: what all that it calls makes */
    uint8_t *state;
    VEC(struct counted_call) calls; /* by node */
    int64_t total;
    unsigned has;
    bool saturated;
};

struct counted_part {
    struct call_part call;
    const struct body_count *body; /* NULL: there is none */
    bool left_out;                 /* does not count */
};

/* Where a body stands in the graph. */
struct placed {
    const struct body_count *body; /* NULL: not counted */
    int64_t times;                 /* for one execution of the graph */
    bool per_trip, left_out;
};

struct bodies {
    struct shape_graph *graph;
    const struct profile *p;
    struct bodies_request request;
    struct body_count main;
    VEC(struct body_count *) counts; /* by number of the body's graph */
    struct placed *placed;           /* by call site */
    uint32_t *first_site;            /* [n_nodes] first call site of a node + 1 */
    uint32_t *next_site;             /* [n_call_sites] the next one of the same node + 1 */
    VEC(uint32_t) open;              /* placed sites, their nodes to be filled in */
    struct arena keep;
};

/* ---- one node */

static unsigned has_of(uint8_t state)
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

static uint8_t state_of(unsigned has)
{
    if (has & HAS_COUNTED)
        return has & HAS_PER_TRIP ? FLOPS_PER_TRIP : FLOPS_COUNTED;
    return has & HAS_UNKNOWN ? FLOPS_UNKNOWN_SHAPE : has ? FLOPS_NO_RULE : FLOPS_NO_COMPUTE;
}

static const struct body_count *count_body(struct bodies *b, const struct shape_graph *g);

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

/* Sums up the PARTS that count, but for those in the bits of PLACED. */
static unsigned sum_parts(const struct counted_part *parts, size_t n, uint64_t placed,
                          int64_t *count, bool *saturated)
{
    unsigned has = 0;

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct counted_part *part = &parts[i];

        if (part->left_out || (placed >> i & 1))
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

/* Counts a call; false when NODE is none. */
static bool count_call(struct bodies *b, struct body_count *to, node_id node,
                       struct arena *scratch)
{
    struct call_part found[CALL_PARTS_MAX];
    const struct call_request request = {
        .graph = to->graph, .node = node, .full = b->request.full, .scratch = scratch};
    const size_t n = call_parts(&request, found);
    struct counted_call call = {.node = node, .n_parts = (uint32_t)n};

    if (n == 0)
        return false;
    call.parts = ARENA_NEW(&b->keep, struct counted_part, n);
    for (size_t i = 0; i < n; i++)
        call.parts[i] = (struct counted_part){
            .call = found[i],
            .body = found[i].graph ? count_body(b, found[i].graph) : NULL,
        };
    leave_out(b, call.parts, n);
    to->state[node] =
        state_of(sum_parts(call.parts, n, 0, &to->count[node], &to->saturated));
    if (all_left_out(call.parts, n))
        to->state[node] = call.parts[0].call.is_ungiven ? FLOPS_NO_RULE : FLOPS_LEFT_OUT;
    vec_push(&to->calls, call);
    return true;
}

static void count_one(struct bodies *b, struct body_count *to, node_id node,
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
    to->saturated |= t.saturated && t.state == FLOPS_COUNTED;
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
static const struct body_count *count_body(struct bodies *b, const struct shape_graph *g)
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
        count_one(b, counts, i, &scratch);
        counts->total = sat_add(counts->total, counts->count[i], &counts->saturated);
        counts->has |= has_of(counts->state[i]);
    }
    free(needed);
    arena_done(&scratch);
    if (number >= b->counts.n)
        vec_resize_zero(&b->counts, (size_t)number + 1);
    b->counts.data[number] = counts;
    return counts;
}

/* ---- bodies that stand in the graph */

static void list_sites(struct bodies *b)
{
    const struct profile *p = b->p;

    b->placed = xcalloc((size_t)p->n_call_sites + 1, sizeof *b->placed);
    b->first_site = xcalloc((size_t)p->n_nodes + 1, sizeof *b->first_site);
    b->next_site = xcalloc((size_t)p->n_call_sites + 1, sizeof *b->next_site);
    for (uint32_t i = p->n_call_sites; i-- > 0;)
        if (p->call_sites[i].call < p->n_nodes) {
            b->next_site[i] = b->first_site[p->call_sites[i].call];
            b->first_site[p->call_sites[i].call] = i + 1;
        }
}

static bool fits(const struct body_count *body, const struct call_site *site)
{
    const struct function_body *f = shape_graph_body(body->graph);

    return f->graph->n_nodes - f->n_args == site->n_nodes;
}

/* The rows at SITE are what PART of a call that OUTER places makes. */
static void place(struct bodies *b, uint32_t site, const struct counted_part *part,
                  const struct placed *outer)
{
    bool saturated = false;

    b->placed[site] = (struct placed){
        .body = part->body,
        .times = sat_mul(outer->times, part->call.times, &saturated),
        .per_trip = outer->per_trip || part->call.per_trip,
        .left_out = outer->left_out || part->left_out,
    };
    vec_push(&b->open, site);
}

/* Places the bodies that stand below node WHERE, which is CALL in the body that
 * OUTER places; the others count at the call. */
static void place_call(struct bodies *b, const struct counted_call *call, node_id where,
                       const struct placed *outer, int64_t *count, uint8_t *state)
{
    uint64_t placed = 0;
    bool saturated = false;
    unsigned has;

    for (uint32_t at = b->first_site[where]; at; at = b->next_site[at - 1]) {
        const struct call_site *site = &b->p->call_sites[at - 1];
        const char *role = profile_text(b->p, site->role);

        for (uint32_t i = 0; i < call->n_parts; i++)
            if (call->parts[i].body && strcmp(call->parts[i].call.role, role) == 0 &&
                fits(call->parts[i].body, site)) {
                place(b, at - 1, &call->parts[i], outer);
                placed |= UINT64_C(1) << i;
            }
    }
    if (!placed)
        return;
    has = sum_parts(call->parts, call->n_parts, placed, count, &saturated);
    *state = state_of(has);
}

/* Takes count I of the body that FROM places for node WHERE of the graph. */
static void fill_in(struct bodies *b, const struct placed *from, node_id i, node_id where,
                    int64_t *count, uint8_t *state, node_id *saturated)
{
    bool beyond = false;

    *count = from->left_out ? 0 : sat_mul(*count, from->times, &beyond);
    if (from->left_out && (has_of(*state) & (HAS_COUNTED | HAS_UNKNOWN)))
        *state = FLOPS_LEFT_OUT;
    else if (from->per_trip && *state == FLOPS_COUNTED)
        *state = FLOPS_PER_TRIP;
    beyond |= from->body->saturated && *count == INT64_MAX;
    if (beyond && *saturated == NODE_NONE)
        *saturated = where;
    shape_graph_put(b->graph, where, from->body->graph, i);
}

static void fill_site(struct bodies *b, uint32_t site, int64_t *count, uint8_t *state,
                      node_id *saturated)
{
    const struct placed from = b->placed[site];
    const struct body_count *body = from.body;
    const uint32_t n_args = shape_graph_body(body->graph)->n_args;
    size_t call = 0;

    for (node_id i = n_args; i < n_args + b->p->call_sites[site].n_nodes; i++) {
        const node_id where = b->p->call_sites[site].first + (i - n_args);

        count[where] = body->count[i];
        state[where] = body->state[i];
        if (call < body->calls.n && body->calls.data[call].node == i)
            place_call(b, &body->calls.data[call++], where, &from, &count[where],
                       &state[where]);
        fill_in(b, &from, i, where, &count[where], &state[where], saturated);
    }
}

/* ---- the whole */

/* Counts the graph's own nodes. */
static bool count_main(struct bodies *b, int64_t *count, uint8_t *state, node_id *saturated,
                       struct cancel_mark cancel)
{
    struct arena scratch = {0};
    uint32_t site = 0;
    bool done = true;

    b->main = (struct body_count){.graph = b->graph, .count = count, .state = state};
    for (node_id i = 0; done && i < b->p->n_nodes; i++) {
        if (i % 4096 == 0)
            done = !cancel_asked(cancel);
        while (site < b->p->n_call_sites &&
               i >= b->p->call_sites[site].first + b->p->call_sites[site].n_nodes)
            site++;
        if (site < b->p->n_call_sites && i >= b->p->call_sites[site].first) {
            /* What no call places is not run. */
            state[i] = FLOPS_NO_COMPUTE;
            continue;
        }
        b->main.saturated = false;
        count_one(b, &b->main, i, &scratch);
        if (b->main.saturated && *saturated == NODE_NONE)
            *saturated = i;
    }
    arena_done(&scratch);
    return done;
}

/* Places the functions that stand for themselves. */
static void place_functions(struct bodies *b)
{
    const struct placed outer = {.times = 1};

    for (uint32_t i = 0; i < b->p->n_call_sites; i++) {
        const struct call_site *site = &b->p->call_sites[i];
        struct counted_part part;

        if (site->call != NODE_NONE)
            continue;
        part = (struct counted_part){
            .call = call_of_function(b->graph, (struct attr_bytes){
                                                   profile_text(b->p, site->function),
                                                   intern_len(&b->p->strings, site->function)})};
        part.body = part.call.graph ? count_body(b, part.call.graph) : NULL;
        if (part.body && fits(part.body, site))
            place(b, i, &part, &outer);
    }
}

bool bodies_count(struct bodies *b, int64_t *count, uint8_t *state, node_id *saturated,
                  struct cancel_mark cancel)
{
    const struct placed outer = {.times = 1};
    bool done;

    *saturated = NODE_NONE;
    list_sites(b);
    done = count_main(b, count, state, saturated, cancel);
    if (!done)
        return false;
    place_functions(b);
    for (size_t i = 0; i < b->main.calls.n; i++) {
        const node_id node = b->main.calls.data[i].node;

        place_call(b, &b->main.calls.data[i], node, &outer, &count[node], &state[node]);
    }
    for (size_t at = 0; done && at < b->open.n; at++) {
        fill_site(b, b->open.data[at], count, state, saturated);
        done = !cancel_asked(cancel);
    }
    return done;
}

struct bodies *bodies_new(struct shape_graph *g, const struct bodies_request *request)
{
    struct bodies *b = xcalloc(1, sizeof *b);

    b->graph = g;
    b->p = shape_graph_profile(g);
    b->request = *request;
    return b;
}

void bodies_free(struct bodies *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->counts.n; i++)
        if (b->counts.data[i])
            vec_done(&b->counts.data[i]->calls);
    vec_done(&b->counts);
    vec_done(&b->main.calls);
    vec_done(&b->open);
    arena_done(&b->keep);
    free(b->placed);
    free(b->first_site);
    free(b->next_site);
    free(b);
}

/* ---- for people */

struct body_place bodies_place(const struct bodies *b, node_id node)
{
    const struct call_site *site = profile_call_site_of(b->p, node);
    const struct placed *placed = site ? &b->placed[site - b->p->call_sites] : NULL;

    if (!placed || !placed->body)
        return (struct body_place){b->graph, node, 1};
    return (struct body_place){
        placed->body->graph,
        node - site->first + shape_graph_body(placed->body->graph)->n_args, placed->times};
}

/* The call NODE with the parts it counts by, or NULL. */
static const struct counted_call *call_of(const struct bodies *b, node_id node)
{
    const struct call_site *site = profile_call_site_of(b->p, node);
    const struct body_place place = bodies_place(b, node);
    const struct body_count *in =
        place.graph == b->graph ? &b->main : b->placed[site - b->p->call_sites].body;

    for (size_t low = 0, high = in->calls.n; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (in->calls.data[middle].node == place.node)
            return &in->calls.data[middle];
        if (in->calls.data[middle].node < place.node)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void explain_part(const struct bodies *b, const struct counted_part *part,
                         struct strbuf *sb)
{
    const struct call_part *call = &part->call;
    bool saturated = false;

    if (call->role[0])
        sb_addf(sb, "%s ", call->role);
    if (!part->body) {
        sb_adds(sb, "cannot be entered: it calls itself, is too deep or not there");
        return;
    }
    sb_addf(sb, "%" PRId64, part->body->total);
    if (part->body->has & (HAS_UNKNOWN | HAS_NO_RULE))
        sb_adds(sb, " and what has no count");
    if (part->left_out)
        sb_adds(sb, call->is_ungiven    ? ", not counted: what runs is its gradient"
                    : b->request.full   ? ", not counted: another branch costs more"
                                        : ", not counted: TensorFlow does not enter it");
    else if (call->per_trip)
        sb_adds(sb, " per iteration, of which the number is unknown");
    else if (call->times != 1)
        sb_addf(sb, " * %" PRId64 " = %" PRId64, call->times,
                sat_mul(part->body->total, call->times, &saturated));
}

bool bodies_explain(const struct bodies *b, node_id node, struct strbuf *sb)
{
    const struct counted_call *call = call_of(b, node);

    for (uint32_t i = 0; call && i < call->n_parts; i++) {
        sb_adds(sb, i ? "; " : "call: ");
        explain_part(b, &call->parts[i], sb);
    }
    if (call && b->first_site[node])
        sb_adds(sb, " (its rows stand below)");
    return call != NULL;
}
