/* graphdef.c: the nodes of a GraphDef (semantics.md 1.1). */
#include "load/graphdef.h"

#include <string.h>

#include "load/elements.h"
#include "load/functions.h"
#include "load/signature.h"
#include "load/text_reader.h"
#include "proto/graph.pb-c.h"

/* What is read of a NodeDef; all else stays where it is. */
struct node_parts {
    struct span name, op;
    struct span shape, output_shapes; /* AttrValue; bytes NULL: not there */
};

static bool is_key(struct span key, const char *name)
{
    return key.len == strlen(name) && memcmp(key.bytes, name, key.len) == 0;
}

/* Notes the value when ENTRY of the attribute map is one of ours. */
static bool read_attr(struct loader *l, struct span entry, struct node_parts *parts,
                      struct err *err)
{
    struct map_entry e;

    if (!load_map_entry(l, entry, &e, err))
        return false;
    if (is_key(e.key_span, "shape"))
        parts->shape = e.value_span;
    else if (is_key(e.key_span, "_output_shapes"))
        parts->output_shapes = e.value_span;
    return true;
}

static bool read_node(struct loader *l, struct span node, struct node_parts *parts,
                      struct err *err)
{
    struct wire_in in = span_walk(node);
    struct wire_field f;

    l->inputs.n = 0;
    while (wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        switch (f.number) {
        case 1:
            parts->name = field_span(&f);
            break;
        case 2:
            parts->op = field_span(&f);
            break;
        case 3:
            vec_push(&l->inputs, field_span(&f));
            break;
        case 5:
            if (!read_attr(l, field_span(&f), parts, err))
                return false;
            break;
        default:
            break;
        }
    }
    return load_ended(l, &in, "node", err);
}

/* ---- shapes */

/* The size in a Dim; absent is 0, below -1 counts as unknown. */
static bool read_dim(struct loader *l, struct span dim, int64_t *size, struct err *err)
{
    struct wire_in in = span_walk(dim);
    struct wire_field f;

    *size = 0;
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_VARINT)
            *size = (int64_t)f.value;
    if (*size < -1)
        *size = -1;
    return load_ended(l, &in, "shape dimension", err);
}

bool load_shape(struct loader *l, struct span shape, shape_id *id, struct err *err)
{
    struct wire_in in = span_walk(shape);
    struct wire_field f;
    bool unknown_rank = false;
    int64_t size;

    l->dims.n = 0;
    while (wire_next(&in, &f)) {
        if (f.number == 2 && f.type == WIRE_LEN) {
            if (!read_dim(l, field_span(&f), &size, err))
                return false;
            vec_push(&l->dims, size);
        } else if (f.number == 3 && f.type == WIRE_VARINT) {
            unknown_rank = f.value != 0;
        }
    }
    if (unknown_rank)
        *id = SHAPE_UNKNOWN;
    else if (l->dims.n == 0)
        *id = SHAPE_SCALAR;
    else
        *id = builder_shape(l->builder, l->dims.data, l->dims.n);
    return load_ended(l, &in, "shape", err);
}

/* AttrValue: its members exclude each other, the last one counts. */
enum { ATTR_LIST_FIELD = 1, ATTR_SHAPE_FIELD = 7, ATTR_LAST_FIELD = 10, LIST_SHAPE_FIELD = 7 };

/* The payload of member NUMBER of an AttrValue; bytes NULL when another one is
 * set. */
static bool attr_member(struct loader *l, struct span value, uint32_t number, struct span *member,
                        struct err *err)
{
    static const struct span none;
    struct wire_in in = span_walk(value);
    struct wire_field f;

    *member = none;
    while (wire_next(&in, &f)) {
        if (f.number > ATTR_LAST_FIELD)
            continue;
        *member = f.number == number && f.type == WIRE_LEN ? field_span(&f) : none;
    }
    return load_ended(l, &in, "attribute value", err);
}

static bool set_shape(struct loader *l, node_id node, struct span value, struct err *err)
{
    struct span shape;
    shape_id id;

    if (!attr_member(l, value, ATTR_SHAPE_FIELD, &shape, err))
        return false;
    if (!shape.bytes)
        return true;
    if (!load_shape(l, shape, &id, err))
        return false;
    builder_set_shape(l->builder, node, id);
    return true;
}

static bool add_output_shapes(struct loader *l, node_id node, struct span value, struct err *err)
{
    struct span list;
    struct wire_in in;
    struct wire_field f;
    int32_t index = 0;
    shape_id id;

    if (!attr_member(l, value, ATTR_LIST_FIELD, &list, err))
        return false;
    if (!list.bytes)
        return true;
    in = span_walk(list);
    while (wire_next(&in, &f)) {
        if (f.number != LIST_SHAPE_FIELD || f.type != WIRE_LEN)
            continue;
        if (!load_shape(l, field_span(&f), &id, err))
            return false;
        builder_add_output(l->builder, node, index++, id);
    }
    return load_ended(l, &in, "list of shapes", err);
}

bool load_argument(struct loader *l, struct span name, struct span attrs, struct node_def def,
                   struct err *err)
{
    static const char op[] = "_Arg";
    struct builder *b = l->builder;
    struct wire_in in = span_walk(attrs);
    struct wire_field f;
    struct node_parts parts = {0};
    bool added;
    node_id id = builder_node(b, builder_str(b, name.bytes, name.len),
                              builder_str(b, op, sizeof op - 1), &added);

