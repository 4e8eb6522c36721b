/* case_tree.c: generated cases as trees: construction and changes. */
#include "meaning/case_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wire_in.h"

enum { MAX_DEPTH = 90 };

void case_tree_done(struct case_tree *t)
{
    vec_done(&t->items);
    sb_done(&t->texts);
    t->depth = 0;
}

void case_tree_copy(struct case_tree *to, const struct case_tree *from)
{
    memset(to, 0, sizeof *to);
    vec_reserve(&to->items, from->items.n);
    for (size_t i = 0; i < from->items.n; i++)
        vec_push(&to->items, from->items.data[i]);
    sb_add(&to->texts, sb_text(&from->texts), from->texts.len);
    to->depth = from->depth;
}

/* ---- building */

void case_tree_open(struct case_tree *t, struct item item, const void *text, size_t len)
{
    case_tree_add(t, item, text, len);
    t->depth++;
}

void case_tree_close(struct case_tree *t)
{
    t->depth--;
}

void case_tree_add(struct case_tree *t, struct item item, const void *text, size_t len)
{
    item.depth = t->depth;
    item.text_at = t->texts.len;
    item.text_len = len;
    if (len)
        sb_add(&t->texts, text, len);
    vec_push(&t->items, item);
}

/* The innermost open message. */
static const ProtobufCMessageDescriptor *open_type(const struct case_tree *t)
{
    for (size_t i = t->items.n; i-- > 0;)
        if (t->items.data[i].depth < t->depth)
            return t->items.data[i].type;
    return NULL;
}

static const ProtobufCFieldDescriptor *field_named(const struct case_tree *t, const char *name)
{
    const ProtobufCMessageDescriptor *type = open_type(t);
    const ProtobufCFieldDescriptor *field =
        type ? protobuf_c_message_descriptor_get_field_by_name(type, name) : NULL;

    if (!field) {
        fprintf(stderr, "%s has no field %s\n", type ? type->name : "what is open", name);
        abort();
    }
    return field;
}

void put_open(struct case_tree *t, const char *field)
{
    const ProtobufCFieldDescriptor *f = field_named(t, field);

    case_tree_open(t, (struct item){.kind = ITEM_MESSAGE, .field = f, .type = f->descriptor}, NULL, 0);
}

void put_open_as(struct case_tree *t, const char *field, const ProtobufCMessageDescriptor *type)
{
    case_tree_open(t, (struct item){.kind = ITEM_MESSAGE, .field = field_named(t, field), .type = type},
              NULL, 0);
}

void put_int(struct case_tree *t, const char *field, int64_t value)
{
    case_tree_add(t, (struct item){.kind = ITEM_NUMBER, .field = field_named(t, field),
                              .value = (uint64_t)value}, NULL, 0);
}

void put_real(struct case_tree *t, const char *field, double value)
{
    const ProtobufCFieldDescriptor *f = field_named(t, field);
    const float single = (float)value;
    uint64_t bits = 0;

    if (f->type == PROTOBUF_C_TYPE_FLOAT)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    case_tree_add(t, (struct item){.kind = ITEM_NUMBER, .field = f, .value = bits}, NULL, 0);
}

void put_bytes(struct case_tree *t, const char *field, const void *bytes, size_t len)
{
    case_tree_add(t, (struct item){.kind = ITEM_BYTES, .field = field_named(t, field)}, bytes, len);
}

void put_text(struct case_tree *t, const char *field, const char *text)
{
    put_bytes(t, field, text, strlen(text));
}

void put_entry(struct case_tree *t, const char *field, const char *key)
{
    put_open(t, field);
    put_text(t, "key", key);
}

void put_file(struct case_tree *t, const char *name, const ProtobufCMessageDescriptor *type)
{
    put_file_as(t, ITEM_FILE, name, type);
}

void put_file_as(struct case_tree *t, enum item_kind kind, const char *name,
                 const ProtobufCMessageDescriptor *type)
{
    case_tree_open(t, (struct item){.kind = (uint8_t)kind, .type = type}, name, strlen(name));
}

void put_option(struct case_tree *t, const char *format, ...)
{
    struct strbuf text = {0};
    va_list args;

    va_start(args, format);
    sb_vaddf(&text, format, args);
    va_end(args);
    case_tree_add(t, (struct item){.kind = ITEM_OPTION}, sb_text(&text), text.len);
    sb_done(&text);
}

/* ---- decoding of wire format */

