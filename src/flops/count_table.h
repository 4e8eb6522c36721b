/* count_table.h: the counting rules of an op type, found by its entry in the op table. */
#pragma once

#include "flops/count_rules.h"
#include "shapes/op_table.h"
#include "shapes/shape_graph.h"

struct count_entry {
    const struct count_rule *compat, *full; /* NULL: no rule */
    enum flops_release since;               /* first release with compat */
};

struct count_table {
    struct count_entry *entries; /* indexed by op id */
    size_t n;
    enum flops_release release; /* compat: statistics as of this release */
};

/* Adds the op types that have a rule to OPS.  Call it before entries of OPS are stored
 * elsewhere. */
void count_table_init(struct count_table *t, struct op_table *ops, enum flops_release release);
void count_table_done(struct count_table *t);
/* The entry of OP; an empty one when no table contains it. */
const struct count_entry *count_table_find(const struct count_table *t, const struct op_entry *op);

/* The rule for NODE of G; with FULL our own rule, if there is one.  NULL: none. */
const struct count_rule *count_rule_of(const struct count_table *rules,
                                       const struct shape_graph *g, node_id node, bool full);
/* Counts NODE by RULES into T, after tally_init().  Resets SCRATCH. */
void count_node(const struct count_table *rules, const struct shape_graph *g, node_id node,
                bool full, struct arena *scratch, struct tally *t);
