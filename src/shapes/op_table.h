/* op_table.h: the shape rules of each op type, found by name. */
#pragma once

#include "base/intern.h"
#include "shapes/shape_rules.h"

struct op_entry {
    strid id; /* id of its name; STRID_NONE: in no table */
    const struct op_rule *shape, *value, *hint;
    const char *outputs; /* of a written rule, instead of SHAPE */
};

static inline bool op_entry_has_shape(const struct op_entry *e)
{
    return e->shape || e->outputs;
}

/* Applies the shape rule of E; false when it has none. */
bool op_entry_apply_shape(const struct op_entry *e, struct opctx *c);

/* Built from the constant tables once per computation. */
struct op_table {
    struct intern names;
    struct op_entry *entries; /* indexed by name id */
    size_t capacity;
};

void op_table_init(struct op_table *t);
void op_table_done(struct op_table *t);
/* The entry of the op type at *WORDS in the op set with PREFIX ("": TensorFlow's), created if needed;
 * advances to the next word.  Pointers to entries become invalid. */
struct op_entry *op_table_next(struct op_table *t, const char *prefix, const char **words);
/* The entry of OP in the op set with PREFIX: by its whole name, otherwise by the part after its last
 * dot.  An empty one when it is in no table. */
const struct op_entry *op_table_find_of_set(const struct op_table *t, const char *prefix,
                                            struct text op);
/* The entry of an op type; an empty one when it is in no table. */
const struct op_entry *op_table_find(const struct op_table *t, const char *op, size_t len);
