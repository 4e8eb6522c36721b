/* node_batch.c: decodes NodeDefs independently of the profile that they are added to. */
#include "load/graph/node_batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/bytes/elements.h"
#include "load/graph/attrs.h"

void node_batch_done(void *of)
{
    struct node_batch *batch = of;

    EACH(vec_done, &batch->messages, &batch->nodes, &batch->inputs, &batch->shapes, &batch->dims);
    arena_done(&batch->pieces);
    err_done(&batch->err);
}

void node_batch_clear(void *of)
{
    struct node_batch *batch = of;

    batch->messages.n = 0;
    batch->nodes.n = 0;
    batch->inputs.n = 0;
    batch->shapes.n = 0;
    batch->dims.n = 0;
    arena_reset(&batch->pieces);
    batch->names_kept = false;
    err_done(&batch->err);
}

void node_batch_add(struct node_batch *batch, struct span message, struct node_def def)
{
    vec_push(&batch->messages, ((struct node_message){message, def}));
}

/* ---- attributes */

enum { ATTR_LIST_FIELD = 1, ATTR_SHAPE_FIELD = 7, LIST_SHAPE_FIELD = 7 };

/* The attributes that loading needs. */
struct attr_spans {
    struct span shape, output_shapes; /* AttrValue; bytes NULL: missing */
    struct element_attr element;
};

/* Stores the value of ENTRY of an attribute map, if it is needed. */
static bool note_attr(struct node_batch *batch, const struct loader *l, struct span entry,
                      struct attr_spans *attrs, struct err *err)
{
    struct map_entry e;

    if (!load_map_entry(l, entry, &batch->pieces, &e, err))
        return false;
    if (span_is(e.key_span, "shape"))
        attrs->shape = e.value_span;
    else if (span_is(e.key_span, "_output_shapes"))
        attrs->output_shapes = e.value_span;
    else
        element_attr_note(&attrs->element, e.key_span, e.value_span);
    return true;
}

/* Finds member NUMBER of the AttrValue VALUE; bytes NULL when another one is set or VALUE is
 * missing. */
static bool attr_member(struct node_batch *batch, const struct loader *l, struct span value,
                        uint32_t number, struct span *member, struct err *err)
{
    struct wire_in in = span_walk(value);
    struct attr_member set;

    *member = (struct span){NULL, 0};
    if (!value.len)
        return true;
    attr_member_set(&in, &batch->pieces, &set);
    if (set.number == number)
        *member = (struct span){set.message.bytes, set.message.len};
    return load_ended(l, &in, "attribute value", err);
}

static bool decode_output_shapes(struct node_batch *batch, const struct loader *l,
                                 struct span value, struct decoded_node *node, struct err *err)
{
    struct decoded_shape shape;
    struct wire_field f;
    struct wire_in in;
    struct span list;

    node->first_output = batch->shapes.n;
    if (!attr_member(batch, l, value, ATTR_LIST_FIELD, &list, err))
        return false;
    in = span_walk(list);
    while (wire_next_len(&in, &f, LIST_SHAPE_FIELD)) {
        if (!shape_decode(l, field_span(&f), &batch->dims, &shape, err))
            return false;
        vec_push(&batch->shapes, shape);
    }
    node->n_outputs = batch->shapes.n - node->first_output;
    return load_ended(l, &in, "list of shapes", err);
}

static bool decode_attrs(struct node_batch *batch, const struct loader *l,
                         const struct attr_spans *attrs, struct decoded_node *node,
                         struct err *err)
{
    struct span shape;

    if (!attr_member(batch, l, attrs->shape, ATTR_SHAPE_FIELD, &shape, err))
        return false;
    node->has_shape = shape.bytes != NULL;
    node->element_bits = element_attr_bits(&attrs->element, &batch->pieces);
    return (!node->has_shape || shape_decode(l, shape, &batch->dims, &node->shape, err)) &&
           decode_output_shapes(batch, l, attrs->output_shapes, node, err);
}

/* ---- inputs */

/* Parses all of TEXT as a decimal int32 with an optional sign. */
static bool parse_int32(struct span text, int32_t *value)
{
    size_t i = text.len && (text.bytes[0] == '-' || text.bytes[0] == '+');
    bool negative = i && text.bytes[0] == '-';
    int64_t n = 0;

    if (i == text.len)
        return false;
    for (; i < text.len; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
        n = n * 10 + (text.bytes[i] - '0');
        if (n > (int64_t)INT32_MAX + negative)
            return false;
    }
    *value = (int32_t)(negative ? -n : n);
    return true;
}

