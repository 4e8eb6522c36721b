/* profile_node.c: one ProfileNode of a stored profile (semantics.md section 1.5). */
#include "load/run/profile_node.h"

#include <stdlib.h>

#include "load/bytes/elements.h"
#include "load/graph/element_attr.h"
#include "load/run/profile_scratch.h"
#include "model/last_wins.h"
#include "model/own_fields.h"

/* What is read of a ProfileNode beside its name; its lists are in loader.fields. */
struct node_parts {
    struct span op, device, host_device;
    int64_t float_ops;
    uint8_t state;  /* of float_ops, + 1; 0: not said */
    uint8_t element_bits;
    bool has_graph; /* inputs or attributes, which a run does not tell of */
};

enum {
    NODE_INPUT = 2,
    NODE_SHAPE = 4,
    NODE_TYPE = 5,
    NODE_TRACE = 10,
    NODE_ATTR = 11,
    NODE_EXEC = 12,
    NODE_SOURCE_INDEX = 14,
    NODE_OUTPUT_SHAPE = 15,
};

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

static bool read_node(struct loader *l, struct span node, struct node_parts *parts,
                      struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct span empty = {node.bytes, 0};
    struct wire_in in = span_walk(node);
    struct wire_field f;

    *parts = (struct node_parts){.op = empty, .device = empty, .host_device = empty};
    s->fields.n = 0;
    while (wire_next(&in, &f)) {
        parts->has_graph |= f.type == WIRE_LEN && (f.number == NODE_INPUT || f.number == NODE_ATTR);
        if (is_list(&f))
            vec_push(&s->fields, f);
        else if (f.number == 6 && f.type == WIRE_LEN)
            parts->device = field_span(&f);
        else if (f.number == 7 && f.type == WIRE_LEN)
            parts->host_device = field_span(&f);
        else if (f.number == 8 && f.type == WIRE_VARINT)
            parts->float_ops = (int64_t)f.value;
        else if (f.number == 9 && f.type == WIRE_LEN)
            parts->op = field_span(&f);
        else if (f.number == OWN_NODE_ELEMENT_BITS && f.type == WIRE_VARINT)
            parts->element_bits = f.value <= UINT8_MAX ? (uint8_t)f.value : 0;
        else if (f.number == OWN_NODE_STATE && f.type == WIRE_VARINT)
            parts->state = f.value <= STORED_STATES ? (uint8_t)f.value : 0;
    }
    return load_ended(l, &in, "profile node", err);
}

/* ---- inputs */

