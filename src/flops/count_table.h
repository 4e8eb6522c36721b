/* count_table.h: the rules of counting of an op type, found by its entry in the table of ops. */
#ifndef TFPROF_FLOPS_COUNT_TABLE_H
#define TFPROF_FLOPS_COUNT_TABLE_H

#include "flops/count_rules.h"
#include "shapes/op_table.h"

struct count_entry {
    const struct count_rule *compat, *full; /* NULL: no rule */
    enum flops_release since;               /* of compat */
};

struct count_table {
    struct count_entry *entries; /* by id of the op */
    size_t n;
    enum flops_release release; /* compat: the statistics of this one */
};

/* Adds the op types that have a rule to OPS, before any entry of it is kept. */
void count_table_init(struct count_table *t, struct op_table *ops, enum flops_release release);
void count_table_done(struct count_table *t);
/* The entry of OP; an empty one when no table names it. */
const struct count_entry *count_table_find(const struct count_table *t, const struct op_entry *op);

#endif