/* Decodes NAME, NAME:NUMBER or ^NAME. */
static struct decoded_input decode_input(struct span entry)
{
    const uint8_t *colon = entry.len ? memchr(entry.bytes, ':', entry.len) : NULL;
    struct decoded_input input = {.name = entry};

    input.control = entry.len && entry.bytes[0] == '^';
    if (colon) {
        struct span number = {colon + 1, (size_t)(entry.bytes + entry.len - (colon + 1))};

        if (!parse_int32(number, &input.index)) {
            input.bad = true;
            return input;
        }
        input.name.len = (size_t)(colon - entry.bytes);
    }
    if (input.control) {
        input.name.bytes++;
        input.name.len--;
    }
    input.hash = intern_hash(input.name.bytes, input.name.len);
    return input;
}

/* ---- nodes */

static bool decode_node(struct node_batch *batch, const struct loader *l, struct span message,
                        struct decoded_node *node, struct err *err)
{
    struct wire_in in = span_walk(message);
    struct attr_spans attrs = {.shape = {NULL, 0}};
    struct wire_field f;

    node->name = node->op = (struct span){message.bytes, 0};
    node->first_input = batch->inputs.n;
    for (size_t n = 1; wire_next(&in, &f); n++) {
        if (load_cancelled(l, n, err))
            return false;
        if (f.type != WIRE_LEN)
            continue;
        switch (f.number) {
        case 1:
            node->name = field_span(&f);
            break;
        case 2:
            node->op = field_span(&f);
            break;
        case 3:
            vec_push(&batch->inputs, decode_input(field_span(&f)));
            break;
        case 5:
            if (!note_attr(batch, l, field_span(&f), &attrs, err))
                return false;
            break;
        default:
            break;
        }
    }
    node->n_inputs = batch->inputs.n - node->first_input;
    return load_ended(l, &in, "node", err) && decode_attrs(batch, l, &attrs, node, err);
}

/* Hashes copies of names where NAMES keeps them, because bytes of a mapped file may change. */
static void hash_names(struct decoded_node *node, struct arena *names)
{
    if (names)
        node->name.bytes =
            (const uint8_t *)arena_memdupz(names, node->name.bytes, node->name.len);
    node->name_hash = intern_hash(node->name.bytes, node->name.len);
    node->op_hash = intern_hash(node->op.bytes, node->op.len);
}

void node_batch_decode(struct node_batch *batch, const struct loader *l, struct arena *names)
{
    batch->names_kept = names != NULL;
    for (size_t i = 0; i < batch->messages.n; i++) {
        const struct node_message *m = &batch->messages.data[i];

        vec_push(&batch->nodes, ((struct decoded_node){.def = m->def}));
        if (!decode_node(batch, l, m->message, &batch->nodes.data[i], &batch->err)) {
            batch->nodes.n--;
            return;
        }
        hash_names(&batch->nodes.data[i], names);
    }
}

/* ---- joining */

static bool bad_input(const struct loader *l, const struct decoded_node *node,
                      const struct decoded_input *input, struct err *err)
{
    struct strbuf text = {0};

    sb_adds(&text, "node ");
    load_quote(&text, node->name);
    sb_adds(&text, ": input ");
    load_quote(&text, input->name);
    load_fail(l, input->name.bytes, err, "%s is not NAME:NUMBER", sb_text(&text));
    sb_done(&text);
    return false;
}

static bool join_inputs(const struct node_batch *batch, const struct decoded_node *node,
                        struct loader *l, node_id id, struct err *err)
{
    for (size_t i = 0; i < node->n_inputs; i++) {
        const struct decoded_input *in = &batch->inputs.data[node->first_input + i];

        if (in->bad)
            return bad_input(l, node, in, err);
        if (load_cancelled(l, i + 1, err))
            return false;
        builder_add_input(
            l->builder, id, (int32_t)i,
            builder_str_hashed(l->builder, in->name.bytes, in->name.len, in->hash), in->index,
            in->control ? INPUT_CONTROL : in->index);
    }
    return true;
}

static strid node_name(const struct node_batch *batch, const struct decoded_node *node,
                       struct builder *b)
{
    const struct span name = node->name;

