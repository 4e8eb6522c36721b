/* profile_node.c: decodes the lists of a stored node: inputs, shapes, types and call stack
 * (semantics.md section 1.5), and our own fields. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/stable_sort.h"
#include "load/bytes/elements.h"
#include "load/graph/shape.h"
#include "load/run/profile_batch.h"
#include "model/profile_fields.h"

/* ---- shapes of runs */

/* Decodes an output shape recorded by a run. */
static bool decode_run_output(struct profile_batch *batch, const struct loader *l,
                              struct span message, struct err *err)
{
    struct indexed_shape output = {.shape = {.first_dim = batch->dims.n}};
    struct wire_in in = span_walk(message);
    bool has_shape = false;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == RUN_OUTPUT_SLOT && f.type == WIRE_VARINT)
            output.index = (int32_t)f.value;
        else if (f.number == RUN_OUTPUT_HAS_SHAPE && f.type == WIRE_VARINT)
            has_shape = f.value != 0;
        else if (f.number == RUN_OUTPUT_DIMS && !load_numbers(l, &f, &batch->dims, err))
            return false;
    }
    output.shape.n_dims = (uint32_t)(batch->dims.n - output.shape.first_dim);
    output.shape.unknown_rank = !has_shape;
    vec_push(&batch->run_outputs, output);
    return load_ended(l, &in, "output of a run", err);
}

bool profile_run_outputs_decode(struct profile_batch *batch, const struct loader *l,
                                struct profile_node *node, struct err *err)
{
    const size_t first = batch->run_outputs.n;

    fields_each(f, batch->fields, OWN_NODE_RUN_OUTPUT)
        if (!decode_run_output(batch, l, field_span(f), err))
            return false;
    node->run_outputs = list_part(first, batch->run_outputs.n);
    return true;
}

/* ---- function bodies */

/* The node with ID, as call sites use it, or NODE_NONE. */
static node_id node_of_id(const struct loader *l, const struct profile_names *names, int64_t id)
{
    const uint32_t ordinal = idmap_get(&names->ordinals, id);

    return ordinal == IDMAP_NONE ? NODE_NONE
                                 : builder_find(l->builder, names->names.data[ordinal]);
}

/* False when SITE is invalid: a body has to follow its call and all bodies before it, which end at
 * LAST_END. */
static bool read_site(struct loader *l, const struct profile_names *names, struct span message,
                      node_id last_end, struct call_site *site)
{
    struct wire_in in = span_walk(message);
    int64_t numbers[CALL_SITE_N_NODES + 1] = {0};
    struct wire_field f;
    node_id last;

    *site = (struct call_site){NODE_NONE, STRID_EMPTY, STRID_EMPTY, NODE_NONE, 0};
    while (wire_next(&in, &f)) {
        if (f.type == WIRE_VARINT && f.number <= CALL_SITE_N_NODES)
            numbers[f.number] = (int64_t)f.value;
        else if (f.type == WIRE_LEN && f.number == CALL_SITE_ROLE)
            site->role = builder_str(l->builder, f.bytes, f.len);
        else if (f.type == WIRE_LEN && f.number == CALL_SITE_FUNCTION)
            site->function = builder_str(l->builder, f.bytes, f.len);
    }
    if (in.why || numbers[CALL_SITE_N_NODES] < 1 || numbers[CALL_SITE_N_NODES] > UINT32_MAX ||
        numbers[CALL_SITE_FIRST] < 0 || numbers[CALL_SITE_FIRST] > UINT32_MAX)
        return false;
    site->first = node_of_id(l, names, numbers[CALL_SITE_FIRST]);
    site->n_nodes = (uint32_t)numbers[CALL_SITE_N_NODES];
    last = node_of_id(l, names, numbers[CALL_SITE_FIRST] + numbers[CALL_SITE_N_NODES] - 1);
    if (site->first == NODE_NONE || site->first < last_end || last == NODE_NONE ||
        last < site->first || last - site->first != site->n_nodes - 1)
        return false;
    if (!numbers[CALL_SITE_CALL])
        return true;
    site->call = node_of_id(l, names, numbers[CALL_SITE_CALL] - 1);
    return site->call < site->first;
}