    if (!added)
        return load_fail(l, name.bytes, err, "two arguments of one name");
    builder_set_def(b, id, def);
    while (wire_next(&in, &f))
        if (f.number == 1 && f.type == WIRE_LEN && !read_attr(l, field_span(&f), &parts, err))
            return false;
    return load_ended(l, &in, "argument", err) &&
           (!parts.output_shapes.bytes || add_output_shapes(l, id, parts.output_shapes, err));
}

/* ---- inputs */

/* A decimal int32 with an optional sign that takes all of TEXT. */
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

/* An entry is NAME, NAME:NUMBER or ^NAME. */
static bool add_input(struct loader *l, node_id node, int32_t position, struct span entry)
{
    const uint8_t *colon = entry.len ? memchr(entry.bytes, ':', entry.len) : NULL;
    struct span name = entry;
    bool control = entry.len && entry.bytes[0] == '^';
    int32_t index = 0;

    if (colon) {
        struct span number = {colon + 1, (size_t)(entry.bytes + entry.len - (colon + 1))};

        if (!parse_int32(number, &index))
            return false;
        name.len = (size_t)(colon - entry.bytes);
    }
    if (control) {
        name.bytes++;
        name.len--;
    }
    builder_add_input(l->builder, node, position, builder_str(l->builder, name.bytes, name.len),
                      index, control ? INPUT_CONTROL : index);
    return true;
}

static bool bad_input(const struct loader *l, struct span node, struct span entry,
                      struct err *err)
{
    struct strbuf text = {0};

    sb_adds(&text, "node ");
    load_quote(&text, node);
    sb_adds(&text, ": input ");
    load_quote(&text, entry);
    load_fail(l, entry.bytes, err, "%s is not NAME:NUMBER", sb_text(&text));
    sb_done(&text);
    return false;
}

static bool add_inputs(struct loader *l, node_id node, struct span name, struct err *err)
{
    for (size_t i = 0; i < l->inputs.n; i++)
        if (!add_input(l, node, (int32_t)i, l->inputs.data[i]))
            return bad_input(l, name, l->inputs.data[i], err);
    return true;
}

/* ---- the node */

bool load_node(struct loader *l, struct span node, struct node_def def, struct err *err)
{
    struct node_parts parts = {.name = {node.bytes, 0}, .op = {node.bytes, 0}};
    struct builder *b = l->builder;
    bool added;
    node_id id;

    if (!load_pace(l, node.bytes, err) || !read_node(l, node, &parts, err))
        return false;
    id = builder_node(b, builder_str(b, parts.name.bytes, parts.name.len),
                      builder_str(b, parts.op.bytes, parts.op.len), &added);
    if (!added)
        return true;
    builder_set_def(b, id, def);
    return (l->in_function || add_inputs(l, id, parts.name, err)) &&
           (!parts.shape.bytes || set_shape(l, id, parts.shape, err)) &&
           (!parts.output_shapes.bytes || add_output_shapes(l, id, parts.output_shapes, err));
}

bool load_graph(struct loader *l, struct span graph, const struct node_choice *choice,
                struct err *err)
{
    struct wire_in in = span_walk(graph);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        struct node_def def = {.file = l->file, .form = NODE_FORM_NODEDEF};

        if (f.number == 2 && f.type == WIRE_LEN)
            functions_add_library(l, field_span(&f));
        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        if (f.len > UINT32_MAX)
            return load_fail(l, f.start, err, "node of more than 4 GiB");
        if (choice && !node_chosen(choice, span_part(field_span(&f), 1)))
            continue;
        def.offset = (uint64_t)(f.bytes - l->input.bytes);
        def.len_bytes = (uint32_t)f.len;
        if (!load_node(l, field_span(&f), def, err))
            return false;
    }
    return load_ended(l, &in, "graph", err);
}

bool load_graphdef(struct loader *l, struct err *err)
{
    return load_graph(l, l->input, NULL, err);
}

/* ---- text */

static bool text_node(void *context, const struct text_element *element, struct err *err)
{
    struct loader *l = context;
    struct span node = {element->wire, element->wire_len};
    struct node_def def = {
        .offset = element->offset, .file = l->file, .form = NODE_FORM_NODEDEF_TEXT};

    if (element->event != TEXT_ELEMENT || element->field->id != 1)
        return true;
    l->element_offset = element->offset;
    if (element->len_bytes > UINT32_MAX)
        return load_fail(l, element->wire, err, "node of more than 4 GiB");
    def.len_bytes = (uint32_t)element->len_bytes;
    return load_node(l, node, def, err);
}

bool load_graphdef_text(struct loader *l, struct err *err)
{
    const ProtobufCFieldDescriptor *const skipped[] = {
        text_find_field(&tfp__graph_def__descriptor, "library", 7), NULL};
    struct text_source source = {
        .path = l->path,
        .text = l->input.bytes,
        .size_bytes = l->input.len,
        .message = &tfp__graph_def__descriptor,
        .skipped = skipped,
        .notes = &builder_profile(l->builder)->notes,
        .cancel = l->cancel,
    };

    return text_read(&source, text_node, l, err);
}
