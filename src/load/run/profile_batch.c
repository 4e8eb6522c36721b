/* profile_batch.c: decodes ProfileNodes independently of the profile that they are added to
 * (semantics.md section 1.5). */
#include "load/run/profile_batch.h"

#include <string.h>

#include "load/bytes/elements.h"
#include "model/profile_fields.h"

void profile_batch_done(void *of)
{
    struct profile_batch *batch = of;

    EACH(vec_done, &batch->nodes, &batch->sources, &batch->texts, &batch->stacks, &batch->outputs,
         &batch->run_outputs, &batch->dims, &batch->execs, &batch->device_times, &batch->times,
         &batch->memories, &batch->buffers);
    EACH(vec_done, &batch->allocations, &batch->fields, &batch->numbers, &batch->source_indexes,
         &batch->input_indexes, &batch->scalars, &batch->step_records, &batch->exec_fields,
         &batch->types, &batch->devices);
    arena_done(&batch->pieces);
    err_done(&batch->err);
}

void profile_batch_clear(void *of)
{
    struct profile_batch *batch = of;

    batch->nodes.n = batch->n_decoded = 0;
    batch->sources.n = batch->texts.n = batch->stacks.n = 0;
    batch->outputs.n = batch->run_outputs.n = batch->dims.n = 0;
    batch->execs.n = batch->device_times.n = batch->times.n = 0;
    batch->memories.n = batch->buffers.n = batch->allocations.n = 0;
    arena_reset(&batch->pieces);
    err_done(&batch->err);
}

void profile_batch_add(struct profile_batch *batch, struct span entry, uint32_t ordinal)
{
    vec_push(&batch->nodes, ((struct profile_node){.entry = entry, .ordinal = ordinal}));
}

/* ---- decoding */

static bool is_list(const struct wire_field *f)
{
    switch (f->number) {
    case NODE_SHAPE:
    case OWN_NODE_SCALAR:
        return f->type == WIRE_LEN || f->type == WIRE_VARINT;
    case NODE_INPUT:
    case NODE_TYPE:
    case NODE_TRACE:
    case NODE_EXEC:
    case NODE_SOURCE_INDEX:
    case NODE_OUTPUT_SHAPE:
    case OWN_NODE_RUN_OUTPUT:
    case OWN_NODE_INPUT:
    case NODE_ATTR:
        return f->type == WIRE_LEN;
    default:
        return false;
    }
}

/* Decodes a field of NODE_COLUMNS; a number that its type cannot hold becomes 0. */
static void decode_column(struct profile_node *node, const struct wire_field *f)
{
#define DECODE_NUMBER(member, field_type, field)        \
    if (f->number == (field) && f->type == WIRE_VARINT) \
        node->member = (uint64_t)(field_type)f->value == f->value ? (field_type)f->value : 0;
#define DECODE_STRING(member, field_type, field)     \
    if (f->number == (field) && f->type == WIRE_LEN) \
        node->member = decode_text(field_span(f));
#define DECODE(member, type, kind, vector, part, stored, field) \
    STORED_##stored(DECODE_##kind(member, type, field))
    NODE_COLUMNS(DECODE)
}

/* Decodes a field that is not a list. */
static void decode_field(struct profile_node *node, const struct wire_field *f)
{
    decode_column(node, f);
    if (f->number == NODE_FLOAT_OPS && f->type == WIRE_VARINT)
        node->float_ops = (int64_t)f->value;
    else if (f->number == NODE_OP && f->type == WIRE_LEN)
        node->op = decode_text(field_span(f));
    else if (f->number == OWN_NODE_STATE && f->type == WIRE_VARINT)
        node->state = f->value <= STORED_STATES ? (uint8_t)f->value : 0;
}

/* Initialises strings to empty, for missing fields. */
static void clear_texts(struct profile_node *node, struct decoded_text empty)
{
#define CLEAR_NUMBER(member)
#define CLEAR_STRING(member) node->member = empty;
#define CLEAR(member, type, kind, vector, part, stored, field) \
    STORED_##stored(CLEAR_##kind(member))
    NODE_COLUMNS(CLEAR)
    node->op = empty;
}

/* Decodes scalar fields; lists go to batch->fields. */
static bool decode_head(struct profile_batch *batch, const struct loader *l,
                        struct profile_node *node, struct err *err)
{
    struct map_entry e;
    struct wire_field f;
    struct wire_in in;

    if (!load_map_entry(l, node->entry, &batch->pieces, &e, err))
        return false;
    node->is_replaced = idmap_get(&batch->names->ordinals, e.key) != node->ordinal;
    if (node->is_replaced)
        return true;
    if (node->entry.len > UINT32_MAX)
        return load_fail(l, node->entry.bytes, err, "node of more than 4 GiB");
    clear_texts(node, decode_text((struct span){e.value_span.bytes, 0}));
    batch->fields.n = 0;
    in = span_walk(e.value_span);
    for (size_t n = 1; wire_next(&in, &f); n++) {
        if (load_cancelled(l, n, err))
            return false;
        node->has_graph |=
            f.type == WIRE_LEN && (f.number == NODE_INPUT || f.number == NODE_ATTR);
        if (is_list(&f))
            vec_push(&batch->fields, f);
        else
            decode_field(node, &f);
    }
    return load_ended(l, &in, "profile node", err);
}