void profile_own_sites(struct loader *l, const struct profile_names *names)
{
    struct profile *p = builder_profile(l->builder);
    struct call_site site;
    node_id last_end = 0;
    size_t n_bad = 0;

    if (!names->sites.n)
        return;
    p->call_sites = ARENA_NEW(&p->arena, struct call_site, names->sites.n);
    for (size_t i = 0; i < names->sites.n; i++) {
        if (!read_site(l, names, names->sites.data[i], last_end, &site)) {
            n_bad++;
            continue;
        }
        last_end = site.first + site.n_nodes;
        p->call_sites[p->n_call_sites++] = site;
    }
    p->function_rows = FUNCTION_ROWS_BELOW_CALLS;
    if (n_bad)
        note_add(&p->notes, "%s: %zu call sites of function bodies contradict the nodes: skipped",
                 l->path, n_bad);
}

void profile_own_states(struct loader *l, const struct profile_names *names)
{
    struct profile *p = builder_profile(l->builder);
    const size_t n = names->states.n;

    if (!p->stored_rules || !n)
        return;
    p->n_stored_states = (uint32_t)n;
    p->stored_state = ARENA_NEW(&p->arena, uint8_t, n);
    memcpy(p->stored_state, names->states.data, n);
}

/* ---- inputs */

COMPARE_BY(compare_keys, struct numbered_index, key)

static const struct numbered_index *find_index(const struct numbered_index *indexes, size_t n,
                                               int64_t key)
{
    const struct numbered_index wanted = {.key = key};

    return n ? bsearch(&wanted, indexes, n, sizeof wanted, compare_keys) : NULL;
}

/* Reads src_output_index into batch->source_indexes, sorted by producer. */
static bool read_source_indexes(struct profile_batch *batch, const struct loader *l,
                                struct err *err)
{
    struct map_entry e;

    batch->source_indexes.n = 0;
    fields_each(f, batch->fields, NODE_SOURCE_INDEX) {
        if (!load_map_entry(l, field_span(f), NULL, &e, err))
            return false;
        vec_push(&batch->source_indexes, ((struct numbered_index){e.key, (int32_t)e.value}));
    }
    batch->source_indexes.n =
        sort_last_wins(batch->source_indexes.data, batch->source_indexes.n,
                       sizeof *batch->source_indexes.data, compare_keys);
    return true;
}

/* Reads inputs with explicit indexes into batch->input_indexes, sorted by position. */
static bool read_input_indexes(struct profile_batch *batch, const struct loader *l,
                               struct err *err)
{
    const dim_list *numbers = &batch->numbers;

    batch->input_indexes.n = 0;
    batch->numbers.n = 0;
    fields_each(f, batch->fields, OWN_NODE_INPUT)
        if (!load_numbers(l, f, &batch->numbers, err))
            return false;
    for (size_t i = 0; i + 1 < numbers->n; i += 2)
        vec_push(&batch->input_indexes,
                 ((struct numbered_index){numbers->data[i], numbers->data[i + 1] == OWN_CONTROL
                                                                ? INPUT_CONTROL
                                                                : (int32_t)numbers->data[i + 1]}));
    batch->input_indexes.n = sort_last_wins(batch->input_indexes.data, batch->input_indexes.n,
                                            sizeof *batch->input_indexes.data, compare_keys);
    return true;
}

/* Decodes the inputs; those whose producer is not in the profile are dropped. */
static bool decode_inputs(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err)
{
    const struct profile_names *names = batch->names;
    const size_t first = batch->sources.n;
    struct map_entry e;

    if (!read_source_indexes(batch, l, err) || !read_input_indexes(batch, l, err))
        return false;
    fields_each(f, batch->fields, NODE_INPUT) {
        const struct numbered_index *found, *own;
        struct decoded_source source;
        uint32_t ordinal;

        if (!load_map_entry(l, field_span(f), NULL, &e, err))
            return false;
        ordinal = idmap_get(&names->ordinals, e.value);
        if (ordinal == IDMAP_NONE)
            continue;
        found = find_index(batch->source_indexes.data, batch->source_indexes.n, e.value);
        own = find_index(batch->input_indexes.data, batch->input_indexes.n, e.key);
        source = (struct decoded_source){.position = (int32_t)e.key,
                                         .name = names->names.data[ordinal],
                                         .output_index = found ? found->index : 0};
        source.own_index = own ? own->index : source.output_index;
        vec_push(&batch->sources, source);
    }
    node->sources = list_part(first, batch->sources.n);
    return true;
}

/* ---- shapes */

