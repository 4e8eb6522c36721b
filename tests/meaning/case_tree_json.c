/* case_tree_json.c: messages as JSON, with names and types as described in trace.proto. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "meaning/case_tree.h"

enum { MAX_OPEN = 128 };

struct opened {
    uint32_t depth;
    bool is_array, has_some;
};

struct json_writer {
    const struct case_tree *tree;
    struct strbuf *out;
    struct opened stack[MAX_OPEN];
    size_t n;
};

static void put_string(struct strbuf *out, const char *text, size_t len)
{
    sb_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c < ' ')
            sb_addf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            sb_addf(out, "\\%c", c);
        else
            sb_addc(out, (char)c);
    }
    sb_addc(out, '"');
}

static void put_key(struct strbuf *out, const char *name)
{
    const char *end = strstr(name, "__as");
    const size_t len = end ? (size_t)(end - name) : strlen(name);

    sb_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        const bool blank = i + 1 < len && name[i] == '_' && name[i + 1] == '_';

        sb_addc(out, blank ? ' ' : name[i]);
        i += blank;
    }
    sb_adds(out, "\":");
}

static void put_number(struct strbuf *out, const struct item *item)
{
    const int64_t value = (int64_t)item->value;
    const uint64_t size = value < 0 ? -item->value : item->value;

    if (item->field->type == PROTOBUF_C_TYPE_SFIXED64)
        sb_addf(out, "%s%" PRIu64 ".%03" PRIu64, value < 0 ? "-" : "", size / 1000, size % 1000);
    else
        sb_addf(out, "%" PRId64, value);
}

static void close_to(struct json_writer *w, uint32_t depth)
{
    while (w->n && w->stack[w->n - 1].depth >= depth)
        sb_addc(w->out, w->stack[--w->n].is_array ? ']' : '}');
}

static void open_message(struct json_writer *w, const ProtobufCMessageDescriptor *type, uint32_t depth)
{
    const bool is_array = type->n_fields && strcmp(type->fields[0].name, "element") == 0;

    if (w->n == MAX_OPEN)
        abort();
    sb_addc(w->out, is_array ? '[' : '{');
    w->stack[w->n++] = (struct opened){.depth = depth, .is_array = is_array};
}

static void put_item(struct json_writer *w, const struct item *item)
{
    struct opened *in;

    close_to(w, item->depth);
    in = &w->stack[w->n - 1];
    if (in->has_some)
        sb_adds(w->out, item->kind == ITEM_MESSAGE ? ",\n" : ",");
    in->has_some = true;
    if (!in->is_array)
        put_key(w->out, item->field->name);
    if (item->kind == ITEM_MESSAGE)
        open_message(w, item->type, item->depth);
    else if (item->kind == ITEM_NUMBER)
        put_number(w->out, item);
    else
        put_string(w->out, sb_text(&w->tree->texts) + item->text_at, item->text_len);
}

void case_tree_encode_json(const struct case_tree *t, size_t i, struct strbuf *out)
{
    const struct item *file = &t->items.data[i];
    const size_t end = case_tree_end(t, i);
    struct json_writer w = {.tree = t, .out = out};

    open_message(&w, file->type, file->depth);
    for (i++; i < end; i++)
        put_item(&w, &t->items.data[i]);
    close_to(&w, 0);
}