/* Decodes NODE up to a malformed field. */
static bool decode_node(struct profile_batch *batch, const struct loader *l,
                        struct profile_node *node, struct err *err)
{
    if (!decode_head(batch, l, node, err))
        return false;
    node->done |= PROFILE_HEAD;
    if (node->is_replaced)
        return true;
    if (!profile_graph_decode(batch, l, node, err))
        return false;
    node->done |= PROFILE_GRAPH;
    if (!profile_execs_decode(batch, l, node, err) ||
        !profile_run_outputs_decode(batch, l, node, err))
        return false;
    node->done |= PROFILE_RUN;
    return true;
}

void profile_batch_decode(struct profile_batch *batch, const struct loader *l,
                          const struct profile_names *names)
{
    batch->names = names;
    while (batch->n_decoded < batch->nodes.n &&
           decode_node(batch, l, &batch->nodes.data[batch->n_decoded], &batch->err))
        batch->n_decoded++;
}

/* ---- joining */

/* Passes on the error of decoding. */
static bool fail(struct profile_batch *batch, struct err *err)
{
    *err = batch->err;
    memset(&batch->err, 0, sizeof batch->err);
    return false;
}

static void join_head(struct builder *b, const struct loader *l, const struct profile_node *node,
                      node_id id)
{
    const struct node_def def = {.offset = (uint64_t)(node->entry.bytes - l->input.bytes),
                                 .len_bytes = (uint32_t)node->entry.len, .file = l->file,
                                 .form = NODE_FORM_PROFILENODE, .of_run = !node->has_graph};

    builder_set_def(b, id, def);
    builder_set_static_float_ops(b, id, node->float_ops);
#define JOIN_NUMBER(member) builder_set_##member(b, id, node->member);
#define JOIN_STRING(member) builder_set_##member(b, id, join_text(b, &node->member));
#define JOIN(member, type, kind, vector, part, stored, field) STORED_##stored(JOIN_##kind(member))
    NODE_COLUMNS(JOIN)
}

static void join_graph(struct profile_batch *batch, struct builder *b,
                       const struct profile_node *node, node_id id)
{
    for (size_t i = 0; i < node->sources.n; i++) {
        const struct decoded_source *s = &batch->sources.data[node->sources.first + i];

        builder_add_input(b, id, s->position, s->name, s->output_index, s->own_index);
    }
    builder_set_shape(b, id, shape_intern(b, &batch->dims, &node->shape));
    batch->types.n = 0;
    for (size_t i = 0; i < node->types.n; i++)
        vec_push(&batch->types, join_text(b, &batch->texts.data[node->types.first + i]));
    builder_set_types(b, id, batch->types.data, batch->types.n);
    for (size_t i = 0; i < node->outputs.n; i++) {
        const struct indexed_shape *o = &batch->outputs.data[node->outputs.first + i];

        builder_add_output(b, id, o->index, shape_intern(b, &batch->dims, &o->shape));
    }
}

static bool join_stack(const struct profile_batch *batch, struct loader *l,
                       const struct profile_node *node, node_id id, struct err *err)
{
    stack_id stack;

    l->stack_parts.n = 0;
    for (size_t i = 0; i < node->stack.n; i++)
        vec_push(&l->stack_parts, batch->stacks.data[node->stack.first + i]);
    if (!load_stack(l, &stack, err))
        return false;
    if (stack != STACK_NONE)
        builder_set_stack(l->builder, id, stack);
    return true;
}

static void join_run_outputs(const struct profile_batch *batch, struct loader *l,
                             const struct profile_node *node, node_id id)
{
    l->run_outputs.n = 0;
    for (size_t i = 0; i < node->run_outputs.n; i++) {
        const struct indexed_shape *o = &batch->run_outputs.data[node->run_outputs.first + i];

        vec_push(&l->run_outputs,
                 ((struct run_output){.slot = o->index,
                                      .shape = shape_intern(l->builder, &batch->dims, &o->shape)}));
    }
    if (l->run_outputs.n)
        builder_set_run_outputs(l->builder, id, l->run_outputs.data, l->run_outputs.n);
}

static bool join_node(struct profile_batch *batch, struct loader *l, struct profile_names *names,
                      const struct profile_node *node, struct err *err)
{
    bool added;
    node_id id;

    if (!(node->done & PROFILE_HEAD))
        return fail(batch, err);
    if (node->is_replaced)
        return true;
    if (!load_tick(l, node->entry.bytes, err))
        return false;
    id = builder_node(l->builder, names->names.data[node->ordinal],
                      join_text(l->builder, &node->op), &added);
    if (!added)
        return true;
    vec_push(&names->states, node->state);
    join_head(l->builder, l, node, id);
    if (!(node->done & PROFILE_GRAPH))
        return fail(batch, err);
    join_graph(batch, l->builder, node, id);
    if (!join_stack(batch, l, node, id, err))
        return false;
    if (!(node->done & PROFILE_RUN))
        return fail(batch, err);
    if (!profile_execs_join(batch, l, node, id, err))
        return false;
    join_run_outputs(batch, l, node, id);
    return true;
}

bool profile_batch_join(struct profile_batch *batch, struct loader *l,
                        struct profile_names *names, struct err *err)
{
    for (size_t i = 0; i < batch->nodes.n; i++) {
        if (!join_node(batch, l, names, &batch->nodes.data[i], err))
            return false;
        if (i < batch->n_decoded)
            continue;
        /* The malformed node is not needed. */
        err_done(&batch->err);
        batch->n_decoded++;
        profile_batch_decode(batch, l, names);
    }
    return true;
}
