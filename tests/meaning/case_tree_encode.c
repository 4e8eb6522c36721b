/* case_tree_encode.c: generated cases encoded as files, and in readable form. */
#include "meaning/case_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/crc32c.h"
#include "base/wire_in.h"
#include "base/wire_out.h"
#include "fixtures/checkpoint_bytes.h"

enum { MAX_OPEN = 256, RECORD_HEAD_BYTES = 12 };

/* An open container and where its contents begin in the output. */
struct opened {
    const struct item *item;
    size_t mark;
};

struct encoder {
    const struct case_tree *tree;
    struct strbuf *out;
    struct opened stack[MAX_OPEN];
    size_t n;
};

static bool is_real(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_FLOAT || field->type == PROTOBUF_C_TYPE_DOUBLE;
}

static void put_number(struct strbuf *out, const struct item *item, bool packed)
{
    const bool four = item->field->type == PROTOBUF_C_TYPE_FLOAT ||
                      item->field->type == PROTOBUF_C_TYPE_FIXED32;
    const bool eight = item->field->type == PROTOBUF_C_TYPE_DOUBLE ||
                       item->field->type == PROTOBUF_C_TYPE_FIXED64;

    if (!packed)
        wire_tag(out, item->field->id, four ? WIRE_I32 : eight ? WIRE_I64 : WIRE_VARINT);
    if (four || eight)
        wire_fixed(out, item->value, four ? 4 : 8);
    else
        wire_varint(out, item->value);
}

static void end_record(struct strbuf *out, size_t mark)
{
    const size_t len = out->len - mark - RECORD_HEAD_BYTES;
    struct strbuf head = {0};

    wire_fixed(&head, len, 8);
    wire_fixed(&head, crc32c_mask(crc32c_extend(0, head.data, 8)), 4);
    memcpy(out->data + mark, head.data, RECORD_HEAD_BYTES);
    wire_fixed(out, crc32c_mask(crc32c_extend(0, out->data + mark + RECORD_HEAD_BYTES, len)), 4);
    sb_done(&head);
}

/* Removes and returns the bytes of OUT after the first MARK bytes; the caller frees them. */
static struct strbuf take_tail(struct strbuf *out, size_t mark)
{
    struct strbuf tail = {0};

    sb_add(&tail, sb_text(out) + mark, out->len - mark);
    sb_truncate(out, mark);
    return tail;
}

static void end_entry(struct encoder *e, const struct opened *o)
{
    struct strbuf value = take_tail(e->out, o->mark);

    wire_varint(e->out, 0); /* length of the prefix shared with the previous key */
    wire_varint(e->out, o->item->text_len);
    wire_varint(e->out, value.len);
    sb_add(e->out, sb_text(&e->tree->texts) + o->item->text_at, o->item->text_len);
    sb_add(e->out, sb_text(&value), value.len);
    sb_done(&value);
}

static void end_table(struct strbuf *out, size_t mark)
{
    struct strbuf entries = take_tail(out, mark), table = {0};

    checkpoint_table(&table, (const uint8_t *)sb_text(&entries), entries.len);
    sb_add(out, table.data, table.len);
    sb_done(&entries);
    sb_done(&table);
}

static void close_to(struct encoder *e, uint32_t depth)
{
    while (e->n && e->stack[e->n - 1].item->depth >= depth) {
        const struct opened *o = &e->stack[--e->n];

        if (o->item->kind == ITEM_RECORD)
            end_record(e->out, o->mark);
        else if (o->item->kind == ITEM_ENTRY)
            end_entry(e, o);
        else if (o->item->kind == ITEM_TABLE)
            end_table(e->out, o->mark);
        else if (o->item->field)
            wire_end(e->out, o->mark);
    }
}

static void open_item(struct encoder *e, const struct item *item)
{
    size_t mark = e->out->len;

    if (e->n == MAX_OPEN)
        abort();
    if (item->kind == ITEM_RECORD)
        sb_pad(e->out, '\0', RECORD_HEAD_BYTES);
    else if (item->field)
        mark = wire_begin(e->out, item->field->id);
    e->stack[e->n++] = (struct opened){item, mark};
}

