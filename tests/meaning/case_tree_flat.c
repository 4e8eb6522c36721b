/* case_tree_flat.c: messages as FlatBuffers: field N of a message is that at offset 2 + 2 N of the
 * vtable. */
#include "base/wire_out.h"
#include "meaning/case_tree.h"

/* Every field of a table takes 8 bytes, behind the offset of its vtable. */
enum { CELL_BYTES = 8, OFFSET_BYTES = 4, VTABLE_HEAD_BYTES = 4 };

struct flat_writer {
    const struct case_tree *tree;
    struct strbuf *out;
};

static void align(struct strbuf *out)
{
    sb_pad(out, '\0', (CELL_BYTES - out->len % CELL_BYTES) % CELL_BYTES);
}

static void patch(struct strbuf *out, size_t at, uint64_t number, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        out->data[at + i] = (char)(number >> 8 * i & 0xff);
}

/* Makes the offset at AT lead to the end of what is written. */
static void lead_here(struct strbuf *out, size_t at)
{
    patch(out, at, out->len - at, OFFSET_BYTES);
}

static unsigned number_bytes(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_INT64 ? 8 : 4;
}

static size_t put_table(struct flat_writer *w, size_t i, size_t lead);

/* The items of FIELD in message I, to which the offset at LEAD leads. */
static void put_vector(struct flat_writer *w, size_t i, const ProtobufCFieldDescriptor *field, size_t lead)
{
    const struct item *items = w->tree->items.data;
    const size_t end = case_tree_end(w->tree, i);
    size_t at, table = 0;
    uint32_t n = 0;

    for (size_t k = i + 1; k < end; k = case_tree_end(w->tree, k))
        n += items[k].field == field ? 1 + items[k].copies : 0;
    align(w->out);
    lead_here(w->out, lead);
    wire_fixed(w->out, n, OFFSET_BYTES);
    at = w->out->len;
    if (field->descriptor)
        sb_pad(w->out, '\0', n * (size_t)OFFSET_BYTES);
    for (size_t k = i + 1; k < end; k = case_tree_end(w->tree, k)) {
        if (items[k].field != field)
            continue;
        for (uint32_t copy = 0; copy <= items[k].copies; copy++, at += OFFSET_BYTES) {
            if (!field->descriptor)
                wire_fixed(w->out, items[k].value, number_bytes(field));
            else if (copy) /* they share the table */
                patch(w->out, at, table - at, OFFSET_BYTES);
            else
                table = put_table(w, k, at);
        }
    }
}

static void put_bytes_of(struct flat_writer *w, size_t i, size_t lead)
{
    align(w->out);
    lead_here(w->out, lead);
    wire_fixed(w->out, w->tree->items.data[i].text_len, OFFSET_BYTES);
    sb_add(w->out, case_tree_text(w->tree, i), w->tree->items.data[i].text_len);
    sb_addc(w->out, '\0');
}

/* The field that item K of message I begins, in the cell at AT. */
static void put_field(struct flat_writer *w, size_t i, size_t k, size_t at)
{
    const struct item *item = &w->tree->items.data[k];

    if (item->field->label == PROTOBUF_C_LABEL_REPEATED)
        put_vector(w, i, item->field, at);
    else if (item->kind == ITEM_NUMBER)
        patch(w->out, at, item->value, CELL_BYTES);
    else if (item->kind == ITEM_MESSAGE)
        put_table(w, k, at);
    else
        put_bytes_of(w, k, at);
}

/* Message I, to which the offset at LEAD leads; returns where it is. */
static size_t put_table(struct flat_writer *w, size_t i, size_t lead)
{
    const struct item *items = w->tree->items.data;
    const ProtobufCMessageDescriptor *type = items[i].type;
    const uint32_t n_fields = type->fields[type->n_fields - 1].id;
    const size_t end = case_tree_end(w->tree, i);
    size_t vtable, table, used = CELL_BYTES;

    align(w->out);
    vtable = w->out->len;
    sb_pad(w->out, '\0', VTABLE_HEAD_BYTES + 2 * (size_t)n_fields);
    align(w->out);
    table = w->out->len;
    sb_pad(w->out, '\0', CELL_BYTES * (1 + (size_t)n_fields));
    patch(w->out, vtable, VTABLE_HEAD_BYTES + 2 * n_fields, 2);
    patch(w->out, vtable + 2, CELL_BYTES * (1 + n_fields), 2);
    patch(w->out, table, table - vtable, OFFSET_BYTES);
    patch(w->out, lead, table - lead, OFFSET_BYTES);
    for (size_t k = i + 1; k < end; k = case_tree_end(w->tree, k)) {
        const size_t slot = vtable + VTABLE_HEAD_BYTES + 2 * ((size_t)items[k].field->id - 1);

        if (w->out->data[slot])
            continue; /* there already, as every item of a list */
        patch(w->out, slot, used, 2);
        put_field(w, i, k, table + used);
        used += CELL_BYTES;
    }
    return table;
}

void case_tree_encode_flat(const struct case_tree *t, size_t i, struct strbuf *out)
{
    struct flat_writer w = {.tree = t, .out = out};

    sb_pad(out, '\0', OFFSET_BYTES);
    sb_adds(out, "TFL3");
    put_table(&w, i, 0);
}
