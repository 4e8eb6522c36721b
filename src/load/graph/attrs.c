/* attrs.c: decodes a node's attributes on demand. */
#include "load/graph/attrs.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/graph/tensor.h"
#include "load/text/text_reader.h"
#include "model/programs.h"
#include "proto/graph.pb-c.h"

/* Field numbers of formats-graph.md section 5. */
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2, NAME_ATTR_LIST_NAME = 1 };

/* Members of AttrValue. */
static const struct attr_field value_members[] = {
    [1] = {ATTR_LIST, WIRE_LEN},        [2] = {ATTR_STRING, WIRE_LEN},
    [3] = {ATTR_INT, WIRE_VARINT},      [4] = {ATTR_FLOAT, WIRE_I32},
    [5] = {ATTR_BOOL, WIRE_VARINT},     [6] = {ATTR_TYPE, WIRE_VARINT},
    [7] = {ATTR_SHAPE, WIRE_LEN},       [8] = {ATTR_TENSOR, WIRE_LEN},
    [9] = {ATTR_PLACEHOLDER, WIRE_LEN}, [10] = {ATTR_FUNC, WIRE_LEN},
};

/* Members of AttrValue.ListValue. */
static const struct attr_field list_members[] = {
    [2] = {ATTR_STRING, WIRE_LEN}, [3] = {ATTR_INT, WIRE_VARINT},
    [4] = {ATTR_FLOAT, WIRE_I32},  [5] = {ATTR_BOOL, WIRE_VARINT},
    [6] = {ATTR_TYPE, WIRE_VARINT}, [7] = {ATTR_SHAPE, WIRE_LEN},
    [8] = {ATTR_TENSOR, WIRE_LEN}, [9] = {ATTR_FUNC, WIRE_LEN},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_message(enum attr_kind kind)
{
    return kind == ATTR_LIST || kind == ATTR_SHAPE || kind == ATTR_TENSOR || kind == ATTR_FUNC;
}

static struct attr_bytes bytes_of(const struct wire_field *field)
{
    return (struct attr_bytes){(const char *)field->bytes, field->len};
}

/* The name of a NameAttrList. */
static struct attr_bytes function_name(const struct wire_field *field)
{
    struct attr_bytes name = {"", 0};

    wire_each_len(part, wire_in_field(field), NAME_ATTR_LIST_NAME)
        name = bytes_of(&part);
    return name;
}

/* ---- lists */

/* A message is scanned once, into growing arrays: a mapped file may change between two passes, so a
 * count of the first pass would not hold in the second. */
struct items {
    enum attr_kind kind;
    uint32_t n;
    size_t few_bytes; /* bytes used in few; most lists fit there and need no heap memory */
    unsigned char few[128];
    VEC(unsigned char) bytes; /* all items, once few is full */
};

static void add_item(struct items *items, const void *item, size_t size_bytes)
{
    if (items->n == UINT32_MAX)
        return;
    items->n++;
    if (!items->bytes.n && size_bytes <= sizeof items->few - items->few_bytes) {
        memcpy(items->few + items->few_bytes, item, size_bytes);
        items->few_bytes += size_bytes;
        return;
    }
    if (!items->bytes.n) {
        vec_reserve(&items->bytes, items->few_bytes + size_bytes);
        memcpy(items->bytes.data, items->few, items->few_bytes);
        items->bytes.n = items->few_bytes;
    }
    vec_reserve(&items->bytes, items->bytes.n + size_bytes);
    memcpy(items->bytes.data + items->bytes.n, item, size_bytes);
    items->bytes.n += size_bytes;
}

/* Appends an item that is not a number. */
static void add_message(struct items *items, const struct wire_field *field, struct arena *arena)
{
    struct attr_bytes bytes;
    struct attr_shape shape;
    struct attr_tensor tensor;

    switch (items->kind) {
    case ATTR_SHAPE:
        shape = tensor_shape_decode(wire_in_field(field), arena);
        add_item(items, &shape, sizeof shape);
        break;
    case ATTR_TENSOR:
        tensor = tensor_decode(wire_in_field(field), arena);
        add_item(items, &tensor, sizeof tensor);
        break;
    default:
        bytes = items->kind == ATTR_FUNC ? function_name(field) : bytes_of(field);
        add_item(items, &bytes, sizeof bytes);
        break;
    }
}

static void add_numbers(struct items *items, const struct wire_field *field, enum wire_type wire)
{
    const uint8_t *at = NULL;
    uint64_t value;

    while (wire_next_number(field, wire, &at, &value)) {
        const int64_t number = (int64_t)value;
        const double real = items->kind == ATTR_FLOAT ? (double)wire_float(value) : 0;

        if (items->kind == ATTR_FLOAT)
            add_item(items, &real, sizeof real);
        else
            add_item(items, &number, sizeof number);
    }
}

void attr_list_decode(struct wire_in message, const struct attr_field *members, size_t n_members,
                      struct arena *arena, struct attr_value *out)
{
    const struct attr_field *member = NULL;
    struct wire_field field;
    struct items items;

    items.kind = ATTR_NONE;
    items.n = 0;
    items.few_bytes = 0;
    memset(&items.bytes, 0, sizeof items.bytes);
    while (wire_next(&message, &field)) {
        if (field.number >= n_members || members[field.number].kind == ATTR_NONE)
            continue;
        if (!member && (field.type == members[field.number].wire || field.type == WIRE_LEN))
            member = &members[field.number];
        if (&members[field.number] != member)
            continue;
        items.kind = member->kind;
        if (member->wire != WIRE_LEN)
            add_numbers(&items, &field, member->wire);
        else if (field.type == WIRE_LEN)
            add_message(&items, &field, arena);
    }
    out->kind = ATTR_LIST;
    out->item_kind = items.kind;
    out->n_items = items.n;
    out->v.list_s = items.bytes.n ? arena_copy(arena, items.bytes.data, items.bytes.n, 1)
                                  : arena_copy(arena, items.few, items.few_bytes, 1);
    vec_done(&items.bytes);
}

/* ---- single values */

void attr_field_decode(enum attr_kind kind, const struct wire_field *field, struct arena *arena,
                       struct attr_value *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    switch (kind) {
    case ATTR_LIST:
        attr_list_decode(wire_in_field(field), list_members, COUNT(list_members), arena, out);
        break;
    case ATTR_STRING:
    case ATTR_PLACEHOLDER:
        out->v.s = bytes_of(field);
        break;
    case ATTR_FUNC:
        out->v.s = function_name(field);
        break;
    case ATTR_FLOAT:
        out->v.f = (double)wire_float(field->value);
        break;
    case ATTR_SHAPE:
        out->v.shape = tensor_shape_decode(wire_in_field(field), arena);
        break;
    case ATTR_TENSOR:
        out->v.tensor = tensor_decode(wire_in_field(field), arena);
        break;
    default:
        out->v.i = kind == ATTR_BOOL ? field->value != 0 : (int64_t)field->value;
        break;
    }
}

void attr_member_set(struct wire_in *value, struct arena *pieces, struct attr_member *set)
{
    struct wire_field f;

    *set = (struct attr_member){.number = 0};
    while (wire_next(value, &f)) {
        if (f.number >= COUNT(value_members) || value_members[f.number].kind == ATTR_NONE ||
            value_members[f.number].wire != f.type)
            continue;
        if (f.number != set->number || !is_message(value_members[f.number].kind))
            *set = (struct attr_member){.number = f.number, .value = f.value};
        if (f.type == WIRE_LEN)
            wire_pieces_add(&set->message, f.bytes, f.len, pieces);
    }
}

void attr_value_decode(struct wire_in message, struct arena *arena, struct attr_value *out)
{
    struct attr_member set;
    struct wire_field field = {.number = 0};

    attr_member_set(&message, arena, &set);
    memset(out, 0, sizeof *out);
    field.value = set.value;
    field.bytes = set.message.bytes;
    field.len = set.message.len;
    if (set.number)
        attr_field_decode(value_members[set.number].kind, &field, arena, out);
}

static struct attr decode_entry(struct wire_in message, struct arena *arena)
{
    struct wire_pieces value = {0};
    struct attr attr = {.name = {"", 0}};
    struct wire_field field;

    while (wire_next(&message, &field)) {
        if (field.type != WIRE_LEN)
            continue;
        /* Copied because sorting needs names that do not change. */
        if (field.number == ENTRY_KEY)
            attr.name = (struct attr_bytes){arena_memdupz(arena, field.bytes, field.len), field.len};
        else if (field.number == ENTRY_VALUE)
            wire_pieces_add(&value, field.bytes, field.len, arena);
    }
    if (value.bytes)
        attr_value_decode(wire_in_pieces(&value), arena, &attr.value);
    return attr;
}

/* ---- all attributes of a message */

COMPARE_POINTERS(by_name_then_address, struct attr,
                 THEN(bytes_compare(a->name.bytes, a->name.len, b->name.bytes, b->name.len)) ||
                     THEN(COMPARE(a, b)))

static bool same_name(const struct attr *a, const struct attr *b)
{
    return a->name.len == b->name.len && memcmp(a->name.bytes, b->name.bytes, a->name.len) == 0;
}

/* Removes attributes that a later one of the same name replaces; returns the number left. */
static size_t drop_replaced(struct attr *attrs, size_t n)
{
    enum { FEW = 32 }; /* most nodes have fewer attributes and need no heap memory */
    struct attr *few[FEW], **order = n <= FEW ? few : xreallocarray(NULL, n, sizeof *order);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        order[i] = &attrs[i];
    qsort(order, n, sizeof *order, by_name_then_address);
    for (size_t i = 0; i + 1 < n; i++)
        if (same_name(order[i], order[i + 1]))
            order[i]->name.bytes = NULL;
    if (order != few)
        free(order);
    for (size_t i = 0; i < n; i++)
        if (attrs[i].name.bytes)
            attrs[kept++] = attrs[i];
    return kept;
}

const struct attr *attrs_of_message(struct wire_in message, uint32_t number, struct arena *arena,
                                    size_t *n)
{
    VEC(struct attr) list = {0};
    struct wire_field field;
    const struct attr *attrs = NULL;

    while (wire_next_len(&message, &field, number))
        vec_push(&list, decode_entry(wire_in_field(&field), arena));
    if (list.n) {
        list.n = drop_replaced(list.data, list.n);
        attrs = arena_copy(arena, list.data, list.n, sizeof *list.data);
    }
    *n = list.n;
    vec_done(&list);
    return attrs;
}

/* Converts the NodeDef in LEN bytes of text to wire format, in ARENA; empty when the text has
 * changed since loading. */
static struct wire_in node_from_text(const uint8_t *text, size_t len, struct arena *arena)
{
    const struct text_source source = {
        .path = "", .text = text, .size_bytes = len, .message = &tfp__node_def__descriptor};
    struct strbuf wire = {0};
    struct err err = {0};
    struct wire_in message = {0};

    if (text_to_wire(&source, &wire, &err))
        message = wire_in_of(arena_memdupz(arena, sb_text(&wire), wire.len), wire.len);
    err_done(&err);
    sb_done(&wire);
    return message;
}

static struct wire_in def_wire(const struct profile *p, struct node_def def, struct arena *arena)
{
    struct wire_pieces value;
    const uint8_t *bytes;

    if (def.form == NODE_FORM_NONE || def.form >= NODE_FORM_OWN_NODE)
        return wire_in_of(NULL, 0);
    bytes = p->files[def.file].bytes + def.offset;
    if (def.form == NODE_FORM_NODEDEF_TEXT)
        return node_from_text(bytes, def.len_bytes, arena);
    if (def.form == NODE_FORM_NODEDEF)
        return wire_in_of(bytes, def.len_bytes);
    value = wire_submessage(wire_in_of(bytes, def.len_bytes), ENTRY_VALUE, arena);
    return wire_in_pieces(&value);
}

struct wire_in node_def_wire(const struct profile *p, node_id node, struct arena *arena)
{
    return def_wire(p, p->def[node], arena);
}

const struct attr *attrs_of_def(const struct profile *p, struct node_def def, struct arena *arena,
                                size_t *n)
{
    static const uint32_t attr_field[] = {
        [NODE_FORM_NONE] = 0,         [NODE_FORM_NODEDEF] = 5, [NODE_FORM_NODEDEF_TEXT] = 5,
        [NODE_FORM_PROFILENODE] = 11, [NODE_FORM_ARG_ATTRS] = 1};
    _Static_assert(sizeof attr_field / sizeof *attr_field == NODE_FORM_OWN_NODE,
                   "a field for each form");

    if (def.form >= NODE_FORM_OWN_NODE) {
        *n = 0;
        return p->attrs_of_def ? p->attrs_of_def(p, def, arena, n) : NULL;
    }
    return attrs_of_message(def_wire(p, def, arena), attr_field[def.form], arena, n);
}

const struct attr *attrs_decode(const struct profile *p, node_id node, struct arena *arena,
                                size_t *n)
{
    const struct attr *attrs = attrs_of_def(p, p->def[node], arena, n);

    return *n || !p->programs ? attrs : p->programs->attrs(p->programs->context, node, arena, n);
}

/* ---- lists of formats with their own decoders */

void attr_add(attr_list *list, const char *name, struct attr_value value)
{
    vec_push(list, ((struct attr){.name = {name, strlen(name)}, .value = value}));
}

void attr_add_int(attr_list *list, const char *name, int64_t value)
{
    attr_add(list, name, (struct attr_value){.kind = ATTR_INT, .v.i = value});
}

void attr_add_text(attr_list *list, const char *name, const void *bytes, size_t len)
{
    if (bytes)
        attr_add(list, name, (struct attr_value){.kind = ATTR_STRING, .v.s = {bytes, len}});
}

const struct attr *attr_list_take(attr_list *list, struct arena *arena, size_t *n)
{
    const struct attr *attrs = arena_copy(arena, list->data, list->n, sizeof *list->data);

    *n = list->n;
    vec_done(list);
    return attrs;
}
