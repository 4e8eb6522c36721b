/* model_rows.c: rows, totals and summaries of models whose formats have their own decoders. */
#include "load/graph/model_rows.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"

bool model_rows_init(struct model_rows *m, struct loader *l, const char *prefix,
                     const struct element_type *types, uint8_t n_types, struct err *err)
{
    *m = (struct model_rows){.l = l, .b = l->builder, .types = types, .n_types = n_types};
    row_paths_init(&m->paths, l->builder);
    if (builder_n_nodes(l->builder))
        return err_set(err, ERR_USAGE, "%s: cannot be combined with another graph", l->path);
    builder_profile(l->builder)->op_set = prefix;
    return true;
}

void model_rows_done(struct model_rows *m)
{
    row_paths_done(&m->paths);
    sb_done(&m->text);
}

node_id model_row(struct model_rows *m, strid path, strid op, struct span message,
                  enum node_form form)
{
    const struct node_def def = {.offset = (uint64_t)(message.bytes - m->l->input.bytes),
                                 .len_bytes = (uint32_t)message.len, .file = m->l->file,
                                 .form = (uint8_t)form};
    bool added;
    const node_id node = builder_node(m->b, path, op, &added);

    if (message.len <= UINT32_MAX && load_in_input(m->l, message.bytes))
        builder_set_def(m->b, node, def);
    return node;
}

/* ---- tensors */

int64_t model_elements(struct model_rows *m, const int64_t *dims, size_t n)
{
    int64_t product = 1;

    for (size_t i = 0; i < n; i++)
        if (dims[i] <= 0)
            return 0;
    for (size_t i = 0; i < n; i++)
        product = sat_mul(product, dims[i], &m->saturated);
    return product;
}

void model_tensor_set(struct model_rows *m, node_id node, const struct model_tensor *t)
{
    const struct element_type *type = &m->types[t->type];
    int64_t *of = m->of_type[t->type];

    of[0]++;
    of[1] = clamp_add(of[1], t->is_constant ? 0 : t->n_elements);
    of[2] = clamp_add(of[2], t->bytes);
    sb_clear(&m->text);
    sb_addf(&m->text, "_%s", type->name);
    builder_add_type(m->b, node, builder_str(m->b, sb_text(&m->text), m->text.len));
    builder_add_output(m->b, node, 0, t->shape);
    builder_set_element_bits(m->b, node, type->bits);
    if (t->is_constant)
        return;
    builder_set_shape(m->b, node, t->shape);
    if (t->own_bytes)
        builder_set_stored_bytes(m->b, node, t->own_bytes);
}

/* ---- names in runs */

void model_name_in_runs(struct loader *l, const void *key, size_t len, node_id node)
{
    struct run_names *names = &l->run_names;

    names->is_used = true;
    if (intern_put(&names->names, key, len) == names->node_of_name.n + 1)
        vec_push(&names->node_of_name, node);
}

void model_value_in_runs(struct loader *l, struct span value, node_id node)
{
    struct run_names *names = &l->run_names;

    if (value.len &&
        intern_put(&names->values, value.bytes, value.len) == names->producer_of_value.n + 1)
        vec_push(&names->producer_of_value, node);
}

/* ---- the summary */

void model_fact(struct model_rows *m, const char *key, enum file_fact_kind kind, struct span name,
                struct span text)
{
    struct file_fact fact = {.key = key, .kind = (uint8_t)kind, .file = m->l->file};

    fact.name = builder_str(m->b, name.len ? name.bytes : (const uint8_t *)"", name.len);
    fact.text = builder_str(m->b, text.len ? text.bytes : (const uint8_t *)"", text.len);
    builder_add_file_fact(m->b, fact);
}

void model_number(struct model_rows *m, const char *key, int64_t number)
{
    builder_add_file_fact(m->b, (struct file_fact){.key = key, .kind = FACT_NUMBER,
                                                   .file = m->l->file, .number = {number}});
}

void model_type_facts(struct model_rows *m)
{
    for (int i = 0; i < m->n_types; i++) {
        struct file_fact fact = {.key = "dtypes", .kind = FACT_TENSORS, .file = m->l->file};

        if (!m->of_type[i][0])
            continue;
        fact.name = builder_str(m->b, m->types[i].name, strlen(m->types[i].name));
        memcpy(fact.number, m->of_type[i], sizeof fact.number);
        builder_add_file_fact(m->b, fact);
    }
}

void model_note(struct model_rows *m, int64_t n, const char *one, const char *many)
{
    if (n)
        note_add(&builder_profile(m->b)->notes, "%s: %" PRId64 " %s", m->l->path, n, n == 1 ? one : many);
}
