/* rewrite.c: rewrites a message without changing its meaning.
 *
 *     rewrite pieces SEED MESSAGE <message >same     in pieces, as merging allows
 *     rewrite order SEED MESSAGE <message >same      nodes, functions and maps in another order
 *
 * In pieces: messages that are not list elements are split in two, lists of numbers are packed,
 * unpacked or in chunks, a number or text is preceded by another one that it replaces, and unknown
 * fields are inserted (sections 1.1 to 1.4 of formats-graph.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "base/wire_out.h"
#include "proto/graph.pb-c.h"
#include "proto/meta_graph.pb-c.h"
#include "proto/run_meta.pb-c.h"
#include "proto/tfprof.pb-c.h"

enum { UNKNOWN_FIELD = 1000 };

typedef VEC(struct wire_field) field_list;

static uint64_t random_state;
static bool in_pieces;

static bool one_in(unsigned n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % n == 0;
}

static size_t below(size_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return n ? (size_t)(random_state >> 33) % n : 0;
}

static const ProtobufCFieldDescriptor *find(const ProtobufCMessageDescriptor *message,
                                            uint32_t number)
{
    return message ? protobuf_c_message_descriptor_get_field(message, number) : NULL;
}

static void list_fields(struct wire_in in, field_list *fields)
{
    struct wire_field f;

    while (wire_next(&in, &f))
        vec_push(fields, f);
}

static enum wire_type wire_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return WIRE_I32;
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return WIRE_I64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_LEN;
    default:
        return WIRE_VARINT;
    }
}

static void put_number(struct strbuf *sb, enum wire_type type, uint64_t value)
{
    if (type == WIRE_VARINT)
        wire_varint(sb, value);
    else
        wire_fixed(sb, value, type == WIRE_I32 ? 4 : 8);
}

static void put_payload(struct strbuf *sb, const struct wire_field *f)
{
    if (f->type == WIRE_LEN) {
        wire_varint(sb, f->len);
        sb_add(sb, (const char *)f->bytes, f->len);
    } else {
        put_number(sb, f->type, f->value);
    }
}

/* The numbers of F packed, one by one, or in a mixture of both. */
static void put_numbers(struct strbuf *sb, const struct wire_field *f, enum wire_type type)
{
    struct strbuf chunk = {0};
    const uint8_t *at = NULL;
    uint64_t value;

    while (wire_next_number(f, type, &at, &value)) {
        if (one_in(3)) {
            if (chunk.len)
                wire_bytes(sb, f->number, sb_text(&chunk), chunk.len);
            sb_clear(&chunk);
            wire_tag(sb, f->number, type);
            put_number(sb, type, value);
        } else {
            put_number(&chunk, type, value);
        }
    }
    if (chunk.len)
        wire_bytes(sb, f->number, sb_text(&chunk), chunk.len);
    sb_done(&chunk);
}

/* A value that a later one replaces. */
static void put_replaced(struct strbuf *sb, const struct wire_field *f)
{
    if (f->type == WIRE_LEN) {
        wire_bytes(sb, f->number, "replaced", 8);
    } else {
        wire_tag(sb, f->number, f->type);
        put_number(sb, f->type, f->value + 1);
    }
}

static void put_message(struct strbuf *sb, struct wire_in in,
                        const ProtobufCMessageDescriptor *message);

/* A field of a message, in pieces where possible. */
static void put_field(struct strbuf *sb, const struct wire_field *f,
                      const ProtobufCFieldDescriptor *known)
{
    const bool is_list = known && known->label == PROTOBUF_C_LABEL_REPEATED;
    struct strbuf payload = {0};
    field_list inside = {0};

    if (!known || (f->type != WIRE_LEN && is_list)) {
        wire_tag(sb, f->number, f->type);
        put_payload(sb, f);
        return;
    }
    if (known->type == PROTOBUF_C_TYPE_MESSAGE) {
        put_message(&payload, wire_in_field(f), known->descriptor);
        list_fields(wire_in_of(sb_text(&payload), payload.len), &inside);
        if (in_pieces && !is_list && inside.n > 1 && one_in(2)) {
            const size_t cut =
                (size_t)((const char *)inside.data[1 + below(inside.n - 1)].start - sb_text(&payload));

            wire_bytes(sb, f->number, sb_text(&payload), cut);
            wire_bytes(sb, f->number, sb_text(&payload) + cut, payload.len - cut);
        } else {
            wire_bytes(sb, f->number, sb_text(&payload), payload.len);
        }
    } else if (in_pieces && is_list && wire_of(known->type) != WIRE_LEN) {
        put_numbers(sb, f, wire_of(known->type));
    } else {
        if (in_pieces && !is_list && one_in(4))
            put_replaced(sb, f);
        wire_tag(sb, f->number, f->type);
        put_payload(sb, f);
    }
    vec_done(&inside);
    sb_done(&payload);
}

/* True for lists whose order has no meaning. */
static bool is_set(const ProtobufCMessageDescriptor *message, uint32_t number)
{
    const ProtobufCFieldDescriptor *known = find(message, number);

    const ProtobufCMessageDescriptor *inside;

    if (!known || known->type != PROTOBUF_C_TYPE_MESSAGE ||
        known->label != PROTOBUF_C_LABEL_REPEATED)
        return false;
    inside = known->descriptor;
    return (message == &tfp__graph_def__descriptor && number == 1) ||
           (message == &tfp__function_def_library__descriptor && number == 1) ||
           (message == &tfp__function_def__descriptor && number == 3) ||
           strstr(inside->name, "Entry") != NULL;
}

static void shuffle(field_list *fields, const ProtobufCMessageDescriptor *message)
{
    for (size_t i = fields->n; i > 1; i--) {
        struct wire_field *a = &fields->data[i - 1], *b = &fields->data[below(i)];
        const struct wire_field kept = *a;

        if (a->number != b->number || !is_set(message, a->number))
            continue;
        *a = *b;
        *b = kept;
    }
}

static void put_message(struct strbuf *sb, struct wire_in in,
                        const ProtobufCMessageDescriptor *message)
{
    field_list fields = {0};

    list_fields(in, &fields);
    if (!in_pieces)
        shuffle(&fields, message);
    for (size_t i = 0; i < fields.n; i++) {
        if (in_pieces && one_in(20))
            wire_bytes(sb, UNKNOWN_FIELD, "unknown", 7);
        put_field(sb, &fields.data[i], find(message, fields.data[i].number));
    }
    vec_done(&fields);
}

int main(int argc, char **argv)
{
    static const ProtobufCMessageDescriptor *const messages[] = {
        &tfp__graph_def__descriptor,    &tfp__meta_graph_def__descriptor,
        &tfp__saved_model__descriptor,  &tfp__run_metadata__descriptor,
        &tfp__op_log_proto__descriptor, &tfp__profile_proto__descriptor,
    };
    struct strbuf in = {0}, out = {0};
    char chunk[1 << 16];
    size_t n;

    if (argc != 4)
        return 2;
    in_pieces = strcmp(argv[1], "pieces") == 0;
    random_state = strtoull(argv[2], NULL, 10);
    while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
        sb_add(&in, chunk, n);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strcmp(messages[i]->short_name, argv[3]) == 0)
            put_message(&out, wire_in_of(sb_text(&in), in.len), messages[i]);
    if (!out.len)
        return 1;
    fwrite(sb_text(&out), 1, out.len, stdout);
    sb_done(&in);
    sb_done(&out);
    return 0;
}
