/* profileproto.c: profiles as they were stored (semantics.md section 1.5). */
#include "load/run/profileproto.h"

#include <stdlib.h>
#include <string.h>

#include "load/bytes/elements.h"
#include "model/last_wins.h"

/* The nodes of a profile name each other by id: what a first walk finds out. */
struct names {
    struct idmap ordinals; /* id -> number of its entry; the last entry of an id counts */
    VEC(strid) names;      /* by number */
};

/* What is read of a ProfileNode; its lists are in loader.fields. */
struct node_parts {
    struct span name, op, device, host_device;
    int64_t float_ops;
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
        return f->type == WIRE_LEN || f->type == WIRE_VARINT;
    case NODE_INPUT:
    case NODE_TYPE:
    case NODE_TRACE:
    case NODE_EXEC:
    case NODE_SOURCE_INDEX:
    case NODE_OUTPUT_SHAPE:
        return f->type == WIRE_LEN;
    default:
        return false;
    }
}

static bool read_node(struct loader *l, struct span node, struct node_parts *parts,
                      struct err *err)
{
    struct span empty = {node.bytes, 0};
    struct wire_in in = span_walk(node);
    struct wire_field f;

    *parts = (struct node_parts){empty, empty, empty, empty, 0, false};
    l->fields.n = 0;
    while (wire_next(&in, &f)) {
        parts->has_graph |= f.type == WIRE_LEN && (f.number == NODE_INPUT || f.number == NODE_ATTR);
        if (is_list(&f))
            vec_push(&l->fields, f);
        else if (f.number == 1 && f.type == WIRE_LEN)
            parts->name = field_span(&f);
        else if (f.number == 6 && f.type == WIRE_LEN)
            parts->device = field_span(&f);
        else if (f.number == 7 && f.type == WIRE_LEN)
            parts->host_device = field_span(&f);
        else if (f.number == 8 && f.type == WIRE_VARINT)
            parts->float_ops = (int64_t)f.value;
        else if (f.number == 9 && f.type == WIRE_LEN)
            parts->op = field_span(&f);
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

/* src_output_index, sorted by producer, into l->source_indexes. */
static bool read_source_indexes(struct loader *l, struct err *err)
{
    struct map_entry e;

    l->source_indexes.n = 0;
    for (size_t i = 0; i < l->fields.n; i++) {
        if (l->fields.data[i].number != NODE_SOURCE_INDEX)
            continue;
        if (!load_map_entry(l, field_span(&l->fields.data[i]), NULL, &e, err))
            return false;
        vec_push(&l->source_indexes, ((struct source_index){e.key, (int32_t)e.value}));
    }
    l->source_indexes.n = sort_last_wins(l->source_indexes.data, l->source_indexes.n,
                                         sizeof *l->source_indexes.data, compare_ids);
    return true;
}

/* Inputs whose producer is not in the profile are left out. */
static bool add_inputs(struct loader *l, const struct names *names, node_id node, struct err *err)
{
    struct map_entry e;

    if (!read_source_indexes(l, err))
        return false;
    for (size_t i = 0; i < l->fields.n; i++) {
        const struct source_index *found = NULL;
        struct source_index key;
        uint32_t source;

        if (l->fields.data[i].number != NODE_INPUT)
            continue;
        if (!load_map_entry(l, field_span(&l->fields.data[i]), NULL, &e, err))
            return false;
        source = idmap_get(&names->ordinals, e.value);
        if (source == IDMAP_NONE)
            continue;
        key.id = e.value;
        if (l->source_indexes.n)
            found = bsearch(&key, l->source_indexes.data, l->source_indexes.n, sizeof key,
                            compare_ids);
        builder_add_input(l->builder, node, (int32_t)e.key, names->names.data[source],
                          found ? found->index : 0, found ? found->index : 0);
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

static bool add_output_shape(struct loader *l, node_id node, struct span entry, struct err *err)
{
    struct map_entry e;

    if (!load_map_entry(l, entry, &l->pieces, &e, err) || !load_tuple(l, e.value_span, err))
        return false;
    builder_add_output(l->builder, node, (int32_t)e.key,
                       builder_shape(l->builder, l->dims.data, l->dims.n));
    return true;
}

static bool set_shape(struct loader *l, node_id node, struct err *err)
{
    l->dims.n = 0;
    for (size_t i = 0; i < l->fields.n; i++)
        if (l->fields.data[i].number == NODE_SHAPE && !load_numbers(l, &l->fields.data[i], err))
            return false;
    builder_set_shape(l->builder, node, builder_shape(l->builder, l->dims.data, l->dims.n));
    return true;
}

/* Types, call stack and output shapes. */
static bool add_lists(struct loader *l, node_id node, struct err *err)
{
    struct builder *b = l->builder;
    trace_id trace;

    l->types.n = l->stack_parts.n = 0;
    for (size_t i = 0; i < l->fields.n; i++) {
        struct span value = field_span(&l->fields.data[i]);

        if (l->fields.data[i].number == NODE_TYPE)
            vec_push(&l->types, builder_str(b, value.bytes, value.len));
        else if (l->fields.data[i].number == NODE_TRACE)
            vec_push(&l->stack_parts,
                     ((struct stack_part){value, intern_hash(value.bytes, value.len)}));
        else if (l->fields.data[i].number == NODE_OUTPUT_SHAPE &&
                 !add_output_shape(l, node, value, err))
            return false;
    }
    builder_set_types(b, node, l->types.data, l->types.n);
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
    struct map_entry e;

    l->step_records.n = 0;
    for (size_t i = 0; i < l->fields.n; i++) {
        if (l->fields.data[i].number != NODE_EXEC)
            continue;
        if (!load_map_entry(l, field_span(&l->fields.data[i]), &l->pieces, &e, err))
            return false;
        vec_push(&l->step_records, ((struct step_record){e.key, e.value_span}));
    }
    l->step_records.n = sort_last_wins(l->step_records.data, l->step_records.n,
                                       sizeof *l->step_records.data, compare_steps);
    for (size_t i = 0; i < l->step_records.n; i++)
        if (!load_exec_profile(l, node, l->step_records.data[i].step,
                               l->step_records.data[i].record, err))
            return false;
    return true;
}

/* ---- nodes and the file */

/* NODE is what the map's ENTRY holds. */
static bool add_node(struct loader *l, const struct names *names, struct span entry,
                     struct span node, struct err *err)
{
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
    id = builder_node(b, builder_str(b, parts.name.bytes, parts.name.len),
                      builder_str(b, parts.op.bytes, parts.op.len), &added);
    if (!added)
        return true;
    def.of_run = !parts.has_graph;
    builder_set_def(b, id, def);
    builder_set_float_ops(b, id, parts.float_ops);
    builder_set_device(b, id, builder_str(b, parts.device.bytes, parts.device.len),
                       builder_str(b, parts.host_device.bytes, parts.host_device.len));
    return add_inputs(l, names, id, err) && set_shape(l, id, err) && add_lists(l, id, err) &&
           add_execs(l, id, err);
}

/* The name of a ProfileNode. */
static bool read_name(struct loader *l, struct span node, strid *name, struct err *err)
{
    struct wire_in in = span_walk(node);
    struct span text = {node.bytes, 0};
    struct wire_field f;

    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN)
            text = field_span(&f);
    *name = builder_str(l->builder, text.bytes, text.len);
    return load_ended(l, &in, "profile node", err);
}

/* First walk: everything that nodes refer to. */
static bool read_references(struct loader *l, struct names *names, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct wire_in in = span_walk(l->input);
    struct map_entry e;
    struct wire_field f;
    strid name;

    l->dims.n = 0;
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_LEN) {
            if (!load_map_entry(l, field_span(&f), &l->pieces, &e, err) ||
                !read_name(l, e.value_span, &name, err))
                return false;
            idmap_put(&names->ordinals, e.key, (uint32_t)names->names.n, 0);
            vec_push(&names->names, name);
        } else if (f.number == 2 && f.type == WIRE_VARINT) {
            p->has_trace = f.value != 0;
        } else if (f.number == 3 && !load_numbers(l, &f, err)) {
            return false;
        } else if (f.number == 4 && f.type == WIRE_LEN &&
                   !load_id_string(l, field_span(&f), err)) {
            return false;
        }
    }
    for (size_t i = 0; i < l->dims.n; i++)
        builder_add_step(l->builder, l->dims.data[i]);
    p->has_runtime = l->dims.n > 0;
    return load_ended(l, &in, "profile", err);
}

/* Second walk. */
static bool add_nodes(struct loader *l, const struct names *names, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    uint32_t ordinal = 0;
    struct map_entry e;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        if (!load_map_entry(l, field_span(&f), &l->pieces, &e, err))
            return false;
        if (idmap_get(&names->ordinals, e.key) == ordinal++ &&
            !add_node(l, names, field_span(&f), e.value_span, err))
            return false;
    }
    return true;
}

bool load_profileproto(struct loader *l, struct err *err)
{
    struct names names = {{NULL, 0, 0}, {NULL, 0, 0}};
    bool done;

    load_stacks_begin(l);
    done = read_references(l, &names, err) && add_nodes(l, &names, err);

    idmap_done(&names.ordinals);
    vec_done(&names.names);
    return done;
}
