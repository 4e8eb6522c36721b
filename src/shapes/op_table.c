/* op_table.c: indexes the tables of shape rules by op type. */
#include "shapes/op_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "shapes/shape_hints.h"
#include "shapes/shape_onnx.h"

struct op_entry *op_table_next(struct op_table *t, const char *prefix, const char **words)
{
    const size_t len = strcspn(*words, " ");
    struct strbuf name = {0};
    size_t capacity;
    strid id;

    sb_adds(&name, prefix);
    sb_add(&name, *words, len);
    id = intern_put(&t->names, sb_text(&name), name.len);
    sb_done(&name);
    if (id >= t->capacity) {
        capacity = 2 * t->capacity + 1024;
        t->entries = xreallocarray(t->entries, capacity, sizeof *t->entries);
        memset(t->entries + t->capacity, 0, (capacity - t->capacity) * sizeof *t->entries);
        t->capacity = capacity;
    }
    *words += len + ((*words)[len] == ' ');
    t->entries[id].id = id;
    return &t->entries[id];
}

/* Adds RULES for the op set with PREFIX, which their names lack. */
static void add_shapes(struct op_table *t, const char *prefix, const struct op_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            op_table_next(t, prefix, &words)->shape = rules;
}

static void add_written(struct op_table *t, const char *prefix, const struct written_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            op_table_next(t, prefix, &words)->outputs = rules->outputs;
}

static void add_values(struct op_table *t, const char *prefix, const struct op_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            op_table_next(t, prefix, &words)->value = rules;
}

static void add_hints(struct op_table *t, const struct op_rule *rules)
{
    for (; rules->ops; rules++)
        for (const char *words = rules->ops; *words;)
            op_table_next(t, "", &words)->hint = rules;
}

/* Adds operators that share the rules of TensorFlow operators. */
static void add_equivalents(struct op_table *t, const char *prefix, const struct op_like *rows,
                            bool are_shapes)
{
    for (; rows->op; rows++) {
        const struct op_entry like = *op_table_find(t, rows->like, strlen(rows->like));
        const char *words = rows->op;
        struct op_entry *e = op_table_next(t, prefix, &words);

        e->value = like.value;
        e->shape = are_shapes ? like.shape : e->shape;
    }
}

static void add_onnx(struct op_table *t)
{
    add_equivalents(t, ONNX_PREFIX, values_like_onnx, false);
    add_equivalents(t, ONNX_PREFIX, ops_like_onnx, true);
    add_written(t, ONNX_PREFIX, written_rules_onnx);
    add_shapes(t, ONNX_PREFIX, shape_rules_onnx);
    add_shapes(t, ONNX_PREFIX, shape_rules_onnx_layers);
    add_shapes(t, ONNX_PREFIX, shape_rules_onnx_windows);
    add_shapes(t, ONNX_PREFIX, shape_rules_onnx_moves);
    add_values(t, ONNX_PREFIX, value_rules_onnx);
}

void op_table_init(struct op_table *t)
{
    static const struct op_rule *const shapes[] = {
        shape_rules_elementwise, shape_rules_reduce, shape_rules_reshape, shape_rules_slice,
        shape_rules_given,       shape_rules_matrix, shape_rules_linalg,  shape_rules_conv,
        shape_rules_xla,         shape_rules_pool,   shape_rules_pad,     shape_rules_nn,
        shape_rules_image,       shape_rules_state,  shape_rules_list,    shape_rules_text,
        shape_rules_data,        shape_rules_flow,
    };

    memset(t, 0, sizeof *t);
    intern_init(&t->names);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_shapes(t, "", shapes[i]);
    add_written(t, "", written_rules);
    add_values(t, "", value_rules);
    add_values(t, "", value_rules_made);
    add_values(t, "", value_rules_math);
    add_hints(t, hint_rules);
    add_onnx(t);
}

void op_table_done(struct op_table *t)
{
    intern_done(&t->names);
    free(t->entries);
}

bool op_entry_apply_shape(const struct op_entry *e, struct opctx *c)
{
    if (e->outputs) {
        shape_written(c, e->outputs);
    } else if (e->shape) {
        c->arg = e->shape->arg;
        e->shape->apply(c);
    }
    return op_entry_has_shape(e);
}

const struct op_entry *op_table_find(const struct op_table *t, const char *op, size_t len)
{
    static const struct op_entry none = {.id = STRID_NONE};
    strid id = intern_find(&t->names, op, len);

    return id == STRID_NONE || id >= t->capacity ? &none : &t->entries[id];
}

const struct op_entry *op_table_find_of_set(const struct op_table *t, const char *prefix,
                                            struct text op)
{
    const char *dot = op.len ? memrchr(op.bytes, '.', op.len) : NULL;
    struct strbuf name = {0};
    const struct op_entry *e;

    sb_adds(&name, prefix);
    sb_add(&name, op.bytes, op.len);
    e = op_table_find(t, sb_text(&name), name.len);
    if (e->id == STRID_NONE && dot) {
        sb_clear(&name);
        sb_adds(&name, prefix);
        sb_add(&name, dot + 1, (size_t)(op.bytes + op.len - (dot + 1)));
        e = op_table_find(t, sb_text(&name), name.len);
    }
    sb_done(&name);
    return e;
}
