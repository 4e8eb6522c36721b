/* checkpoint.c: opens checkpoints: the list of tensors and the positions of their values. */
#include "load/checkpoint/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/wire_in.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/graph/tensor.h"

/* Field numbers of formats-checkpoint.md sections 3.1 and 4. */
enum { HEADER_SHARDS = 1, HEADER_ENDIANNESS = 2 };
enum {
    ENTRY_DTYPE = 1,
    ENTRY_SHAPE = 2,
    ENTRY_SHARD = 3,
    ENTRY_OFFSET = 4,
    ENTRY_SIZE = 5,
    ENTRY_CRC = 6,
    ENTRY_SLICES = 7
};
enum { SLICE_EXTENT = 1, EXTENT_START = 1, EXTENT_LENGTH = 2 };

/* TensorFlow's limit. */
enum { MAX_DIMS = 254 };

static const char object_graph_key[] = "_CHECKPOINTABLE_OBJECT_GRAPH";
static const char value_suffix[] = "/.ATTRIBUTES/VARIABLE_VALUE";

bool checkpoint_fail(const struct checkpoint *c, const struct checkpoint_tensor *t,
                     const char *cause, struct err *err)
{
    struct strbuf name = {0};

    sb_add(&name, t->name.bytes, t->name.len);
    err_set(err, ERR_INPUT, "%s: tensor %s: %s", c->files.prefix, sb_text(&name), cause);
    sb_done(&name);
    return false;
}

int checkpoint_compare(struct attr_bytes a, struct attr_bytes b)
{
    return bytes_compare(a.bytes, a.len, b.bytes, b.len);
}

/* Charges LEN bytes to the budget of a checkpoint of this size; false when it is exhausted. */
static bool charge(struct checkpoint *c, size_t len)
{
    c->is_absurd = c->is_absurd || len > c->room_bytes;
    if (!c->is_absurd)
        c->room_bytes -= len;
    return !c->is_absurd;
}

struct attr_bytes checkpoint_keep(struct checkpoint *c, const void *bytes, size_t len)
{
    if (!charge(c, len))
        return (struct attr_bytes){"", 0};
    return (struct attr_bytes){arena_memdupz(&c->arena, bytes, len), len};
}

/* ---- slices */

typedef VEC(struct slice_extent) extent_list;

/* Decodes a TensorSliceProto; a whole dimension is start 0, length -1. */
static void decode_slice(struct wire_in slice, extent_list *extents)
{
    struct wire_field field, part;

    while (extents->n <= MAX_DIMS && wire_next(&slice, &field)) {
        struct slice_extent extent = {0, -1};
        struct wire_in in;

        if (field.number != SLICE_EXTENT || field.type != WIRE_LEN)
            continue;
        in = wire_in_field(&field);
        while (wire_next(&in, &part)) {
            if (part.number == EXTENT_START && part.type == WIRE_VARINT)
                extent.start = (int64_t)part.value;
            else if (part.number == EXTENT_LENGTH && part.type == WIRE_VARINT)
                extent.length = (int64_t)part.value;
        }
        vec_push(extents, extent);
    }
}

/* Resolves whole dimensions; false when the slice exceeds SHAPE. */
static bool resolve_extents(struct slice_extent *extents, const struct attr_shape *shape,
                           int64_t *n_elements)
{
    bool is_empty = false;

    for (uint32_t i = 0; i < shape->n_dims; i++) {
        struct slice_extent *e = &extents[i];

        if (e->length == -1)
            *e = (struct slice_extent){0, shape->dims[i]};
        if (e->start < 0 || e->length < 0 || e->start > shape->dims[i] ||
            e->length > shape->dims[i] - e->start)
            return false;
        is_empty = is_empty || !e->length;
    }
    /* Cannot overflow: the tensor has no more elements, whose number was checked. */
    *n_elements = !is_empty;
    for (uint32_t i = 0; i < shape->n_dims && !is_empty; i++)
        *n_elements *= extents[i].length;
    return true;
}

bool checkpoint_make_part(struct checkpoint *c, const struct checkpoint_tensor *t,
                          struct wire_in slice, struct checkpoint_part *part,
                          struct strbuf *key)
{
    extent_list extents = {0};
    bool fits;

