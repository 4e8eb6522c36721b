/* profileproto.c: profiles as they were stored (semantics.md section 1.5). */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/bytes/elements.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/graph/element_attr.h"
#include "load/run/profile_own.h"
#include "load/run/profile_scratch.h"
#include "model/last_wins.h"
#include "model/own_fields.h"
#include "proto/tfprof.pb-c.h"

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

/* ---- nodes and the file */

/* NODE is what the map's ENTRY holds, number ORDINAL of them. */
static bool add_node(struct loader *l, const struct profile_names *names, uint32_t ordinal,
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

/* Names that were met and wait for the memory which their search will touch. */
struct met_names {
    struct met_name {
        int64_t id;
        struct span name;
        uint32_t hash;
    } of[16];
    size_t n;
};

static void add_names(struct loader *l, struct met_names *met, struct profile_names *names)
{
    for (size_t i = 0; i < met->n; i++) {
        const struct met_name *m = &met->of[i];

        idmap_put(&names->ordinals, m->id, (uint32_t)names->names.n, 0);
        vec_push(&names->names,
                 builder_str_hashed(l->builder, m->name.bytes, m->name.len, m->hash));
    }
    met->n = 0;
}

/* Takes the name of the ProfileNode ID. */
static bool meet_name(struct loader *l, int64_t id, struct span node, struct met_names *met,
                      struct err *err)
{
    struct met_name *m = &met->of[met->n++];
    struct wire_in in = span_walk(node);
    struct wire_field f;

    *m = (struct met_name){.id = id, .name = {node.bytes, 0}};
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN)
            m->name = field_span(&f);
    m->hash = intern_hash(m->name.bytes, m->name.len);
    builder_prefetch(l->builder, m->hash);
    return load_ended(l, &in, "profile node", err);
}

/* First walk: everything that nodes refer to. */
static bool read_references(struct loader *l, struct profile_names *names, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct wire_in in = span_walk(l->input);
    struct met_names met = {.n = 0};
    struct map_entry e;
    struct wire_field f;

    l->dims.n = 0;
    while (wire_next(&in, &f)) {
        if (met.n == sizeof met.of / sizeof *met.of)
            add_names(l, &met, names);
        if (f.number == 1 && f.type == WIRE_LEN) {
            if (!load_map_entry(l, field_span(&f), &l->pieces, &e, err) ||
                !meet_name(l, e.key, e.value_span, &met, err))
                return false;
        } else if (f.number == 2 && f.type == WIRE_VARINT) {
            p->has_trace = f.value != 0;
        } else if (f.number == 3 && !load_numbers(l, &f, err)) {
            return false;
        } else if (f.number == 4 && f.type == WIRE_LEN &&
                   !load_id_string(l, field_span(&f), err)) {
            return false;
        } else if (f.number == OWN_CALL_SITE && f.type == WIRE_LEN) {
            vec_push(&names->sites, field_span(&f));
        } else if (f.number == OWN_PRODUCER && f.type == WIRE_VARINT) {
            p->producer = f.value <= INT32_MAX ? (int32_t)f.value : 0;
        } else if (f.number == OWN_COUNT_RULES && f.type == WIRE_VARINT) {
            p->stored_rules = f.value <= STORED_RULES ? (unsigned)f.value : 0;
        }
    }
    add_names(l, &met, names);
    for (size_t i = 0; i < l->dims.n; i++)
        builder_add_step(l->builder, l->dims.data[i]);
    p->has_runtime = l->dims.n > 0;
    return load_ended(l, &in, "profile", err);
}

/* An entry of the map of nodes; the order of a map means nothing. */
struct stored_entry {
    int64_t id;
    uint32_t ordinal;
    struct span entry;
};

static int compare_entries(const void *x, const void *y)
{
    const struct stored_entry *a = x;
    const struct stored_entry *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

/* Second walk.  Where bodies of functions stand, nodes come in the order of their ids. */
static bool add_nodes(struct loader *l, const struct profile_names *names, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    VEC(struct stored_entry) entries = {0};
    uint32_t ordinal = 0;
    bool ok = true;
    struct map_entry e;
    struct wire_field f;

    while (ok && wire_next(&in, &f)) {
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        ok = load_map_entry(l, field_span(&f), &l->pieces, &e, err);
        if (!ok || idmap_get(&names->ordinals, e.key) != ordinal++)
            continue;
        if (names->sites.n)
            vec_push(&entries, ((struct stored_entry){e.key, ordinal - 1, field_span(&f)}));
        else
            ok = add_node(l, names, ordinal - 1, field_span(&f), e.value_span, err);
    }
    vec_sort(&entries, compare_entries);
    for (size_t i = 0; ok && i < entries.n; i++)
        ok = load_map_entry(l, entries.data[i].entry, &l->pieces, &e, err) &&
             add_node(l, names, entries.data[i].ordinal, entries.data[i].entry, e.value_span, err);
    vec_done(&entries);
    return ok;
}

static void free_scratch(void *data)
{
    struct profile_scratch *s = data;

    vec_done(&s->fields);
    vec_done(&s->types);
    vec_done(&s->source_indexes);
    vec_done(&s->input_indexes);
    vec_done(&s->step_records);
    vec_done(&s->scalars);
    vec_done(&s->states);
    vec_done(&s->exec_fields);
    vec_done(&s->device_times);
    vec_done(&s->memories);
    vec_done(&s->buffers);
    vec_done(&s->allocations);
    vec_done(&s->devices);
    free(s);
}

static void begin_scratch(struct loader *l)
{
    if (!l->profile) {
        l->profile = xcalloc(1, sizeof *l->profile);
        loader_keep(l, l->profile, free_scratch);
    }
    l->profile->states.n = 0;
}

/* Adds all of the binary ProfileProto that is l->input. */
static bool load_profileproto(struct loader *l, struct err *err)
{
    struct profile_names names = {0};
    bool done;

    load_stacks_begin(l);
    begin_scratch(l);
    done = read_references(l, &names, err) && add_nodes(l, &names, err);
    if (done) {
        profile_own_sites(l, &names);
        profile_own_states(l);
    }
    idmap_done(&names.ordinals);
    vec_done(&names.names);
    vec_done(&names.sites);
    return done;
}

const struct format_row format_profile = {
    .name = "ProfileProto",
    .help = "a graph with steps, types, counts and call stacks in one file: what -output "
            "profile writes",
    .binary_name = "ProfileProto, binary",
    .text_name = "ProfileProto, text",
    .contents = CONTAINS_PROFILE,
    .load_order = 10,
    .detect_order = 10,
    .keep_bytes = true,
    .fits = fits_profile,
    .message = &tfp__profile_proto__descriptor,
    .load = load_profileproto,
};
