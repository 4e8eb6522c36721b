/* count_table.c: gathers the rows of the tables of counts by op type. */
#include "flops/count_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static struct count_entry *next_entry(struct count_table *t, struct op_table *ops,
                                      const char **words)
{
    const strid id = op_table_next(ops, words)->id;

    if (id >= t->n) {
        t->entries = xreallocarray(t->entries, ops->capacity, sizeof *t->entries);
        memset(t->entries + t->n, 0, (ops->capacity - t->n) * sizeof *t->entries);
        t->n = ops->capacity;
    }
    return &t->entries[id];
}

static void add_compat(struct count_table *t, struct op_table *ops, const struct statistic *rules)
{
    for (; rules->rule.ops; rules++)
        for (const char *words = rules->rule.ops; *words;) {
            struct count_entry *e = next_entry(t, ops, &words);

            e->compat = &rules->rule;
            e->since = rules->since;
        }
}

static void add_full(struct count_table *t, struct op_table *ops, const struct count_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            next_entry(t, ops, &words)->full = rules;
}

void count_table_init(struct count_table *t, struct op_table *ops, enum flops_release release)
{
    static const struct count_rule *const full[] = {
        count_rules_elementwise, count_rules_matrix, count_rules_conv,
        count_rules_nn,          count_rules_other,
    };

    *t = (struct count_table){.release = release};
    add_compat(t, ops, count_rules_compat);
    for (size_t i = 0; i < sizeof full / sizeof *full; i++)
        add_full(t, ops, full[i]);
}

void count_table_done(struct count_table *t)
{
    free(t->entries);
}

const struct count_entry *count_table_find(const struct count_table *t, const struct op_entry *op)
{
    static const struct count_entry none = {0};

    return op->id < t->n ? &t->entries[op->id] : &none;
}
