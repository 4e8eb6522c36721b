/* op_table.h: every rule of an op type in one place, found by its name. */
#ifndef TFPROF_FLOPS_OP_TABLE_H
#define TFPROF_FLOPS_OP_TABLE_H

#include "base/intern.h"
#include "flops/count_rules.h"
#include "shapes/rules/shape_rules.h"

struct op_entry {
    const struct op_rule *shape, *value, *hint;
    const struct count_rule *compat, *full; /* NULL: no rule */
    enum flops_release since;               /* of compat */
};

/* Made from the const tables once per computation. */
struct op_table {
    struct intern names;
    struct op_entry *entries; /* by id of names */
    size_t capacity;
};

void op_table_init(struct op_table *t);
void op_table_done(struct op_table *t);
/* The entry of an op type; an empty one when no table names it. */
const struct op_entry *op_table_find(const struct op_table *t, const char *op, size_t len);

#endif