    *part = (struct checkpoint_part){0};
    sb_clear(key);
    decode_slice(slice, &extents);
    fits = t->n_elements >= 0 && extents.n == t->shape.n_dims && charge(c, t->name.len);
    if (fits) {
        slice_key_add(key, t->name.bytes, t->name.len, extents.data, extents.n);
        fits = resolve_extents(extents.data, &t->shape, &part->n_elements);
    }
    if (fits)
        part->extents = arena_copy(&c->arena, extents.data, extents.n, sizeof *extents.data);
    vec_done(&extents);
    return fits;
}

void checkpoint_count_elements(struct checkpoint_tensor *t)
{
    t->n_elements = t->shape.n_dims > MAX_DIMS ? -1 : tensor_elements(&t->shape);
}

/* ---- V2 */

/* An entry of the index, before slices are assigned to tensors. */
struct entry {
    struct attr_bytes key;
    struct wire_in value;
};

struct entries {
    VEC(struct entry) plain, slices; /* sorted by key */
};

static void read_header(struct checkpoint *c, struct wire_in header)
{
    struct wire_field field;

    while (wire_next(&header, &field)) {
        if (field.number == HEADER_SHARDS && field.type == WIRE_VARINT)
            c->n_shards = (uint32_t)field.value;
        else if (field.number == HEADER_ENDIANNESS && field.type == WIRE_VARINT)
            c->is_big_endian = field.value == 1;
    }
}

/* Decodes type, shape and position of a BundleEntryProto. */
static void read_location(struct checkpoint *c, struct wire_in value, struct checkpoint_tensor *t,
                          struct checkpoint_part *part)
{
    const struct wire_pieces shape = wire_submessage(value, ENTRY_SHAPE, &c->arena);
    struct wire_field field;

    if (shape.bytes)
        t->shape = tensor_shape_decode(wire_in_pieces(&shape), &c->arena);
    while (wire_next(&value, &field)) {
        if (field.type == WIRE_LEN) {
            continue;
        } else if (field.number == ENTRY_DTYPE) {
            t->dtype = (int)field.value;
        } else if (field.number == ENTRY_SHARD) {
            part->shard = (uint32_t)field.value;
        } else if (field.number == ENTRY_OFFSET) {
            part->offset = field.value;
        } else if (field.number == ENTRY_SIZE) {
            part->size_bytes = field.value;
        } else if (field.number == ENTRY_CRC) {
            part->masked_crc = (uint32_t)field.value;
        }
    }
    checkpoint_count_elements(t);
}

static const struct entry *find_entry(const struct entries *entries, struct attr_bytes key)
{
    const struct entry *slices = entries->slices.data;
    size_t at = 0;

    LOWER_BOUND(at, entries->slices.n, i, checkpoint_compare(slices[i].key, key) < 0);
    return at < entries->slices.n && checkpoint_compare(slices[at].key, key) == 0 ? &slices[at]
                                                                                  : NULL;
}

/* Adds the slices of T; without one of them T has no values. */
static void add_slices(struct checkpoint *c, struct checkpoint_tensor *t, struct wire_in value,
                       const struct entries *entries)
{
    struct wire_field field;
    struct strbuf key = {0};

    while (wire_next_len(&value, &field, ENTRY_SLICES)) {
        struct checkpoint_tensor slice = {0};
        struct checkpoint_part part;
        const struct entry *entry = NULL;

        if (checkpoint_make_part(c, t, wire_in_field(&field), &part, &key))
            entry = find_entry(entries, (struct attr_bytes){sb_text(&key), key.len});
        if (!entry) {
            t->n_parts = 0;
            break;
        }
        read_location(c, entry->value, &slice, &part);
        vec_push(&c->parts, part);
        t->n_parts++;
    }
    sb_done(&key);
}