    return batch->names_kept
               ? builder_str_kept(b, (const char *)name.bytes, name.len, node->name_hash)
               : builder_str_hashed(b, name.bytes, name.len, node->name_hash);
}

static bool join_node(const struct node_batch *batch, const struct decoded_node *node,
                      struct loader *l, struct err *err)
{
    struct builder *b = l->builder;
    bool added;
    node_id id = builder_node(
        b, node_name(batch, node, b),
        builder_str_hashed(b, node->op.bytes, node->op.len, node->op_hash), &added);

    if (!added) {
        l->n_known_nodes += !l->in_function;
        return true;
    }
    builder_set_def(b, id, node->def);
    if (!l->in_function && !join_inputs(batch, node, l, id, err))
        return false;
    if (node->has_shape)
        builder_set_shape(b, id, shape_intern(b, &batch->dims, &node->shape));
    builder_set_element_bits(b, id, node->element_bits);
    for (size_t i = 0; i < node->n_outputs; i++)
        builder_add_output(b, id, (int32_t)i,
                           shape_intern(b, &batch->dims,
                                        &batch->shapes.data[node->first_output + i]));
    return true;
}

/* Prefetches for N nodes from FIRST on and their inputs. */
static void prefetch_nodes(const struct node_batch *batch, const struct builder *b, size_t first,
                           size_t n)
{
    const struct decoded_node *nodes = batch->nodes.data + first;
    const struct decoded_input *inputs = batch->inputs.data;
    size_t n_inputs;

    if (!n)
        return;
    n_inputs = nodes[n - 1].first_input + nodes[n - 1].n_inputs - nodes->first_input;
    span_prefetch(&nodes->op, n, sizeof *nodes);
    builder_prefetch(b, &nodes->name_hash, n, sizeof *nodes);
    if (!n_inputs)
        return;
    span_prefetch(&inputs[nodes->first_input].name, n_inputs, sizeof *inputs);
    builder_prefetch(b, &inputs[nodes->first_input].hash, n_inputs, sizeof *inputs);
}

bool node_batch_join(struct node_batch *batch, struct loader *l, struct err *err)
{
    const struct decoded_node *nodes = batch->nodes.data;

    for (size_t i = 0; i < batch->nodes.n; i++) {
        prefetch_nodes(batch, l->builder, i, intern_group(i, batch->nodes.n));
        if (!load_tick(l, batch->messages.data[i].message.bytes, err) ||
            !join_node(batch, &nodes[i], l, err))
            return false;
    }
    if (batch->err.kind == ERR_NONE)
        return true;
    *err = batch->err;
    memset(&batch->err, 0, sizeof batch->err);
    return false;
}

/* ---- single nodes */

static void free_single(void *data)
{
    node_batch_done(data);
    free(data);
}

static struct node_batch *single_batch(struct loader *l)
{
    if (!l->single) {
        l->single = xcalloc(1, sizeof *l->single);
        loader_keep(l, l->single, free_single);
    }
    node_batch_clear(l->single);
    return l->single;
}

bool load_node(struct loader *l, struct span node, struct node_def def, struct err *err)
{
    struct node_batch *batch = single_batch(l);

    node_batch_add(batch, node, def);
    node_batch_decode(batch, l, NULL);
    return node_batch_join(batch, l, err);
}

bool load_argument(struct loader *l, struct span name, struct span attrs, struct node_def def,
                   struct err *err)
{
    static const char op[] = "_Arg";
    struct decoded_node node = {.def = def, .name = name, .op = {(const uint8_t *)op, 4}};
    struct attr_spans spans = {.shape = {NULL, 0}};
    struct wire_in in;
    uint32_t n_before = builder_n_nodes(l->builder);
    struct node_batch *batch = single_batch(l);
    struct wire_field f;

    hash_names(&node, NULL);
    in = span_walk(span_message(attrs, 2, &batch->pieces));
    while (wire_next_len(&in, &f, 1))
        if (!note_attr(batch, l, field_span(&f), &spans, err))
            return false;
    if (!load_ended(l, &in, "argument", err) ||
        !decode_output_shapes(batch, l, spans.output_shapes, &node, err) ||
        !join_node(batch, &node, l, err))
        return false;
    return builder_n_nodes(l->builder) > n_before ||
           load_fail(l, name.bytes, err, "two arguments of one name");
}
