/* function_counts.c: assigns the counts of function bodies to the body's rows in the graph, or to
 * the call. */
#include "flops/function_counts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "flops/function_counts_priv.h"

/* ---- bodies that have rows in the graph */

static void list_sites(struct function_counts *b)
{
    const struct profile *p = b->p;

    b->assigned = xcalloc((size_t)p->n_call_sites + 1, sizeof *b->assigned);
    b->first_site = xcalloc((size_t)p->n_nodes + 1, sizeof *b->first_site);
    b->next_site = xcalloc((size_t)p->n_call_sites + 1, sizeof *b->next_site);
    for (uint32_t i = p->n_call_sites; i-- > 0;)
        if (p->call_sites[i].call < p->n_nodes) {
            b->next_site[i] = b->first_site[p->call_sites[i].call];
            b->first_site[p->call_sites[i].call] = i + 1;
        }
}

static bool matches_site(const struct body_count *body, const struct call_site *site)
{
    const struct function_body *f = shape_graph_body(body->graph);

    return f->graph->n_nodes - f->n_args == site->n_nodes;
}

/* Assigns PART's body to the rows at SITE, below a call that OUTER places.  Only the first such
 * part counts, because duplicate attributes would double the count at each level. */
static void assign_body(struct function_counts *b, uint32_t site, const struct counted_part *part,
                        const struct assigned *outer)
{
    bool saturated = false;

    if (b->assigned[site].body)
        return;
    b->assigned[site] = (struct assigned){
        .body = part->body,
        .times = sat_mul(outer->times, part->call.times, &saturated),
        .per_trip = outer->per_trip || part->call.per_trip,
        .left_out = outer->left_out || part->left_out,
    };
    vec_push(&b->open, site);
}

/* Assigns the parts of CALL that belong to SITE, and sets their flags in PLACED. */
static void assign_site(struct function_counts *b, const struct counted_call *call, uint32_t site,
                        const struct assigned *outer, uint8_t *assigned)
{
    const struct call_site *s = &b->p->call_sites[site];
    size_t at = 0;

    LOWER_BOUND(at, call->n_parts, i, call->by_role[i].role < s->role);
    for (; at < call->n_parts && call->by_role[at].role == s->role; at++) {
        const uint32_t i = call->by_role[at].part;

        if (!call->parts[i].body || !matches_site(call->parts[i].body, s))
            continue;
        assign_body(b, site, &call->parts[i], outer);
        assigned[i] = 1;
    }
}

/* Assigns the bodies that have rows below node WHERE, which is CALL in the body that OUTER places.
 * The other bodies count at the call. */
static void assign_call(struct function_counts *b, const struct counted_call *call, node_id where,
                        const struct assigned *outer, int64_t *count, uint8_t *state)
{
    bool saturated = false;
    uint8_t *assigned;

    if (!b->first_site[where])
        return;
    assigned = xcalloc(call->n_parts, sizeof *assigned);
    for (uint32_t at = b->first_site[where]; at; at = b->next_site[at - 1])
        assign_site(b, call, at - 1, outer, assigned);
    *state = body_count_state(
        body_count_parts(call->parts, call->n_parts, assigned, count, &saturated));
    free(assigned);
}

/* Multiplier of the body's counts at WHERE: 1 when a run recorded how often the node ran. */
static int64_t multiplier_at(const struct function_counts *b, const struct assigned *assigned, node_id where)
{
    return b->p->exec_begin[where] == b->p->exec_begin[where + 1] ? assigned->times : 1;
}

static bool is_per_trip(const struct function_counts *b, const struct assigned *assigned, node_id where)
{
    return assigned->per_trip && b->p->exec_begin[where] == b->p->exec_begin[where + 1];
}