static void add_bundle_tensor(struct checkpoint *c, const struct entry *entry,
                              const struct entries *entries)
{
    struct checkpoint_tensor t = {.name = entry->key, .full_name = {"", 0},
                                  .first_part = (uint32_t)c->parts.n};
    struct checkpoint_part part = {0};
    struct slice_extent *extents;

    read_location(c, entry->value, &t, &part);
    add_slices(c, &t, entry->value, entries);
    if (t.first_part == c->parts.n && t.n_elements >= 0) {
        extents = ARENA_NEW(&c->arena, struct slice_extent, t.shape.n_dims);
        for (uint32_t i = 0; i < t.shape.n_dims; i++)
            extents[i] = (struct slice_extent){0, t.shape.dims[i]};
        part.extents = extents;
        part.n_elements = t.n_elements;
        vec_push(&c->parts, part);
        t.n_parts = 1;
    }
    vec_push(&c->tensors, t);
}

static bool read_entries(struct checkpoint *c, const struct sstable *table, struct entries *entries,
                         struct err *err)
{
    struct sstable_cursor cursor;
    bool more = true;
    bool ok = true;

    sstable_cursor_init(&cursor, table);
    while ((ok = sstable_next(&cursor, &more, err)) && more) {
        struct attr_bytes key = checkpoint_keep(c, sb_text(&cursor.key), cursor.key.len);
        struct attr_bytes value = checkpoint_keep(c, cursor.value, cursor.value_len);
        struct entry entry = {key, wire_in_of(value.bytes, value.len)};

        if (!key.len)
            read_header(c, entry.value);
        else if (key.bytes[0] == '\0')
            vec_push(&entries->slices, entry);
        else
            vec_push(&entries->plain, entry);
    }
    sstable_cursor_done(&cursor);
    return ok;
}

static bool open_v2(struct checkpoint *c, struct err *err)
{
    struct entries entries = {0};
    bool ok = read_entries(c, &c->tables.data[0].table, &entries, err);

    for (size_t i = 0; ok && i < entries.plain.n; i++)
        add_bundle_tensor(c, &entries.plain.data[i], &entries);
    EACH(vec_done, &entries.plain, &entries.slices);
    return ok;
}

/* ---- names of variables */

static const struct checkpoint_tensor *find_key(const struct checkpoint *c, struct attr_bytes key)
{
    const struct checkpoint_tensor *tensors = c->tensors.data;
    size_t at = 0;

    LOWER_BOUND(at, c->tensors.n, i, checkpoint_compare(tensors[i].name, key) < 0);
    return at < c->tensors.n && checkpoint_compare(tensors[at].name, key) == 0 ? &tensors[at] : NULL;
}

/* Callback of object_graph_walk(). */
static void set_full_name(void *context, struct attr_bytes key, struct attr_bytes full_name)
{
    struct checkpoint *c = context;
    const struct checkpoint_tensor *t = find_key(c, key);

    if (t && full_name.len)
        c->tensors.data[t - c->tensors.data].full_name =
            checkpoint_keep(c, full_name.bytes, full_name.len);
}

static bool ends_in_suffix(struct attr_bytes name)
{
    const size_t len = sizeof value_suffix - 1;

    return name.len > len && memcmp(name.bytes + name.len - len, value_suffix, len) == 0;
}

COMPARE_WITH(by_full_name, uint32_t, struct checkpoint,
             THEN(checkpoint_compare(with->tensors.data[*a].full_name, with->tensors.data[*b].full_name)) ||
             THEN(COMPARE(*a, *b)))

/* Sets the names that variables of objects have in graphs: from the object graph, the only value
 * that opening reads; else the key without its suffix. */
static void name_objects(struct checkpoint *c)
{
    const struct attr_bytes key = {object_graph_key, sizeof object_graph_key - 1};
    const struct checkpoint_tensor *graph = find_key(c, key);
    struct checkpoint_values values;
    struct err err = {0};

    if (graph && checkpoint_values_read(c, graph, 1, &values, &err)) {
        if (values.kind == CHECKPOINT_STRINGS && values.n)
            object_graph_walk(values.strings[0], set_full_name, c);
        checkpoint_values_done(&values);
    }
    err_done(&err); /* names exist without data files, too */
    for (uint32_t i = 0; i < c->tensors.n; i++) {
        struct checkpoint_tensor *t = &c->tensors.data[i];

        if (!t->full_name.len && ends_in_suffix(t->name))
            t->full_name = (struct attr_bytes){t->name.bytes, t->name.len - sizeof value_suffix + 1};
        if (t->full_name.len)
            vec_push(&c->by_full_name, i);
    }
    if (c->by_full_name.n)
        qsort_r(c->by_full_name.data, c->by_full_name.n, sizeof *c->by_full_name.data,
                by_full_name, c);
}

