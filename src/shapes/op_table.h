/* op_table.h: the rules of shapes of an op type in one place, found by its name. */
#ifndef TFPROF_SHAPES_OP_TABLE_H
#define TFPROF_SHAPES_OP_TABLE_H

#include "base/intern.h"
#include "shapes/rules/shape_rules.h"

struct op_entry {
    strid id; /* of its name in the table; STRID_NONE: no table names it */
    const struct op_rule *shape, *value, *hint;
};

/* Made from the const tables once per computation. */
struct op_table {
    struct intern names;
    struct op_entry *entries; /* by id of names */
    size_t capacity;
};

void op_table_init(struct op_table *t);
void op_table_done(struct op_table *t);
/* The entry of the op type that stands at *WORDS, made if need be; moves on to the next word.
 * Entries that were found before may have moved. */
struct op_entry *op_table_next(struct op_table *t, const char **words);
/* The entry of OP (LEN bytes) of the set that PREFIX stands for, made if need be. */
struct op_entry *op_table_entry(struct op_table *t, const char *prefix, const char *op, size_t len);
/* The entry of an op type; an empty one when no table names it. */
const struct op_entry *op_table_find(const struct op_table *t, const char *op, size_t len);

#endif