static int compare_ids(const void *x, const void *y)
{
    const struct source_index *a = x;
    const struct source_index *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

static const struct source_index *find_index(const struct source_index *indexes, size_t n,
                                             int64_t id)
{
    const struct source_index key = {.id = id};

    return n ? bsearch(&key, indexes, n, sizeof key, compare_ids) : NULL;
}

/* src_output_index, sorted by producer, into l->profile->source_indexes. */
static bool read_source_indexes(struct loader *l, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct map_entry e;

    s->source_indexes.n = 0;
    for (size_t i = 0; i < s->fields.n; i++) {
        if (s->fields.data[i].number != NODE_SOURCE_INDEX)
            continue;
        if (!load_map_entry(l, field_span(&s->fields.data[i]), NULL, &e, err))
            return false;
        vec_push(&s->source_indexes, ((struct source_index){e.key, (int32_t)e.value}));
    }
    s->source_indexes.n = sort_last_wins(s->source_indexes.data, s->source_indexes.n,
                                         sizeof *s->source_indexes.data, compare_ids);
    return true;
}

/* Inputs of which more is stored than of their sources, sorted by position, into
 * l->profile->input_indexes. */
static bool read_input_indexes(struct loader *l, struct err *err)
{
    struct profile_scratch *s = l->profile;

    s->input_indexes.n = 0;
    l->dims.n = 0;
    for (size_t i = 0; i < s->fields.n; i++)
        if (s->fields.data[i].number == OWN_NODE_INPUT &&
            !load_numbers(l, &s->fields.data[i], err))
            return false;
    for (size_t i = 0; i + 1 < l->dims.n; i += 2)
        vec_push(&s->input_indexes,
                 ((struct source_index){l->dims.data[i], l->dims.data[i + 1] == OWN_CONTROL
                                                             ? INPUT_CONTROL
                                                             : (int32_t)l->dims.data[i + 1]}));
    s->input_indexes.n = sort_last_wins(s->input_indexes.data, s->input_indexes.n,
                                        sizeof *s->input_indexes.data, compare_ids);
    return true;
}

/* Inputs whose producer is not in the profile are left out. */
static bool add_inputs(struct loader *l, const struct profile_names *names, node_id node, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct map_entry e;

    if (!read_source_indexes(l, err) || !read_input_indexes(l, err))
        return false;
    for (size_t i = 0; i < s->fields.n; i++) {
        const struct source_index *found, *own;
        uint32_t source;

        if (s->fields.data[i].number != NODE_INPUT)
            continue;
        if (!load_map_entry(l, field_span(&s->fields.data[i]), NULL, &e, err))
            return false;
        source = idmap_get(&names->ordinals, e.value);
        if (source == IDMAP_NONE)
            continue;
        found = find_index(s->source_indexes.data, s->source_indexes.n, e.value);
        own = find_index(s->input_indexes.data, s->input_indexes.n, e.key);
        builder_add_input(l->builder, node, (int32_t)e.key, names->names.data[source],
                          found ? found->index : 0,
                          own ? own->index : found ? found->index : 0);
    }
    return true;
}

/* ---- shapes, types, traces */

bool load_tuple(struct loader *l, struct span tuple, struct err *err)
{
    struct wire_in in = span_walk(tuple);
    struct wire_field f;

    l->dims.n = 0;
    while (wire_next(&in, &f))
        if (f.number == 1 && !load_numbers(l, &f, err))
            return false;
    return load_ended(l, &in, "list of numbers", err);
}

static int compare_indexes(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x;
    const int64_t b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* Which stored shapes are scalars', sorted, into l->profile->scalars. */
static void read_scalars(struct loader *l)
{
    struct profile_scratch *s = l->profile;

    s->scalars.n = 0;
    for (size_t i = 0; i < s->fields.n; i++) {
        const uint8_t *at = NULL;
        uint64_t value;

        while (s->fields.data[i].number == OWN_NODE_SCALAR &&
               wire_next_number(&s->fields.data[i], WIRE_VARINT, &at, &value))
            vec_push(&s->scalars, (int64_t)value);
    }
    vec_sort(&s->scalars, compare_indexes);
}

/* True when the shape [1] of output INDEX, or SCALAR_SHAPE, is said to be a scalar's. */
static bool is_scalar(const struct loader *l, int64_t index)
{
    struct profile_scratch *s = l->profile;

    return s->scalars.n && l->dims.n == 1 && l->dims.data[0] == 1 &&
           bsearch(&index, s->scalars.data, s->scalars.n, sizeof index, compare_indexes);
}

static shape_id shape_of_dims(struct loader *l, int64_t index)
{
    return is_scalar(l, index) ? SHAPE_SCALAR
                               : builder_shape(l->builder, l->dims.data, l->dims.n);
}

static bool add_output_shape(struct loader *l, node_id node, struct span entry, struct err *err)
{
    struct map_entry e;

    if (!load_map_entry(l, entry, &l->pieces, &e, err) || !load_tuple(l, e.value_span, err))
        return false;
    builder_add_output(l->builder, node, (int32_t)e.key, shape_of_dims(l, (int32_t)e.key));
    return true;
}

static bool set_shape(struct loader *l, node_id node, struct err *err)
{
    struct profile_scratch *s = l->profile;

    l->dims.n = 0;
    for (size_t i = 0; i < s->fields.n; i++)
        if (s->fields.data[i].number == NODE_SHAPE && !load_numbers(l, &s->fields.data[i], err))
            return false;
    builder_set_shape(l->builder, node, shape_of_dims(l, SCALAR_SHAPE));
    return true;
}

/* By its attributes; OWN is for nodes that have none. */
static bool set_element_bits(struct loader *l, node_id node, uint8_t own, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct element_attr element = {.rank = 0};
    struct map_entry e;

    for (size_t i = 0; i < s->fields.n; i++) {
        if (s->fields.data[i].number != NODE_ATTR)
            continue;
        if (!load_map_entry(l, field_span(&s->fields.data[i]), &l->pieces, &e, err))
            return false;
        element_attr_note(&element, e.key_span, e.value_span);
    }
    builder_set_element_bits(l->builder, node,
                             element.rank ? element_attr_bits(&element, &l->pieces) : own);
    return true;
}

/* Types, call stack and output shapes. */
static bool add_lists(struct loader *l, node_id node, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct builder *b = l->builder;
    trace_id trace;

    s->types.n = l->stack_parts.n = 0;
    for (size_t i = 0; i < s->fields.n; i++) {
        struct span value = field_span(&s->fields.data[i]);

        if (s->fields.data[i].number == NODE_TYPE)
            vec_push(&s->types, builder_str(b, value.bytes, value.len));
        else if (s->fields.data[i].number == NODE_TRACE)
            vec_push(&l->stack_parts,
                     ((struct stack_part){value, intern_hash(value.bytes, value.len)}));
        else if (s->fields.data[i].number == NODE_OUTPUT_SHAPE &&
                 !add_output_shape(l, node, value, err))
            return false;
    }
    builder_set_types(b, node, s->types.data, s->types.n);
    if (!load_stack(l, &trace, err))
        return false;
    if (trace != TRACE_NONE)
        builder_set_trace(b, node, trace);
    return true;
}

/* ---- executions */

static int compare_steps(const void *x, const void *y)
{
    const struct step_record *a = x;
    const struct step_record *b = y;

    return (a->step > b->step) - (a->step < b->step);
}

static bool add_execs(struct loader *l, node_id node, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct map_entry e;

    s->step_records.n = 0;
    for (size_t i = 0; i < s->fields.n; i++) {
        if (s->fields.data[i].number != NODE_EXEC)
            continue;
        if (!load_map_entry(l, field_span(&s->fields.data[i]), &l->pieces, &e, err))
            return false;
        vec_push(&s->step_records, ((struct step_record){e.key, e.value_span}));
    }
    s->step_records.n = sort_last_wins(s->step_records.data, s->step_records.n,
                                       sizeof *s->step_records.data, compare_steps);
    for (size_t i = 0; i < s->step_records.n; i++)
        if (!load_exec_profile(l, node, s->step_records.data[i].step,
                               s->step_records.data[i].record, err))
            return false;
    return true;
}

/* ---- the node */

bool profile_add_node(struct loader *l, const struct profile_names *names, uint32_t ordinal,
                      struct span entry, struct span node, struct err *err)
{
    struct profile_scratch *s = l->profile;
    struct builder *b = l->builder;
    struct node_def def = {.offset = (uint64_t)(entry.bytes - l->input.bytes),
                           .len_bytes = (uint32_t)entry.len,
                           .file = l->file,
                           .form = NODE_FORM_PROFILENODE};
    struct node_parts parts;
    bool added;
    node_id id;

    if (entry.len > UINT32_MAX)
        return load_fail(l, entry.bytes, err, "node of more than 4 GiB");
    if (!load_pace(l, entry.bytes, err) || !read_node(l, node, &parts, err))
        return false;
    id = builder_node(b, names->names.data[ordinal],
                      builder_str(b, parts.op.bytes, parts.op.len), &added);
    if (!added)
        return true;
    vec_push(&s->states, parts.state);
    def.of_run = !parts.has_graph;
    builder_set_def(b, id, def);
    builder_set_float_ops(b, id, parts.float_ops);
    builder_set_device(b, id, builder_str(b, parts.device.bytes, parts.device.len),
                       builder_str(b, parts.host_device.bytes, parts.host_device.len));
    read_scalars(l);
    return add_inputs(l, names, id, err) && set_shape(l, id, err) &&
           set_element_bits(l, id, parts.element_bits, err) && add_lists(l, id, err) &&
           add_execs(l, id, err) && profile_own_run_outputs(l, id, err);
}