/* ---- opening */

static bool open_tables(struct checkpoint *c, struct err *err)
{
    for (size_t i = 0; i < c->files.n_tables; i++) {
        struct checkpoint_table t;

        if (!file_map_open(&t.map, c->files.tables[i], err))
            return false;
        if (!sstable_open(&t.table, t.map.bytes, t.map.size_bytes, c->files.tables[i], err)) {
            file_map_close(&t.map);
            return false;
        }
        c->room_bytes += sstable_max_bytes(t.table.size_bytes);
        vec_push(&c->tables, t);
    }
    return true;
}

static bool read_list(struct checkpoint *c, struct err *err)
{
    if (!(c->is_v2 ? open_v2(c, err) : checkpoint_open_v1(c, err)))
        return false;
    if (c->is_absurd)
        return err_set(err, ERR_INPUT, "%s: names are too long for the size of the file",
                       c->files.tables[0]);
    name_objects(c);
    return true;
}

/* Detects the version: a V2 header begins with a number, V1's contents with a message. */
static bool detect_version(struct checkpoint *c, struct err *err)
{
    struct sstable_cursor cursor;
    struct wire_field field;
    struct wire_in value;
    bool found;
    bool ok;

    sstable_cursor_init(&cursor, &c->tables.data[0].table);
    ok = sstable_seek(&cursor, "", 0, &found, err);
    if (ok && !found)
        ok = err_set(err, ERR_INPUT, "%s: a table, but not a checkpoint", c->files.tables[0]);
    if (ok) {
        c->is_v2 = true;
        value = wire_in_of(cursor.value, cursor.value_len);
        while (wire_next(&value, &field))
            c->is_v2 &= field.number != SLICES_META || field.type != WIRE_LEN;
    }
    sstable_cursor_done(&cursor);
    return ok;
}

struct checkpoint *checkpoint_open(const char *path, struct err *err)
{
    struct checkpoint *c = xcalloc(1, sizeof *c);

    if (checkpoint_files_find(&c->files, path, err) && open_tables(c, err) &&
        detect_version(c, err) && read_list(c, err))
        return c;
    checkpoint_close(c);
    return NULL;
}

void checkpoint_close(struct checkpoint *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->tables.n; i++) {
        sstable_close(&c->tables.data[i].table);
        file_map_close(&c->tables.data[i].map);
    }
    EACH(vec_done, &c->tables, &c->tensors, &c->parts, &c->by_full_name);
    checkpoint_files_done(&c->files);
    arena_done(&c->arena);
    free(c);
}

const char *checkpoint_format(const struct checkpoint *c)
{
    return c->is_v2 ? "checkpoint V2" : "checkpoint V1";
}

size_t checkpoint_n_tensors(const struct checkpoint *c)
{
    return c->tensors.n;
}

const struct checkpoint_tensor *checkpoint_tensor(const struct checkpoint *c, size_t i)
{
    return &c->tensors.data[i];
}

const struct checkpoint_tensor *checkpoint_find(const struct checkpoint *c, const char *name,
                                                size_t len)
{
    const struct attr_bytes wanted = {name, len};
    const struct checkpoint_tensor *tensors = c->tensors.data, *t = find_key(c, wanted);
    size_t at = 0;

    if (t)
        return t;
    LOWER_BOUND(at, c->by_full_name.n, i,
                checkpoint_compare(tensors[c->by_full_name.data[i]].full_name, wanted) < 0);
    if (at == c->by_full_name.n)
        return NULL;
    t = &tensors[c->by_full_name.data[at]];
    return checkpoint_compare(t->full_name, wanted) == 0 ? t : NULL;
}