static void encode_item(struct encoder *e, const struct item *item)
{
    const char *text = sb_text(&e->tree->texts) + item->text_at;

    close_to(e, item->depth);
    switch ((enum item_kind)item->kind) {
    case ITEM_NUMBER:
        put_number(e->out, item, e->n && e->stack[e->n - 1].item->kind == ITEM_PACKED);
        break;
    case ITEM_BYTES:
        wire_bytes(e->out, item->field->id, text, item->text_len);
        break;
    case ITEM_RAW:
        sb_add(e->out, text, item->text_len);
        break;
    case ITEM_MESSAGE:
    case ITEM_PACKED:
    case ITEM_RECORD:
    case ITEM_TABLE:
    case ITEM_ENTRY:
        open_item(e, item);
        break;
    case ITEM_FILE:
    case ITEM_JSON:
    case ITEM_SQLITE:
    case ITEM_FLAT:
    case ITEM_OPTION:
        abort();
    }
}

/* Encodes items FROM to END - 1 in binary form and ignores `copies`. */
static void encode_once(const struct case_tree *t, size_t from, size_t end, struct strbuf *out)
{
    struct encoder e = {.tree = t, .out = out};

    for (size_t i = from; i < end; i++)
        encode_item(&e, &t->items.data[i]);
    close_to(&e, 0);
}

/* Encodes items FROM to END - 1 in binary form. */
static void encode_range(const struct case_tree *t, size_t from, size_t end, struct strbuf *out)
{
    struct encoder e = {.tree = t, .out = out};

    for (size_t i = from; i < end; i++) {
        const struct item *item = &t->items.data[i];

        encode_item(&e, item);
        if (item->copies && item->field) {
            struct strbuf copy = {0};

            for (size_t k = i + 1; k < case_tree_end(t, i); k++)
                encode_item(&e, &t->items.data[k]);
            close_to(&e, item->depth);
            encode_once(t, i, case_tree_end(t, i), &copy);
            for (uint32_t n = item->copies; n > 0; n--)
                sb_add(out, sb_text(&copy), copy.len);
            sb_done(&copy);
            i = case_tree_end(t, i) - 1;
        }
    }
    close_to(&e, 0);
}

bool case_tree_is_large(const struct case_tree *t)
{
    for (size_t i = 0; i < t->items.n; i++)
        if (t->items.data[i].copies)
            return true;
    return false;
}

/* ---- text form */

static void print_quoted(struct strbuf *out, const char *text, size_t len)
{
    sb_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c < ' ' || c >= 0x7f || c == '"' || c == '\\')
            sb_addf(out, "\\%03o", c);
        else
            sb_addc(out, (char)c);
    }
    sb_addc(out, '"');
}

static void print_real(struct strbuf *out, const struct item *item)
{
    const double value = item->field->type == PROTOBUF_C_TYPE_FLOAT ? (double)wire_float(item->value)
                                                                    : wire_double(item->value);

    if (isnan(value))
        sb_adds(out, "nan");
    else if (isinf(value))
        sb_adds(out, value < 0 ? "-inf" : "inf");
    else
        sb_addf(out, "%.17g", value);
}

static void print_number(struct strbuf *out, const struct item *item)
{
    const ProtobufCEnumValue *name =
        item->field->type == PROTOBUF_C_TYPE_ENUM
            ? protobuf_c_enum_descriptor_get_value(item->field->descriptor, (int)item->value)
            : NULL;

    if (is_real(item->field))
        print_real(out, item);
    else if (name)
        sb_adds(out, name->name);
    else if (item->field->type == PROTOBUF_C_TYPE_BOOL)
        sb_adds(out, item->value ? "true" : "false");
    else if (item->field->type == PROTOBUF_C_TYPE_UINT64)
        sb_addf(out, "%" PRIu64, item->value);
    else
        sb_addf(out, "%" PRId64, (int64_t)item->value);
}

