/* generate_checkpoint.c: checkpoints of both versions: tensors whole or in slices that overlap,
 * leave gaps or have other shapes than declared, in tables with missing keys or data. */
#include <stdio.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/wire_out.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "meaning/generators.h"
#include "proto/checkpoint.pb-c.h"

enum { MAX_TENSORS = 6, MAX_RANK = 4, MAX_PARTS = 4, DT_STRING = 7 };

/* A tensor, split along its first dimension. */
struct stored {
    char name[64];
    int dtype;
    int64_t dims[MAX_RANK];
    uint32_t rank, n_parts;
    struct slice_extent extents[MAX_PARTS][MAX_RANK];
};

static struct stored draw_stored(struct draw *d)
{
    struct stored s = {.dtype = draw_rarely(d, 3) ? draw_dtype(d) : 1, .rank = draw_below(d, MAX_RANK)};

    snprintf(s.name, sizeof s.name, "%s", draw_any_node(d));
    for (uint32_t i = 0; i < s.rank; i++)
        s.dims[i] = draw_rarely(d, 12) ? draw_size(d) : 1 + draw_below(d, 4);
    s.n_parts = draw_rarely(d, 2) ? 1 : 1 + draw_below(d, MAX_PARTS);
    for (uint32_t p = 0; p < s.n_parts; p++)
        for (uint32_t i = 0; i < s.rank; i++)
            s.extents[p][i] = (struct slice_extent){0, -1};
    if (s.rank && s.n_parts > 1 && s.dims[0] > 0 && s.dims[0] < 100)
        for (uint32_t p = 0; p < s.n_parts; p++) {
            const int64_t from = s.dims[0] * p / s.n_parts, to = s.dims[0] * (p + 1) / s.n_parts;

            s.extents[p][0] = (struct slice_extent){from, to - from};
        }
    if (s.rank && draw_rarely(d, 6))
        s.extents[draw_below(d, s.n_parts)][draw_below(d, s.rank)] =
            (struct slice_extent){draw_int(d), draw_int(d)};
    return s;
}

static bool is_whole(const struct stored *s, uint32_t p)
{
    for (uint32_t i = 0; i < s->rank; i++)
        if (s->extents[p][i].length != -1 || s->extents[p][i].start)
            return false;
    return true;
}

/* Elements of part P as stored; only a few when it is huge. */
static uint32_t part_elements(const struct stored *s, uint32_t p)
{
    uint64_t n = 1;

    for (uint32_t i = 0; i < s->rank; i++) {
        const int64_t size = s->extents[p][i].length < 0 ? s->dims[i] : s->extents[p][i].length;

        n = size < 0 || size > 64 ? 0 : n * (uint64_t)size;
    }
    return n > 300 ? 3 : (uint32_t)n;
}

