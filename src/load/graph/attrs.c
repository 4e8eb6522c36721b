/* attrs.c: a node's attributes, decoded when somebody looks at them. */
#include "load/graph/attrs.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/wire_in.h"
#include "load/checkpoint/checkpoint.h"
#include "load/graph/tensor.h"
#include "load/text/text_reader.h"
#include "proto/graph.pb-c.h"

/* Numbers of formats-graph.md section 5. */
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2, NAME_ATTR_LIST_NAME = 1 };

/* What a member of AttrValue or AttrValue.ListValue is. */
struct member {
    enum attr_kind kind;
    enum wire_type wire;
};

static const struct member value_members[] = {
    [1] = {ATTR_LIST, WIRE_LEN},        [2] = {ATTR_STRING, WIRE_LEN},
    [3] = {ATTR_INT, WIRE_VARINT},      [4] = {ATTR_FLOAT, WIRE_I32},
    [5] = {ATTR_BOOL, WIRE_VARINT},     [6] = {ATTR_TYPE, WIRE_VARINT},
    [7] = {ATTR_SHAPE, WIRE_LEN},       [8] = {ATTR_TENSOR, WIRE_LEN},
    [9] = {ATTR_PLACEHOLDER, WIRE_LEN}, [10] = {ATTR_FUNC, WIRE_LEN},
};

static const struct member list_members[] = {
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
    struct wire_in message = wire_in_field(field);
    struct wire_field part;

    while (wire_next(&message, &part))
        if (part.number == NAME_ATTR_LIST_NAME && part.type == WIRE_LEN)
            name = bytes_of(&part);
    return name;
}

/* ---- lists */

/* How many elements the members of KIND's field NUMBER hold. */
static uint32_t count_items(struct wire_in message, uint32_t number, enum wire_type wire)
{
    struct wire_field field;
    uint64_t value;
    uint32_t n = 0;

    while (wire_next(&message, &field)) {
        const uint8_t *at = NULL;

        if (field.number != number)
            continue;
        if (wire == WIRE_LEN)
            n += field.type == WIRE_LEN;
        else
            while (wire_next_number(&field, wire, &at, &value))
                n++;
    }
    return n;
}

static void *new_items(enum attr_kind kind, uint32_t n, struct arena *arena)
{
    static const size_t sizes[] = {
        [ATTR_STRING] = sizeof(struct attr_bytes), [ATTR_FUNC] = sizeof(struct attr_bytes),
        [ATTR_INT] = sizeof(int64_t),              [ATTR_BOOL] = sizeof(int64_t),
        [ATTR_TYPE] = sizeof(int64_t),             [ATTR_FLOAT] = sizeof(double),
        [ATTR_SHAPE] = sizeof(struct attr_shape),  [ATTR_TENSOR] = sizeof(struct attr_tensor),
    };

    return arena_calloc(arena, n, sizes[kind]);
}

/* Item I of a list of KIND that is no number. */
static void set_item(enum attr_kind kind, void *items, uint32_t i, const struct wire_field *field,
                     struct arena *arena)
{
    switch (kind) {
    case ATTR_STRING:
        ((struct attr_bytes *)items)[i] = bytes_of(field);
        break;
    case ATTR_FUNC:
        ((struct attr_bytes *)items)[i] = function_name(field);
        break;
    case ATTR_SHAPE:
        ((struct attr_shape *)items)[i] = tensor_shape_decode(wire_in_field(field), arena);
        break;
    default:
        ((struct attr_tensor *)items)[i] = tensor_decode(wire_in_field(field), arena);
        break;
    }
}

static void set_numbers(enum attr_kind kind, void *items, uint32_t *i,
                        const struct wire_field *field, enum wire_type wire)
{
    const uint8_t *at = NULL;
    uint64_t value;

    while (wire_next_number(field, wire, &at, &value)) {
        if (kind == ATTR_FLOAT)
            ((double *)items)[*i] = (double)wire_float(value);
        else
            ((int64_t *)items)[*i] = (int64_t)value;
        ++*i;
    }
}

/* The list holds elements of one kind; of a malformed one with several, the
 * first kind met counts. */
static void decode_list(struct wire_in message, struct arena *arena, struct attr_value *out)
{
    const struct wire_in whole = message;
    struct wire_field field;
    const struct member *member = NULL;
    void *items;
    uint32_t i = 0;

    out->kind = ATTR_LIST;
    while (!member && wire_next(&message, &field))
        if (field.number < COUNT(list_members) && list_members[field.number].kind != ATTR_NONE &&
            (field.type == list_members[field.number].wire || field.type == WIRE_LEN))
            member = &list_members[field.number];
    if (!member)
        return;
    out->item_kind = member->kind;
    out->n_items = count_items(whole, field.number, member->wire);
    items = new_items(member->kind, out->n_items, arena);
    out->v.list_s = items;
    message = whole;
    while (i < out->n_items && wire_next(&message, &field)) {
        if (field.number >= COUNT(list_members) || &list_members[field.number] != member)
            continue;
        if (member->wire != WIRE_LEN)
            set_numbers(member->kind, items, &i, &field, member->wire);
        else if (field.type == WIRE_LEN)
            set_item(member->kind, items, i++, &field, arena);
    }
}