/* Copies count I of the body that FROM places to node WHERE of the graph. */
static void fill_in(struct function_counts *b, const struct assigned *from, node_id i, node_id where,
                    int64_t *count, uint8_t *state, node_id *saturated)
{
    bool beyond = false;

    *count = from->left_out ? 0 : sat_mul(*count, multiplier_at(b, from, where), &beyond);
    if (from->left_out && (body_count_has(*state) & (HAS_COUNTED | HAS_UNKNOWN)))
        *state = FLOPS_LEFT_OUT;
    else if (is_per_trip(b, from, where) && *state == FLOPS_COUNTED)
        *state = FLOPS_PER_TRIP;
    beyond |= from->body->saturated && *count == INT64_MAX;
    if (beyond && *saturated == NODE_NONE)
        *saturated = where;
    shape_graph_put(b->graph, where, from->body->graph, i);
}

static void fill_site(struct function_counts *b, uint32_t site, int64_t *count, uint8_t *state,
                      node_id *saturated)
{
    const struct assigned from = b->assigned[site];
    const struct body_count *body = from.body;
    const uint32_t n_args = shape_graph_body(body->graph)->n_args;
    size_t call = 0;

    for (node_id i = n_args; i < n_args + b->p->call_sites[site].n_nodes; i++) {
        const node_id where = b->p->call_sites[site].first + (i - n_args);

        count[where] = body->count[i];
        state[where] = body->state[i];
        if (call < body->calls.n && body->calls.data[call].node == i)
            assign_call(b, &body->calls.data[call++], where, &from, &count[where],
                        &state[where]);
        fill_in(b, &from, i, where, &count[where], &state[where], saturated);
    }
}

/* ---- all functions */

/* Counts the nodes of the graph itself. */
static bool count_main(struct function_counts *b, int64_t *count, uint8_t *state,
                       node_id *saturated,
                       struct cancel_mark cancel)
{
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
            /* rows that no call places do not run */
            state[i] = FLOPS_NO_COMPUTE;
            continue;
        }
        b->main.saturated = false;
        while (done && !body_count_node(b, &b->main, i))
            done = function_counts_resolve(b);
        if (b->main.saturated && *saturated == NODE_NONE)
            *saturated = i;
    }
    return done;
}

/* Assigns the functions that are listed as rows of their own. */
static void assign_functions(struct function_counts *b)
{
    const struct assigned outer = {.times = 1};

    for (uint32_t i = 0; i < b->p->n_call_sites; i++) {
        const struct call_site *site = &b->p->call_sites[i];
        struct counted_part part;

        if (site->call != NODE_NONE)
            continue;
        do
            part = (struct counted_part){
                .call = call_of_function(b->graph, (struct attr_bytes){
                                                       profile_text(b->p, site->function),
                                                       intern_len(&b->p->strings,
                                                                  site->function)})};
        while (shape_graph_infer_requested(shape_graph_request(b->graph)));
        part.body = part.call.graph ? body_count_of(b, part.call.graph) : NULL;
        if (part.body && matches_site(part.body, site))
            assign_body(b, i, &part, &outer);
    }
}

bool function_counts_run(struct function_counts *b, int64_t *count, uint8_t *state,
                         node_id *saturated,
                  struct cancel_mark cancel)
{
    const struct assigned outer = {.times = 1};
    bool done;

    *saturated = NODE_NONE;
    list_sites(b);
    done = count_main(b, count, state, saturated, cancel);
    if (!done)
        return false;
    assign_functions(b);
    for (size_t i = 0; i < b->main.calls.n; i++) {
        const node_id node = b->main.calls.data[i].node;

        assign_call(b, &b->main.calls.data[i], node, &outer, &count[node], &state[node]);
    }
    for (size_t at = 0; done && at < b->open.n; at++) {
        fill_site(b, b->open.data[at], count, state, saturated);
        done = !cancel_asked(cancel);
    }
    return done;
}

struct function_counts *function_counts_new(struct shape_graph *g,
                                            const struct function_counts_request *request)
{
    struct function_counts *b = xcalloc(1, sizeof *b);

    b->graph = g;
    b->p = shape_graph_profile(g);
    b->request = *request;
    return b;
}