static void put_slice(struct draw *d, const char *field, const struct stored *s, uint32_t p)
{
    put_open(d->tree, field);
    for (uint32_t i = 0; i < s->rank; i++) {
        put_open(d->tree, "extent");
        if (s->extents[p][i].start)
            put_int(d->tree, "start", s->extents[p][i].start);
        if (s->extents[p][i].length != -1)
            put_int(d->tree, "length", s->extents[p][i].length);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void open_entry(struct draw *d, const void *key, size_t len, const ProtobufCMessageDescriptor *type)
{
    case_tree_open(d->tree, (struct item){.kind = ITEM_ENTRY, .type = type}, key, len);
}

static void open_slice_entry(struct draw *d, const struct stored *s, uint32_t p,
                             const ProtobufCMessageDescriptor *type)
{
    struct strbuf key = {0};

    slice_key_add(&key, s->name, strlen(s->name), s->extents[p], s->rank);
    open_entry(d, key.data, key.len, type);
    sb_done(&key);
}

/* ---- version 2: an index, and data files */

static void put_header(struct draw *d)
{
    open_entry(d, "", 0, &tfp__bundle_header_proto__descriptor);
    put_int(d->tree, "num_shards", draw_rarely(d, 15) ? draw_int(d) : 1);
    if (draw_rarely(d, 20))
        put_int(d->tree, "endianness", 1);
    put_open(d->tree, "version");
    put_int(d->tree, "producer", draw_rarely(d, 20) ? draw_int(d) : 1);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

/* Appends N strings, each TEXT, in the format of data files: lengths, their checksum, bytes.
 * Returns the checksum of all, in which each length counts as 32 bits. */
static uint32_t add_strings(struct strbuf *data, const struct strbuf *text, uint32_t n)
{
    struct strbuf lengths = {0}, rest = {0};
    uint32_t crc;

    for (uint32_t i = 0; i < n; i++) {
        wire_varint(data, text->len);
        wire_fixed(&lengths, text->len, 4);
    }
    crc = crc32c_extend(0, sb_text(&lengths), lengths.len);
    wire_fixed(&rest, crc32c_mask(crc), 4);
    for (uint32_t i = 0; i < n; i++)
        sb_add(&rest, sb_text(text), text->len);
    crc = crc32c_extend(crc, rest.data, rest.len);
    sb_add(data, rest.data, rest.len);
    sb_done(&lengths);
    sb_done(&rest);
    return crc32c_mask(crc);
}

static uint32_t add_numbers(struct draw *d, struct strbuf *data, size_t n_bytes, size_t element_bytes)
{
    const size_t from = data->len;

    for (size_t i = 0; i < n_bytes; i++)
        sb_addc(data, (char)(i % element_bytes ? 0 : draw_below(d, 5)));
    return crc32c_mask(crc32c_extend(0, sb_text(data) + from, n_bytes));
}

/* Adds the location of the values in DATA from byte FROM on. */
static void put_place(struct draw *d, size_t from, const struct strbuf *data, uint32_t crc)
{
    put_int(d->tree, "shard_id", draw_rarely(d, 30) ? draw_int(d) : 0);
    put_int(d->tree, "offset", draw_rarely(d, 20) ? draw_amount(d) : (int64_t)from);
    put_int(d->tree, "size", draw_rarely(d, 20) ? draw_amount(d) : (int64_t)(data->len - from));
    put_int(d->tree, "crc32c", draw_rarely(d, 20) ? draw_int(d) : crc);
}

/* Appends N elements to DATA and adds their location. */
static void put_elements(struct draw *d, const struct stored *s, uint32_t n, struct strbuf *data)
{
    const size_t from = data->len, element_bytes = draw_dtype_bytes(s->dtype);
    struct strbuf text = {0};

    sb_adds(&text, "text");
    put_place(d, from, data, s->dtype == DT_STRING ? add_strings(data, &text, n)
                                                   : add_numbers(d, data, n * element_bytes, element_bytes));
    sb_done(&text);
}

static void put_stored_v2(struct draw *d, const struct stored *s, struct strbuf *data)
{
    open_entry(d, s->name, strlen(s->name), &tfp__bundle_entry_proto__descriptor);
    put_int(d->tree, "dtype", s->dtype);
    draw_shape_of(d, "shape", s->dims, s->rank);
    if (is_whole(s, 0) && s->n_parts == 1)
        put_elements(d, s, part_elements(s, 0), data);
    else
        for (uint32_t p = 0; p < s->n_parts; p++)
            put_slice(d, "slices", s, p);
    case_tree_close(d->tree);
    for (uint32_t p = 0; p < s->n_parts && (s->n_parts > 1 || !is_whole(s, 0)); p++) {
        int64_t dims[MAX_RANK];

        for (uint32_t i = 0; i < s->rank; i++)
            dims[i] = draw_rarely(d, 20) ? draw_size(d)
                      : s->extents[p][i].length < 0 ? s->dims[i] : s->extents[p][i].length;
        open_slice_entry(d, s, p, &tfp__bundle_entry_proto__descriptor);
        put_int(d->tree, "dtype", draw_rarely(d, 20) ? draw_dtype(d) : s->dtype);
        draw_shape_of(d, "shape", dims, draw_rarely(d, 20) ? draw_below(d, MAX_RANK) : s->rank);
        put_elements(d, s, part_elements(s, p), data);
        case_tree_close(d->tree);
    }
}

/* The object graph, which maps keys to variables: a string tensor that contains a message. */
static void put_object_graph(struct draw *d, struct strbuf *data)
{
    static const char key[] = "_CHECKPOINTABLE_OBJECT_GRAPH";
    struct case_tree objects = {0};
    struct strbuf bytes = {0};
    const size_t from = data->len;
    uint32_t crc;

    put_file(&objects, "", &tfp__trackable_object_graph__descriptor);
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(&objects, "nodes");
        put_open(&objects, "attributes");
        put_text(&objects, "name", "VARIABLE_VALUE");
        put_text(&objects, "full_name", draw_any_node(d));
        put_text(&objects, "checkpoint_key", draw_any_node(d));
        case_tree_close(&objects);
        case_tree_close(&objects);
    }
    case_tree_encode(&objects, 0, &bytes);
    crc = add_strings(data, &bytes, 1);
    open_entry(d, key, sizeof key - 1, &tfp__bundle_entry_proto__descriptor);
    put_int(d->tree, "dtype", DT_STRING);
    put_open(d->tree, "shape");
    case_tree_close(d->tree);
    put_place(d, from, data, crc);
    case_tree_close(d->tree);
    sb_done(&bytes);
    case_tree_done(&objects);
}

/* Adds the files of a checkpoint of version 2 and the option that names it. */
static void put_checkpoint_v2(struct draw *d)
{
    struct strbuf data = {0};

    put_file(d->tree, "c.index", NULL);
    case_tree_open(d->tree, (struct item){.kind = ITEM_TABLE}, NULL, 0);
    if (!draw_rarely(d, 40))
        put_header(d);
    if (draw_rarely(d, 3))
        put_object_graph(d, &data);
    for (uint32_t n = draw_below(d, MAX_TENSORS); n > 0; n--) {
        const struct stored s = draw_stored(d);

        put_stored_v2(d, &s, &data);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    put_file(d->tree, draw_rarely(d, 30) ? "c.data-00001-of-00002" : "c.data-00000-of-00001", NULL);
    case_tree_add(d->tree, (struct item){.kind = ITEM_RAW}, sb_text(&data), data.len);
    case_tree_close(d->tree);
    put_option(d->tree, "--checkpoint_path=@/c");
    sb_done(&data);
}

/* ---- version 1: tables of slices */

static void put_contents(struct draw *d, const struct stored *s, uint32_t n)
{
    open_entry(d, "", 0, &tfp__saved_tensor_slices__descriptor);
    put_open(d->tree, "meta");
    for (uint32_t i = 0; i < n; i++) {
        put_open(d->tree, "tensor");
        put_text(d->tree, "name", s[i].name);
        draw_shape_of(d, "shape", s[i].dims, s[i].rank);
        put_int(d->tree, "type", s[i].dtype);
        for (uint32_t p = 0; p < s[i].n_parts; p++)
            put_slice(d, "slice", &s[i], p);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_values(struct draw *d, const struct stored *s, uint32_t p)
{
    open_slice_entry(d, s, p, &tfp__saved_tensor_slices__descriptor);
    put_open(d->tree, "data");
    put_text(d->tree, "name", s->name);
    put_slice(d, "slice", s, p);
    if (draw_rarely(d, 8)) {
        draw_tensor(d, "data");
    } else {
        put_open(d->tree, "data");
        put_int(d->tree, "dtype", s->dtype);
        for (uint32_t n = part_elements(s, p); n > 0; n--)
            put_real(d->tree, "float_val", (double)draw_below(d, 9));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_table_v1(struct draw *d, const char *file, const struct stored *s, uint32_t n)
{
    put_file(d->tree, file, NULL);
    case_tree_open(d->tree, (struct item){.kind = ITEM_TABLE}, NULL, 0);
    put_contents(d, s, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t p = 0; p < s[i].n_parts; p++)
            put_values(d, &s[i], p);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_checkpoint_v1(struct draw *d)
{
    struct stored s[MAX_TENSORS];
    const uint32_t n = draw_below(d, MAX_TENSORS + 1);

    for (uint32_t i = 0; i < n; i++) {
        s[i] = draw_stored(d);
        if (i && draw_rarely(d, 6))
            memcpy(s[i].name, s[0].name, sizeof s[i].name);
    }
    if (draw_rarely(d, 3)) { /* in several shards, which may contain the same tensors */
        const uint32_t half = n / 2, from = half && draw_rarely(d, 3) ? half - 1 : half;

        put_table_v1(d, "c.ckpt-00000-of-00002", s, half);
        put_table_v1(d, "c.ckpt-00001-of-00002", s + from, n - from);
    } else {
        put_table_v1(d, "c.ckpt", s, n);
    }
    put_option(d->tree, "--checkpoint_path=@/c.ckpt");
}

/* ---- cases */

void generate_checkpoint_v1(struct draw *d)
{
    generate_graph(d);
    put_checkpoint_v1(d);
}

void generate_checkpoint_v2(struct draw *d)
{
    generate_graph(d);
    put_checkpoint_v2(d);
}