/* ---- single values */

static void decode_member(enum attr_kind kind, const struct wire_field *field, struct arena *arena,
                          struct attr_value *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    switch (kind) {
    case ATTR_LIST:
        decode_list(wire_in_field(field), arena, out);
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

struct attr_member attr_member_set(struct wire_in *value, struct arena *pieces)
{
    struct attr_member set = {0};
    struct wire_field f;

    while (wire_next(value, &f)) {
        if (f.number >= COUNT(value_members) || value_members[f.number].kind == ATTR_NONE ||
            value_members[f.number].wire != f.type)
            continue;
        if (f.number != set.number || !is_message(value_members[f.number].kind))
            set = (struct attr_member){.number = f.number, .field = f};
        if (f.type == WIRE_LEN)
            wire_pieces_add(&set.message, f.bytes, f.len, pieces);
    }
    return set;
}

void attr_value_decode(struct wire_in message, struct arena *arena, struct attr_value *out)
{
    struct attr_member set = attr_member_set(&message, arena);

    memset(out, 0, sizeof *out);
    set.field.bytes = set.message.bytes;
    set.field.len = set.message.len;
    if (set.number)
        decode_member(value_members[set.number].kind, &set.field, arena, out);
}

static struct attr decode_entry(struct wire_in message, struct arena *arena)
{
    const struct wire_pieces value = wire_submessage(message, ENTRY_VALUE, arena);
    struct attr attr = {.name = {"", 0}};
    struct wire_field field;

    while (wire_next(&message, &field))
        if (field.number == ENTRY_KEY && field.type == WIRE_LEN)
            attr.name = bytes_of(&field);
    if (value.bytes)
        attr_value_decode(wire_in_pieces(&value), arena, &attr.value);
    return attr;
}

/* ---- all of a message */

static int by_name_then_place(const void *left, const void *right)
{
    const struct attr *a = *(const struct attr *const *)left;
    const struct attr *b = *(const struct attr *const *)right;
    size_t shorter = a->name.len < b->name.len ? a->name.len : b->name.len;
    int order = memcmp(a->name.bytes, b->name.bytes, shorter);

    if (order)
        return order;
    if (a->name.len != b->name.len)
        return a->name.len < b->name.len ? -1 : 1;
    return a < b ? -1 : 1;
}

static bool same_name(const struct attr *a, const struct attr *b)
{
    return a->name.len == b->name.len && memcmp(a->name.bytes, b->name.bytes, a->name.len) == 0;
}

/* Takes out what a later attribute of the same name replaces; returns how
 * many are left. */
static size_t drop_replaced(struct attr *attrs, size_t n)
{
    VEC(struct attr *) order = {0};
    size_t kept = 0;

    vec_reserve(&order, n + 1);
    for (size_t i = 0; i < n; i++)
        vec_push(&order, &attrs[i]);
    qsort(order.data, n, sizeof *order.data, by_name_then_place);
    for (size_t i = 0; i + 1 < n; i++)
        if (same_name(order.data[i], order.data[i + 1]))
            order.data[i]->name.bytes = NULL;
    vec_done(&order);
    for (size_t i = 0; i < n; i++)
        if (attrs[i].name.bytes)
            attrs[kept++] = attrs[i];
    return kept;
}

const struct attr *attrs_of_message(struct wire_in message, uint32_t number, struct arena *arena,
                                    size_t *n)
{
    const struct wire_in whole = message;
    struct wire_field field;
    struct attr *attrs;
    size_t i = 0;

    *n = 0;
    while (wire_next(&message, &field))
        *n += field.number == number && field.type == WIRE_LEN;
    if (!*n)
        return NULL;
    attrs = ARENA_NEW(arena, struct attr, *n);
    message = whole;
    while (wire_next(&message, &field))
        if (field.number == number && field.type == WIRE_LEN)
            attrs[i++] = decode_entry(wire_in_field(&field), arena);
    *n = drop_replaced(attrs, *n);
    return attrs;
}

/* The NodeDef that LEN bytes of text spell, in ARENA; empty when the text is
 * not what it was at loading. */
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

    if (def.form == NODE_FORM_NONE)
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

    return attrs_of_message(def_wire(p, def, arena), attr_field[def.form], arena, n);
}

const struct attr *attrs_decode(const struct profile *p, node_id node, struct arena *arena,
                                size_t *n)
{
    return attrs_of_def(p, p->def[node], arena, n);
}

static bool stored_shape(const struct profile *p, const char *name, size_t len,
                         struct attr_shape *shape)
{
    const struct checkpoint_tensor *t =
        p->checkpoint ? checkpoint_find(p->checkpoint, name, len) : NULL;

    if (t)
        *shape = t->shape;
    return t != NULL;
}

const struct attr_source attrs_source = {
    .decode = attrs_decode,
    .int64s = tensor_int64s,
    .doubles = tensor_doubles,
    .strings = tensor_strings,
    .stored_shape = stored_shape,
};