static enum wire_type wire_type_of(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return WIRE_I32;
    case PROTOBUF_C_TYPE_DOUBLE:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return WIRE_I64;
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_LEN;
    default:
        return WIRE_VARINT;
    }
}

static void read_numbers(struct case_tree *t, const ProtobufCFieldDescriptor *field,
                         const struct wire_field *f)
{
    const bool packed = f->type == WIRE_LEN;
    const uint8_t *at = NULL;
    uint64_t value;

    if (packed)
        case_tree_open(t, (struct item){.kind = ITEM_PACKED, .field = field}, NULL, 0);
    while (wire_next_number(f, wire_type_of(field), &at, &value))
        case_tree_add(t, (struct item){.kind = ITEM_NUMBER, .field = field, .value = value}, NULL, 0);
    if (packed)
        case_tree_close(t);
}

/* State of one nesting depth; decoding uses an explicit stack of these instead of recursion. */
struct reading {
    const ProtobufCMessageDescriptor *type;
    struct wire_in in;
};

void case_tree_read(struct case_tree *t, const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
               size_t len)
{
    struct reading stack[MAX_DEPTH] = {{type, wire_in_of(bytes, len)}};
    size_t n = 1;

    while (n) {
        struct reading *r = &stack[n - 1];
        const ProtobufCFieldDescriptor *field;
        struct wire_field f;

        if (!wire_next(&r->in, &f)) {
            if (--n)
                case_tree_close(t);
            continue;
        }
        field = protobuf_c_message_descriptor_get_field(r->type, f.number);
        if (!field) {
            continue;
        } else if (wire_type_of(field) != WIRE_LEN) {
            read_numbers(t, field, &f);
        } else if (f.type != WIRE_LEN) {
            continue;
        } else if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
            case_tree_add(t, (struct item){.kind = ITEM_BYTES, .field = field}, f.bytes, f.len);
        } else if (n < MAX_DEPTH) {
            case_tree_open(t, (struct item){.kind = ITEM_MESSAGE, .field = field, .type = field->descriptor},
                      NULL, 0);
            stack[n++] = (struct reading){field->descriptor, wire_in_field(&f)};
        }
    }
}

/* ---- changing */

size_t case_tree_end(const struct case_tree *t, size_t i)
{
    size_t end = i + 1;

    while (end < t->items.n && t->items.data[end].depth > t->items.data[i].depth)
        end++;
    return end;
}

const char *case_tree_text(const struct case_tree *t, size_t i)
{
    return sb_text(&t->texts) + t->items.data[i].text_at;
}

void case_tree_set_text(struct case_tree *t, size_t i, const void *text, size_t len)
{
    t->items.data[i].text_at = t->texts.len;
    t->items.data[i].text_len = len;
    if (len)
        sb_add(&t->texts, text, len);
}

void case_tree_remove(struct case_tree *t, size_t from, size_t to)
{
    if (to < t->items.n)
        memmove(t->items.data + from, t->items.data + to, (t->items.n - to) * sizeof *t->items.data);
    t->items.n -= to - from;
}

void case_tree_insert(struct case_tree *t, size_t at, uint32_t depth, const struct case_tree *source, size_t from)
{
    const size_t end = case_tree_end(source, from);
    VEC(struct item) tail = {0};
    uint32_t top = source->items.data[from].depth;

    vec_reserve(&tail, end - from + t->items.n - at);
    for (size_t i = from; i < end; i++)
        vec_push(&tail, source->items.data[i]);
    for (size_t i = 0; i < end - from; i++) {
        const size_t len = tail.data[i].text_len;
        char *text = malloc(len + 1);

        /* A copy: sb_add() may move the texts if SOURCE is T. */
        if (!text)
            abort();
        memcpy(text, sb_text(&source->texts) + tail.data[i].text_at, len);
        tail.data[i].text_at = t->texts.len;
        sb_add(&t->texts, text, len);
        tail.data[i].depth = tail.data[i].depth - top + depth;
        free(text);
    }
    for (size_t i = at; i < t->items.n; i++)
        vec_push(&tail, t->items.data[i]);
    t->items.n = at;
    vec_reserve(&t->items, at + tail.n);
    for (size_t i = 0; i < tail.n; i++)
        vec_push(&t->items, tail.data[i]);
    vec_done(&tail);
}

size_t case_tree_parent(const struct case_tree *t, size_t i)
{
    const uint32_t depth = t->items.data[i].depth;

    while (i-- > 0)
        if (t->items.data[i].depth < depth)
            return i;
    return SIZE_MAX;
}