void function_counts_free(struct function_counts *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->counts.n; i++)
        if (b->counts.data[i])
            vec_done(&b->counts.data[i]->calls);
    EACH(vec_done, &b->counts, &b->requested);
    while (b->stack.n > 0)
        free(b->stack.data[--b->stack.n].needed);
    vec_done(&b->stack);
    arena_done(&b->scratch);
    EACH(vec_done, &b->main.calls, &b->open);
    arena_done(&b->keep);
    EACH(free, b->assigned, b->first_site, b->next_site, b);
}

/* ---- explanations */

struct body_node function_counts_body_node(const struct function_counts *b, node_id node)
{
    const struct call_site *site = profile_call_site_of(b->p, node);
    const struct assigned *assigned = site ? &b->assigned[site - b->p->call_sites] : NULL;

    if (!assigned || !assigned->body)
        return (struct body_node){b->graph, node, 1};
    return (struct body_node){
        assigned->body->graph,
        node - site->first + shape_graph_body(assigned->body->graph)->n_args,
        multiplier_at(b, assigned, node)};
}

/* The call NODE with its counted parts, or NULL. */
static const struct counted_call *call_of(const struct function_counts *b, node_id node)
{
    const struct call_site *site = profile_call_site_of(b->p, node);
    const struct body_node assign_body = function_counts_body_node(b, node);
    const struct body_count *in =
        assign_body.graph == b->graph ? &b->main : b->assigned[site - b->p->call_sites].body;
    const struct counted_call *calls = in->calls.data;
    size_t at = 0;

    LOWER_BOUND(at, in->calls.n, i, calls[i].node < assign_body.node);
    return at < in->calls.n && calls[at].node == assign_body.node ? &calls[at] : NULL;
}

static void explain_part(const struct function_counts *b, const struct counted_part *part,
                         struct strbuf *sb)
{
    const struct call_part *call = &part->call;
    struct strbuf role = {0};
    bool saturated = false;

    function_role_add(&role, call->attr, call->item);
    if (role.len) {
        utf8_escape(sb, sb_text(&role), role.len);
        sb_addc(sb, ' ');
    }
    sb_done(&role);
    utf8_escape(sb, call->function.bytes, call->function.len);
    if (!part->body) {
        sb_adds(sb, " cannot be entered: it is recursive, too large or missing");
        return;
    }
    sb_addf(sb, ": %" PRId64, part->body->total);
    sb_adds(sb, part->body->has & (HAS_UNKNOWN | HAS_NO_RULE) ? " and parts without a count" : "");
    if (part->left_out)
        sb_adds(sb, call->is_ungiven    ? ", not counted: its gradient runs instead"
                    : b->request.full   ? ", not counted: another branch costs more"
                                        : ", not counted: TensorFlow does not enter it");
    else if (call->per_trip)
        sb_adds(sb, " per iteration (how many is not known)");
    else if (call->times != 1)
        sb_addf(sb, " * %" PRId64 " = %" PRId64, call->times,
                sat_mul(part->body->total, call->times, &saturated));
}

/* True when the call's bodies have nodes other than arguments. */
static bool call_has_nodes(const struct counted_call *call)
{
    bool any = false;

    for (uint32_t i = 0; i < call->n_parts; i++) {
        const struct body_count *count = call->parts[i].body;
        const struct function_body *body = count ? shape_graph_body(count->graph) : NULL;

        any |= body && body->graph->n_nodes > body->n_args;
    }
    return any;
}

bool function_counts_explain(const struct function_counts *b, node_id node, struct strbuf *sb)
{
    const struct counted_call *call = call_of(b, node);

    for (uint32_t i = 0; call && i < call->n_parts; i++) {
        sb_adds(sb, i ? "; " : "calls ");
        explain_part(b, &call->parts[i], sb);
    }
    if (call && b->first_site[node])
        sb_adds(sb, " (its rows are below)");
    else if (call && call_has_nodes(call))
        sb_adds(sb, b->p->function_rows == FUNCTION_ROWS_NONE
                        ? " (without rows: -functions off)"
                        : " (open it for its rows, see -open_calls)");
    return call != NULL;
}