static const char *container_name(const struct item *item)
{
    static const char *const names[] = {
        [ITEM_FILE] = "file",     [ITEM_OPTION] = "option", [ITEM_RAW] = "bytes",
        [ITEM_JSON] = "file",     [ITEM_SQLITE] = "file",   [ITEM_FLAT] = "file",
        [ITEM_RECORD] = "record", [ITEM_TABLE] = "table",   [ITEM_ENTRY] = "entry",
    };

    if (item->field)
        return item->field->name;
    return item->kind == ITEM_MESSAGE ? item->type->name : names[item->kind];
}

static void print_item(const struct case_tree *t, const struct item *item, struct strbuf *out)
{
    const char *text = sb_text(&t->texts) + item->text_at;

    sb_adds(out, container_name(item));
    if (item->kind == ITEM_NUMBER) {
        sb_adds(out, ": ");
        print_number(out, item);
    } else if (item->text_len || item->kind == ITEM_BYTES) {
        sb_adds(out, item->kind == ITEM_BYTES ? ": " : " ");
        print_quoted(out, text, item->text_len);
    }
}

/* Prints items FROM to END - 1, the first of them at depth BASE, in protobuf text format (a message
 * in a bytes field becomes a string), or in readable form if FOR_PEOPLE. */
static void print_range(const struct case_tree *t, size_t from, size_t end, uint32_t base,
                        bool for_people, struct strbuf *out)
{
    uint32_t open = 0; /* open brackets */

    for (size_t i = from; i < end; i++) {
        const struct item *item = &t->items.data[i];
        const uint32_t depth = item->depth - base;
        const bool as_bytes = !for_people && item->kind == ITEM_MESSAGE && item->field &&
                              item->field->type != PROTOBUF_C_TYPE_MESSAGE;

        if (!for_people && item->kind == ITEM_PACKED)
            continue;
        for (; open > depth; open--)
            sb_addf(out, "%*s}\n", (int)(2 * (open - 1)), "");
        sb_addf(out, "%*s", (int)(2 * depth), "");
        if (as_bytes) {
            struct strbuf bytes = {0};
            const size_t item_end = case_tree_end(t, i);

            encode_range(t, i + 1, item_end, &bytes);
            sb_addf(out, "%s: ", item->field->name);
            print_quoted(out, sb_text(&bytes), bytes.len);
            sb_done(&bytes);
            i = item_end - 1;
        } else {
            print_item(t, item, out);
            if (for_people && item->copies)
                sb_addf(out, " (and %" PRIu32 " copies)", item->copies);
            if (item->kind == ITEM_MESSAGE || (for_people && case_tree_end(t, i) > i + 1)) {
                sb_adds(out, " {");
                open = depth + 1;
            }
        }
        sb_addc(out, '\n');
    }
    for (; open > 0; open--)
        sb_addf(out, "%*s}\n", (int)(2 * (open - 1)), "");
}

/* ---- files */

static void pack(struct strbuf *bytes)
{
    z_stream z = {0};
    struct strbuf packed = {0};
    const size_t max = compressBound(bytes->len) + 64;

    if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (Bytef *)bytes->data;
    z.avail_in = (uInt)bytes->len;
    z.next_out = (Bytef *)sb_reserve(&packed, max);
    z.avail_out = (uInt)max;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    packed.len += z.total_out;
    deflateEnd(&z);
    sb_done(bytes);
    *bytes = packed;
}

size_t case_tree_encode(const struct case_tree *t, size_t i, struct strbuf *out)
{
    const struct item *file = &t->items.data[i];
    size_t unpacked;

    if (file->kind == ITEM_JSON)
        case_tree_encode_json(t, i, out);
    else if (file->kind == ITEM_SQLITE)
        case_tree_encode_sqlite(t, i, out);
    else if (file->kind == ITEM_FLAT)
        case_tree_encode_flat(t, i, out);
    else if (file->form == FORM_TEXT)
        print_range(t, i + 1, case_tree_end(t, i), file->depth + 1, false, out);
    else
        encode_range(t, i + 1, case_tree_end(t, i), out);
    unpacked = out->len;
    if (file->form == FORM_GZIP)
        pack(out);
    return unpacked;
}

void case_tree_print(const struct case_tree *t, struct strbuf *out)
{
    print_range(t, 0, t->items.n, 0, true, out);
}