bool load_tuple(const struct loader *l, struct span tuple, dim_list *numbers, struct err *err)
{
    struct wire_in in = span_walk(tuple);
    struct wire_field f;

    while (wire_next(&in, &f))
        if (f.number == 1 && !load_numbers(l, &f, numbers, err))
            return false;
    return load_ended(l, &in, "list of numbers", err);
}

COMPARE_VALUES(compare_indexes, int64_t)

/* Reads which stored shapes are scalars into batch->scalars, sorted. */
static void read_scalars(struct profile_batch *batch)
{
    batch->scalars.n = 0;
    fields_each(f, batch->fields, OWN_NODE_SCALAR) {
        const uint8_t *at = NULL;
        uint64_t value;

        while (wire_next_number(f, WIRE_VARINT, &at, &value))
            vec_push(&batch->scalars, (int64_t)value);
    }
    vec_sort(&batch->scalars, compare_indexes);
}

/* The shape with the dims from FIRST_DIM on; an empty list is unknown.  [1] is a scalar if
 * batch->scalars has INDEX, an output or SCALAR_SHAPE. */
static struct decoded_shape shape_of_dims(const struct profile_batch *batch, size_t first_dim,
                                          int64_t index)
{
    struct decoded_shape shape = {.first_dim = first_dim,
                                  .n_dims = (uint32_t)(batch->dims.n - first_dim)};

    shape.unknown_rank = shape.n_dims == 0;
    if (batch->scalars.n && shape.n_dims == 1 && batch->dims.data[first_dim] == 1 &&
        bsearch(&index, batch->scalars.data, batch->scalars.n, sizeof index, compare_indexes))
        shape.n_dims = 0;
    return shape;
}

static bool decode_output(struct profile_batch *batch, const struct loader *l, struct span entry,
                          struct err *err)
{
    struct indexed_shape output;
    const size_t first_dim = batch->dims.n;
    struct map_entry e;

    if (!load_map_entry(l, entry, &batch->pieces, &e, err) ||
        !load_tuple(l, e.value_span, &batch->dims, err))
        return false;
    output.index = (int32_t)e.key;
    output.shape = shape_of_dims(batch, first_dim, output.index);
    vec_push(&batch->outputs, output);
    return true;
}

static bool decode_shape(struct profile_batch *batch, const struct loader *l,
                         struct profile_node *node, struct err *err)
{
    const size_t first_dim = batch->dims.n;

    fields_each(f, batch->fields, NODE_SHAPE)
        if (!load_numbers(l, f, &batch->dims, err))
            return false;
    node->shape = shape_of_dims(batch, first_dim, SCALAR_SHAPE);
    return true;
}

/* Sets element_bits from attributes, if the node has any; else its own field counts. */
static bool decode_element_bits(struct profile_batch *batch, const struct loader *l,
                                struct profile_node *node, struct err *err)
{
    struct element_attr element = {.rank = 0};
    struct map_entry e;

    fields_each(f, batch->fields, NODE_ATTR) {
        if (!load_map_entry(l, field_span(f), &batch->pieces, &e, err))
            return false;
        element_attr_note(&element, e.key_span, e.value_span);
    }
    if (element.rank)
        node->element_bits = element_attr_bits(&element, &batch->pieces);
    return true;
}

/* Decodes types, call stack and output shapes. */
static bool decode_lists(struct profile_batch *batch, const struct loader *l,
                         struct profile_node *node, struct err *err)
{
    const size_t first_type = batch->texts.n, first_stack = batch->stacks.n,
                 first_output = batch->outputs.n;

    vec_each(const struct wire_field, f, &batch->fields) {
        struct span value = field_span(f);

        if (f->number == NODE_TYPE)
            vec_push(&batch->texts, decode_text(value));
        else if (f->number == NODE_TRACE)
            vec_push(&batch->stacks,
                     ((struct stack_part){value, intern_hash(value.bytes, value.len)}));
        else if (f->number == NODE_OUTPUT_SHAPE && !decode_output(batch, l, value, err))
            return false;
    }
    node->types = list_part(first_type, batch->texts.n);
    node->stack = list_part(first_stack, batch->stacks.n);
    node->outputs = list_part(first_output, batch->outputs.n);
    return true;
}

bool profile_graph_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err)
{
    read_scalars(batch);
    return decode_inputs(batch, l, node, err) && decode_shape(batch, l, node, err) &&
           decode_element_bits(batch, l, node, err) && decode_lists(batch, l, node, err);
}
