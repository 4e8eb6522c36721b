/* count_table.c: indexes the tables of counting rules by op type. */
#include "flops/count_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "shapes/shape_onnx.h"

/* As op_table_next(). */
static struct count_entry *next_entry(struct count_table *t, struct op_table *ops,
                                      const char *prefix, const char **words)
{
    const strid id = op_table_next(ops, prefix, words)->id;

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
            struct count_entry *e = next_entry(t, ops, "", &words);

            e->compat = &rules->rule;
            e->since = rules->since;
        }
}

static void add_full(struct count_table *t, struct op_table *ops, const struct count_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            next_entry(t, ops, "", &words)->full = rules;
}

/* Sets compat and full counts of the op type at *WORDS in the op set PREFIX. */
static void set_both(struct count_table *t, struct op_table *ops, const char *prefix,
                     const char **words, const struct count_rule *rule)
{
    struct count_entry *e = next_entry(t, ops, prefix, words);

    e->compat = e->full = rule;
    e->since = FLOPS_SINCE_COUNT;
}

/* Adds RULES for the op set PREFIX, which their names lack. */
static void add_op_set(struct count_table *t, struct op_table *ops, const char *prefix,
                       const struct count_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            set_both(t, ops, prefix, &words, rules);
}

/* Adds operators that count like operators of TensorFlow. */
static void add_equivalents(struct count_table *t, struct op_table *ops, const char *prefix,
                            const struct op_like *rows)
{
    for (; rows->op; rows++) {
        const char *word = rows->op, *like = rows->like;

        set_both(t, ops, prefix, &word, next_entry(t, ops, "", &like)->full);
    }
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
    add_equivalents(t, ops, ONNX_PREFIX, ops_like_onnx);
    add_op_set(t, ops, ONNX_PREFIX, count_rules_onnx);
    add_op_set(t, ops, "tflite:", count_rules_tflite);
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

/* ---- counting of one node */

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
