/* checkpoint_v1.c: lists the tensors of a V1 checkpoint: tables of slices in one file or several
 * shards (formats-checkpoint.md section 4), with encoded keys. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/wire_in.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/graph/tensor.h"

enum { MAX_SIGNED_BYTES = 10 };

/* The number of bytes, then the number, big-endian without leading zeros. */
static void add_unsigned(struct strbuf *key, uint64_t value)
{
    unsigned n = 0;

    while (n < sizeof value && value >> 8 * n)
        n++;
    sb_addc(key, (char)n);
    while (n-- > 0)
        sb_addc(key, (char)(value >> 8 * n));
}

static void add_string(struct strbuf *key, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        sb_addc(key, text[i]);
        if (text[i] == '\0')
            sb_addc(key, '\xff');
        else if (text[i] == '\xff')
            sb_addc(key, '\0');
    }
    sb_add(key, "\0\1", 2);
}

/* True when VALUE is in -2^(bits-1) .. 2^(bits-1)-1. */
static bool fits(int64_t value, unsigned bits)
{
    const uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;

    return bits > 63 || magnitude >> (bits - 1) == 0;
}

/* The first N bits encode the length: N ones and a zero, inverted in negative numbers. */
static void add_signed(struct strbuf *key, int64_t value)
{
    const uint8_t fill = value < 0 ? 0xff : 0;
    uint8_t code[MAX_SIGNED_BYTES];
    unsigned n = 1;

    while (n < MAX_SIGNED_BYTES && !fits(value, 7 * n))
        n++;
    for (unsigned i = 0; i < n; i++) {
        const unsigned from_end = n - 1 - i;

        code[i] = (uint8_t)(from_end < sizeof value ? (uint64_t)value >> 8 * from_end : fill);
    }
    for (unsigned bit = 0; bit < n; bit++)
        code[bit / 8] = (uint8_t)(code[bit / 8] ^ 0x80 >> bit % 8);
    sb_add(key, code, n);
}

void slice_key_add(struct strbuf *key, const char *name, size_t name_len,
                   const struct slice_extent *extents, size_t n_extents)
{
    add_unsigned(key, 0);
    add_string(key, name, name_len);
    add_unsigned(key, n_extents);
    for (size_t i = 0; i < n_extents; i++) {
        add_signed(key, extents[i].start);
        add_signed(key, extents[i].length);
    }
}

enum { META_TENSOR = 1 };
enum { SLICE_META_NAME = 1, SLICE_META_SHAPE = 2, SLICE_META_TYPE = 3, SLICE_META_SLICE = 4 };

static void read_v1_tensor(struct checkpoint *c, uint32_t table, struct wire_in meta)
{
    const struct wire_pieces shape = wire_submessage(meta, SLICE_META_SHAPE, &c->arena);
    VEC(struct wire_field) slices = {0};
    struct checkpoint_tensor t = {.name = {"", 0}, .full_name = {"", 0}};
    struct wire_field field;
    struct strbuf key = {0};

    while (wire_next(&meta, &field)) {
        if (field.number == SLICE_META_NAME && field.type == WIRE_LEN)
            t.name = checkpoint_keep(c, field.bytes, field.len);
        else if (field.number == SLICE_META_TYPE && field.type == WIRE_VARINT)
            t.dtype = (int)field.value;
        else if (field.number == SLICE_META_SLICE && field.type == WIRE_LEN)
            vec_push(&slices, field);
    }
    t.shape = tensor_shape_decode(wire_in_pieces(&shape), &c->arena);
    checkpoint_count_elements(&t);
    t.first_part = (uint32_t)c->parts.n;
    for (size_t i = 0; i < slices.n; i++) {
        struct checkpoint_part part;

        if (!checkpoint_make_part(c, &t, wire_in_field(&slices.data[i]), &part, &key))
            continue;
        part.table = table;
        part.key = checkpoint_keep(c, sb_text(&key), key.len);
        vec_push(&c->parts, part);
        t.n_parts++;
    }
    vec_done(&slices);
    sb_done(&key);
    vec_push(&c->tensors, t);
}

/* Reads the table of contents, under the empty key. */
static bool read_v1_table(struct checkpoint *c, uint32_t table, struct err *err)
{
    struct sstable_cursor cursor;
    struct wire_in slices, meta;
    struct wire_field field;
    bool found;
    bool ok;

    sstable_cursor_init(&cursor, &c->tables.data[table].table);
    ok = sstable_seek(&cursor, "", 0, &found, err);
    if (ok && !found)
        ok = err_set(err, ERR_INPUT, "%s: a table without contents of a checkpoint",
                     c->files.tables[table]);
    slices = wire_in_of(cursor.value, cursor.value_len);
    while (ok && wire_next(&slices, &field)) {
        if (field.number != SLICES_META || field.type != WIRE_LEN)
            continue;
        meta = wire_in_field(&field);
        while (wire_next_len(&meta, &field, META_TENSOR))
            read_v1_tensor(c, table, wire_in_field(&field));
    }
    sstable_cursor_done(&cursor);
    return ok;
}

COMPARE_CHAIN(by_name, struct checkpoint_tensor, THEN(checkpoint_compare(a->name, b->name)) || UP(first_part))

/* True unless name, shape or type differ. */
static bool same_tensor(const struct checkpoint_tensor *a, const struct checkpoint_tensor *b)
{
    return checkpoint_compare(a->name, b->name) == 0 && a->dtype == b->dtype &&
           a->n_elements == b->n_elements && a->shape.n_dims == b->shape.n_dims &&
           (a->shape.n_dims == 0 ||
            memcmp(a->shape.dims, b->shape.dims, a->shape.n_dims * sizeof *a->shape.dims) == 0);
}

/* Merges tensors with slices in several tables; of different tensors with the same name only the
 * first is kept. */
static void join_v1_tensors(struct checkpoint *c)
{
    VEC(struct checkpoint_part) parts = {0};
    size_t kept = 0;

    vec_sort(&c->tensors, by_name);
    for (size_t i = 0; i < c->tensors.n; i++) {
        struct checkpoint_tensor t = c->tensors.data[i];
        struct checkpoint_tensor *last = kept ? &c->tensors.data[kept - 1] : NULL;
        const uint32_t first = (uint32_t)parts.n;

        if (last && checkpoint_compare(last->name, t.name) == 0 && !same_tensor(last, &t))
            continue;
        for (uint32_t k = 0; k < t.n_parts; k++)
            vec_push(&parts, c->parts.data[t.first_part + k]);
        if (last && same_tensor(last, &t)) {
            last->n_parts += t.n_parts;
            continue;
        }
        t.first_part = first;
        c->tensors.data[kept++] = t;
    }
    c->tensors.n = kept;
    free(c->parts.data);
    c->parts.data = parts.data;
    c->parts.n = parts.n;
    c->parts.capacity = parts.capacity;
}

COMPARE_CHAIN(by_key, struct checkpoint_part, UP(table) || THEN(checkpoint_compare(a->key, b->key)))

/* Sorts parts by key, so that reading values is one scan of the table. */
static void sort_v1_parts(struct checkpoint *c)
{
    vec_each(const struct checkpoint_tensor, t, &c->tensors) {
        if (t->n_parts > 1)
            qsort(c->parts.data + t->first_part, t->n_parts, sizeof *c->parts.data, by_key);
    }
}

bool checkpoint_open_v1(struct checkpoint *c, struct err *err)
{
    for (uint32_t i = 0; i < c->tables.n; i++)
        if (!read_v1_table(c, i, err))
            return false;
    join_v1_tensors(c);
    sort_v1_parts(c);
    return true;
}
