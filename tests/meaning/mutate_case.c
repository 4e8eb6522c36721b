/* mutate_case.c: mutations that make the parts of a case inconsistent.  They work on kinds of
 * fields, never on bytes, and so for every format. */
#include <string.h>

#include "fixtures/random_options.h"
#include "meaning/generate.h"

enum { MAX_CHANGES = 6, TRIES = 50, MAX_ITEMS = 20000 };

struct change {
    struct case_tree *tree;
    uint64_t *random;
};

static uint32_t below(struct change *c, size_t n)
{
    return random_below(c->random, (uint32_t)n);
}

static struct item *item_at(struct change *c, size_t i)
{
    return &c->tree->items.data[i];
}

static bool is_number(const struct item *item)
{
    return item->kind == ITEM_NUMBER;
}

static bool is_text(const struct item *item)
{
    return item->kind == ITEM_BYTES;
}

static bool is_field(const struct item *item)
{
    return item->field != NULL;
}

static bool is_message(const struct item *item)
{
    return item->kind == ITEM_MESSAGE && item->field;
}

/* A random item for which IS holds; SIZE_MAX: none was found. */
static size_t pick(struct change *c, bool (*is)(const struct item *))
{
    for (int i = 0; i < TRIES && c->tree->items.n; i++) {
        const size_t at = below(c, c->tree->items.n);

        if (is(item_at(c, at)))
            return at;
    }
    return SIZE_MAX;
}

/* Another item with the same field as item I; SIZE_MAX: none was found. */
static size_t pick_repeat(struct change *c, size_t i)
{
    const struct item item = *item_at(c, i);

    for (int k = 0; k < 4 * TRIES; k++) {
        const size_t at = below(c, c->tree->items.n);

        if (at != i && item_at(c, at)->field == item.field && item_at(c, at)->kind == item.kind)
            return at;
    }
    return SIZE_MAX;
}

/* An item of the field NAME; SIZE_MAX: none was found. */
static size_t pick_named(struct change *c, const char *name)
{
    for (int i = 0; i < 4 * TRIES && c->tree->items.n; i++) {
        const size_t at = below(c, c->tree->items.n);

        if (item_at(c, at)->field && strcmp(item_at(c, at)->field->name, name) == 0 &&
            (is_text(item_at(c, at)) || is_message(item_at(c, at))))
            return at;
    }
    return SIZE_MAX;
}

/* Sets the text of item I to that of FROM and END. */
static void copy_text(struct change *c, size_t i, size_t from, const char *end)
{
    struct strbuf text = {0};

    sb_add(&text, case_tree_text(c->tree, from), item_at(c, from)->text_len);
    sb_adds(&text, end);
    case_tree_set_text(c->tree, i, sb_text(&text), text.len);
    sb_done(&text);
}

/* ---- changes */

static void change_number(struct change *c)
{
    static const int64_t limits[] = {
        -1, 0, 1, 2, 3, -2, 7, 31, 32, 63, 64, 100, 255, 256, 1000, 65536, INT32_MAX, INT32_MIN, UINT32_MAX,
        INT64_MAX, INT64_MIN, INT64_C(1) << 32, INT64_C(1) << 40, INT64_C(1) << 62, INT64_MAX - 1,
    };
    const size_t i = pick(c, is_number);

    if (i == SIZE_MAX)
        return;
    if (below(c, 3) == 0)
        item_at(c, i)->value += below(c, 2) ? 1 : UINT64_MAX;
    else if (below(c, 3) == 0)
        item_at(c, i)->value = below(c, 40);
    else
        item_at(c, i)->value = (uint64_t)limits[below(c, sizeof limits / sizeof *limits)];
}

/* Replaces a text by another one: another input, function or operation. */
static void change_text(struct change *c)
{
    const size_t i = pick(c, is_text), twin = i == SIZE_MAX ? i : below(c, 4) ? pick_repeat(c, i) : pick(c, is_text);
    static const char *const ends[] = {":1", ":0", ":99", "/", "_1", ":2147483647"};

    if (twin != SIZE_MAX)
        copy_text(c, i, twin, below(c, 8) ? "" : ends[below(c, sizeof ends / sizeof *ends)]);
}

