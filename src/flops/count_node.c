/* count_node.c: counts one node by the rule of its op. */
#include "flops/count_node.h"

#include <string.h>

static bool names_dataset(const struct profile *p, node_id node)
{
    return strstr(profile_text(p, p->op[node]), "Dataset") != NULL;
}

const struct count_rule *count_rule_of(const struct count_table *rules,
                                       const struct shape_graph *g, node_id node, bool full)
{
    const struct count_entry *e = count_table_find(rules, shape_graph_entry(g, node));

    if (full)
        return e->full ? e->full : e->compat;
    return e->since >= rules->release ? e->compat : NULL;
}

void count_node(const struct count_table *rules, const struct shape_graph *g, node_id node,
                bool full, struct arena *scratch, struct tally *t)
{
    const struct count_entry *e = count_table_find(rules, shape_graph_entry(g, node));
    const struct count_rule *rule = count_rule_of(rules, g, node, full);
    struct opctx c;

    if (!rule || !rule->apply) {
        if (profile_has_op_set(shape_graph_profile(g)) || (e->full && !e->full->apply) || (!e->full && !rule &&
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
