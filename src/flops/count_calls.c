/* count_calls.c: what a node costs: by the rule of its op, or, for calls, by
 * the nodes of the function's body. */
#include "flops/count_calls.h"

#include <string.h>

#include "base/satmath.h"
#include "flops/shape_graph.h"

static bool names_dataset(const struct profile *p, node_id node)
{
    return strstr(profile_text(p, p->op[node]), "Dataset") != NULL;
}

void count_node(const struct shape_graph *g, node_id node, bool full, struct arena *scratch,
                struct tally *t)
{
    const struct op_entry *e = shape_graph_entry(g, node);
    const struct count_rule *rule = full && e->full ? e->full : e->compat;
    struct opctx c;

    if (!rule || !rule->apply) {
        if ((e->full && !e->full->apply) || (!e->full && !rule &&
                                             names_dataset(shape_graph_profile(g), node)))
            tally_stop(t, FLOPS_NO_COMPUTE);
        else
            tally_stop(t, FLOPS_NO_RULE);
        return;
    }
    shape_graph_load(g, node, scratch, &c);
    c.arg = rule->arg;
    rule->apply(&c, t);
}

/* Sum over the nodes of a body; unknown when one of them is. */
static int64_t body_total(struct tally *t, const struct shape_graph *g)
{
    struct arena scratch = {0};
    int64_t total = 0;

    for (node_id i = 0; i < shape_graph_profile(g)->n_nodes; i++) {
        struct tally one;

        tally_init(&one, t->macs, NULL);
        count_node(g, i, true, &scratch, &one);
        total = sat_add(total, tally_finish(&one), &t->saturated);
        if (one.state == FLOPS_UNKNOWN_SHAPE)
            tally_stop(t, FLOPS_UNKNOWN_SHAPE);
    }
    arena_done(&scratch);
    return total;
}

/* The count of function NAME; 0 with a stopped tally when it is not there. */
static int64_t function_total(struct opctx *c, struct tally *t, struct attr_bytes name,
                              uint32_t first, bool values)
{
    struct shape_graph *body = shape_graph_enter(c, name, first, values);
    int64_t total;

    if (!body) {
        tally_stop(t, FLOPS_NO_RULE);
        return 0;
    }
    total = body_total(t, body);
    shape_graph_free(body);
    return total;
}

void count_call(struct opctx *c, struct tally *t)
{
    int64_t total = function_total(c, t, opctx_string(c, "f", ""), 0, true);

    tally_plus(t);
    tally_times(t, total);
}

void count_branches(struct opctx *c, struct tally *t)
{
    struct attr_bytes names[SHAPE_BRANCHES_MAX];
    size_t n = shape_graph_branch_names(c, names);
    int64_t most = 0, total;

    for (size_t i = 0; i < n; i++) {
        total = function_total(c, t, names[i], 1, true);
        most = total > most ? total : most;
    }
    tally_plus(t);
    tally_times(t, most);
}

void count_loop(struct opctx *c, struct tally *t)
{
    shape_graph_settle_inputs(c);
    tally_plus(t);
    tally_times(t, function_total(c, t, opctx_string(c, "body", ""), 0, false));
    tally_plus(t);
    tally_times(t, function_total(c, t, opctx_string(c, "cond", ""), 0, false));
}