/* Changes the length of bytes, which then contradicts the shape. */
static void change_length(struct change *c)
{
    const size_t i = pick(c, is_text);
    struct strbuf text = {0};

    if (i == SIZE_MAX)
        return;
    sb_add(&text, case_tree_text(c->tree, i), item_at(c, i)->text_len);
    if (below(c, 2) && text.len)
        sb_truncate(&text, below(c, text.len));
    else
        sb_pad(&text, (char)below(c, 3), 1 + below(c, 40));
    case_tree_set_text(c->tree, i, sb_text(&text), text.len);
    sb_done(&text);
}

static void leave_out(struct change *c)
{
    const size_t i = pick(c, is_field);

    if (i != SIZE_MAX)
        case_tree_remove(c->tree, i, case_tree_end(c->tree, i));
}

static void repeat(struct change *c)
{
    const size_t i = pick(c, is_field);

    if (i == SIZE_MAX)
        return;
    for (uint32_t n = below(c, 10) ? 1 : below(c, 50); n > 0 && c->tree->items.n < MAX_ITEMS; n--)
        case_tree_insert(c->tree, i, item_at(c, i)->depth, c->tree, i);
}

/* Replaces an item by a copy of another one of the same field: a shape, a tensor, attributes. */
static void exchange(struct change *c)
{
    const size_t i = pick(c, below(c, 3) ? is_message : is_field), twin = i == SIZE_MAX ? i : pick_repeat(c, i);
    struct case_tree part = {0};

    /* Neither may contain the other. */
    if (twin == SIZE_MAX || (i < twin && twin < case_tree_end(c->tree, i)) || (twin < i && i < case_tree_end(c->tree, twin)))
        return;
    case_tree_insert(&part, 0, 0, c->tree, twin);
    case_tree_insert(c->tree, i, item_at(c, i)->depth, &part, 0);
    case_tree_remove(c->tree, i + part.items.n, case_tree_end(c->tree, i + part.items.n));
    case_tree_done(&part);
}

/* Inserts a copy of another item. */
static void add_copy(struct change *c)
{
    const size_t i = pick(c, is_field), twin = i == SIZE_MAX ? i : pick_repeat(c, i);
    struct case_tree part = {0};

    if (twin == SIZE_MAX || c->tree->items.n > MAX_ITEMS)
        return;
    case_tree_insert(&part, 0, 0, c->tree, twin);
    case_tree_insert(c->tree, case_tree_end(c->tree, i), item_at(c, i)->depth, &part, 0);
    case_tree_done(&part);
}

/* Changes the field number of an item: another member of its oneof, or another type. */
static void change_field(struct change *c)
{
    const size_t i = pick(c, is_field), parent = i == SIZE_MAX ? i : case_tree_parent(c->tree, i);
    const ProtobufCMessageDescriptor *type;
    const ProtobufCFieldDescriptor *field;
    struct item *item;

    if (parent == SIZE_MAX || !(type = item_at(c, parent)->type))
        return;
    item = item_at(c, i);
    field = &type->fields[below(c, type->n_fields)];
    if (item->kind == ITEM_MESSAGE
            ? field->type == PROTOBUF_C_TYPE_MESSAGE && field->descriptor == item->type
            : item->kind == ITEM_BYTES ? field->type == PROTOBUF_C_TYPE_BYTES
                                       : field->type != PROTOBUF_C_TYPE_MESSAGE && field->type != PROTOBUF_C_TYPE_BYTES)
        item->field = field;
}

/* Moves an element to another position, for example results before their arguments. */
static void move(struct change *c)
{
    const size_t i = pick(c, is_message), twin = i == SIZE_MAX ? i : pick_repeat(c, i);
    struct case_tree part = {0};

    if (twin == SIZE_MAX || twin <= i || twin < case_tree_end(c->tree, i) ||
        item_at(c, twin)->depth != item_at(c, i)->depth)
        return;
    case_tree_insert(&part, 0, 0, c->tree, twin);
    case_tree_remove(c->tree, twin, case_tree_end(c->tree, twin));
    case_tree_insert(c->tree, i, item_at(c, i)->depth, &part, 0);
    case_tree_done(&part);
}

/* ---- changes of graphs */

/* Changes the operation type of a node but neither its inputs nor its attributes; sometimes to a
 * function. */
static void change_op(struct change *c)
{
    const size_t i = pick_named(c, "op"), function = pick_named(c, "name");
    const char *op = draw_ruled_op(c->random);

    if (i == SIZE_MAX)
        return;
    if (below(c, 4) || function == SIZE_MAX)
        case_tree_set_text(c->tree, i, op, strlen(op));
    else
        copy_text(c, i, function, "");
}

/* Replaces an input by any node, before or after the one that reads it, or by the node itself. */
static void change_input(struct change *c)
{
    static const char *const ends[] = {"", "", "", ":1", ":2", ":y:0", ":output:1", ":2147483648", ":-1"};
    const size_t i = pick_named(c, "input"), name = pick_named(c, "name");

    if (i != SIZE_MAX && name != SIZE_MAX)
        copy_text(c, i, name, ends[below(c, sizeof ends / sizeof *ends)]);
}

/* Removes inputs of a node, often all. */
static void remove_inputs(struct change *c)
{
    const size_t i = pick_named(c, "input"), parent = i == SIZE_MAX ? i : case_tree_parent(c->tree, i);
    const ProtobufCFieldDescriptor *input = i == SIZE_MAX ? NULL : item_at(c, i)->field;
    const bool all = below(c, 3) > 0;

    if (parent == SIZE_MAX)
        return;
    for (size_t at = case_tree_end(c->tree, parent); at-- > parent + 1;)
        if (item_at(c, at)->field == input && (all || at >= i))
            case_tree_remove(c->tree, at, case_tree_end(c->tree, at));
}

/* Removes the values of a tensor or a dimension of its shape. */
static void empty_tensor(struct change *c)
{
    const size_t i = pick_named(c, "tensor");

    if (i == SIZE_MAX)
        return;
    for (size_t at = case_tree_end(c->tree, i); at-- > i + 1;) {
        const char *name = item_at(c, at)->field ? item_at(c, at)->field->name : "";
        const bool is_value = strcmp(name, "tensor_content") == 0 || strstr(name, "_val");

        if (strcmp(name, "size") == 0 && below(c, 2))
            item_at(c, at)->value = 0;
        else if ((is_value && below(c, 3)) || (strcmp(name, "dim") == 0 && below(c, 4) == 0))
            case_tree_remove(c->tree, at, case_tree_end(c->tree, at));
    }
}

/* Changes the rank up to the limit of TensorFlow and beyond. */
static void change_rank(struct change *c)
{
    static const uint32_t ranks[] = {1, 2, 8, 9, 253, 254, 255, 300};
    const size_t i = pick_named(c, "dim");

    if (i == SIZE_MAX)
        return;
    for (uint32_t n = ranks[below(c, sizeof ranks / sizeof *ranks)]; n > 0 && c->tree->items.n < MAX_ITEMS; n--)
        case_tree_insert(c->tree, i, item_at(c, i)->depth, c->tree, i);
}

static void (*const changes[])(struct change *) = {
    change_number, change_number, change_number, change_text, change_text, change_length, leave_out,
    repeat, exchange, exchange, add_copy, change_field, move, change_op, change_op, change_input,
    remove_inputs, empty_tensor, change_rank,
};

/* Repeats one small element up to MAX_COPIES times: memory and time must stay proportional to the
 * input size. */
static void multiply(struct change *c)
{
    enum { MAX_PARTS = 6, MAX_COPIES = 120000, MAX_BYTES = 1 << 20 };
    const size_t i = pick(c, is_message);
    size_t n_bytes = 2, end;

    if (i == SIZE_MAX || (end = case_tree_end(c->tree, i)) > i + 1 + MAX_PARTS ||
        case_tree_is_large(c->tree) || item_at(c, i)->field->label != PROTOBUF_C_LABEL_REPEATED)
        return;
    for (size_t at = i + 1; at < end; at++)
        n_bytes += 4 + item_at(c, at)->text_len;
    item_at(c, i)->copies = (uint32_t)(MAX_BYTES / n_bytes < MAX_COPIES ? MAX_BYTES / n_bytes : MAX_COPIES);
}

/* Writes a file compressed or in text form. */
static void change_form(struct change *c)
{
    const size_t i = pick(c, item_is_file);

    if (i == SIZE_MAX)
        return;
    if (below(c, 2))
        item_at(c, i)->form = FORM_GZIP;
    else if (item_at(c, i)->kind == ITEM_FILE && item_at(c, i)->type && i + 1 < c->tree->items.n && item_at(c, i + 1)->field)
        item_at(c, i)->form = FORM_TEXT;
}

void case_tree_mutate(struct case_tree *t, uint64_t *random)
{
    struct change c = {t, random};

    for (uint32_t n = below(&c, MAX_CHANGES + 1); n > 0; n--)
        changes[below(&c, sizeof changes / sizeof *changes)](&c);
    if (below(&c, 60) == 0)
        multiply(&c);
    else if (below(&c, 8) == 0)
        change_form(&c);
}
