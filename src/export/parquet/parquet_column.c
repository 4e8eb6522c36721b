/* parquet_column.c: encodes one column of a row group as pages. */
#include "export/parquet/parquet_column.h"

#include <string.h>
#include <zlib.h>

#include "base/wire_out.h"
#include "base/xalloc.h"
#include "export/parquet/thrift_out.h"

/* Values of PageType and Encoding in parquet.thrift. */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };
enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };
enum { GROUP = 8 /* values per bit-packed group */, GZIP_WINDOW = 15 + 16 };

void parquet_cells_init(struct parquet_cells *c)
{
    memset(c, 0, sizeof *c);
    intern_init(&c->values);
}

void parquet_cells_done(struct parquet_cells *c)
{
    intern_done(&c->values);
    vec_done(&c->ids);
}

void parquet_cells_null(struct parquet_cells *c)
{
    vec_push(&c->ids, STRID_NONE);
}

void parquet_cells_add(struct parquet_cells *c, const void *bytes, size_t len)
{
    const size_t n_before = c->values.n;

    vec_push(&c->ids, intern_put(&c->values, bytes, len));
    c->bytes += len;
    if (c->values.n > n_before)
        c->unique_bytes += len;
}

/* ---- runs of small numbers */

/* Appends VALUE in the bytes that WIDTH bits need, little-endian. */
static void add_bytes(struct strbuf *sb, uint32_t value, unsigned width)
{
    for (unsigned bit = 0; bit < width; bit += 8)
        sb_addc(sb, (char)(value >> bit));
}

/* Appends N values of WIDTH bits each, padded with zeros to a multiple of GROUP. */
static void add_packed(struct strbuf *sb, const uint32_t *values, size_t n, unsigned width)
{
    const size_t n_groups = (n + GROUP - 1) / GROUP;
    uint64_t bits = 0;
    unsigned n_bits = 0;

    wire_varint(sb, n_groups << 1 | 1);
    for (size_t i = 0; i < n_groups * GROUP; i++) {
        bits |= (uint64_t)(i < n ? values[i] : 0) << n_bits;
        for (n_bits += width; n_bits >= 8; n_bits -= 8, bits >>= 8)
            sb_addc(sb, (char)bits);
    }
}

/* Appends values in the hybrid encoding ("Run Length Encoding / Bit-Packing Hybrid"): GROUP or more
 * equal values form a run, others are packed. All packed parts but the last consist of whole
 * groups. */
static void add_hybrid(struct strbuf *sb, const uint32_t *values, size_t n, unsigned width)
{
    size_t packed_from = 0, at = 0;

    while (at < n) {
        size_t end = at + 1;

        while (end < n && values[end] == values[at])
            end++;
        /* The first equal values fill the last group of the packed part before them. */
        if (packed_from < at)
            at += (GROUP - (at - packed_from) % GROUP) % GROUP;
        if (at < end && end - at >= GROUP) {
            if (packed_from < at)
                add_packed(sb, values + packed_from, at - packed_from, width);
            wire_varint(sb, (end - at) << 1);
            add_bytes(sb, values[at], width);
            packed_from = end;
        }
        at = end;
    }
    if (packed_from < n)
        add_packed(sb, values + packed_from, n - packed_from, width);
}

static unsigned width_of(size_t max)
{
    unsigned width = 0;

    while (max >> width)
        width++;
    return width;
}

/* ---- pages */

static void add_value(struct strbuf *sb, const struct parquet_cells *c, strid id,
                      enum parquet_type type)
{
    const struct intern_entry *value = &c->values.entries[id];

    if (type == PARQUET_TEXT)
        wire_fixed(sb, value->len, 4);
    sb_add(sb, value->bytes, value->len);
}

/* Appends a page: header, then BYTES compressed. A data page has N values in ENCODING. */
static void add_page(struct strbuf *sb, const struct strbuf *bytes, int type, size_t n,
                     int encoding, struct parquet_chunk *chunk)
{
    struct thrift_out t = {.sb = sb};
    const size_t before = sb->len;
    z_stream z = {0};
    uLong bound;
    struct strbuf packed = {0};

    /* The default level would save a sixteenth of the size, but takes half as long again. */
    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        xalloc_fail();
    bound = deflateBound(&z, bytes->len);
    z.next_in = (unsigned char *)bytes->data;
    z.avail_in = (uInt)bytes->len;
    z.next_out = (unsigned char *)sb_reserve(&packed, bound);
    z.avail_out = (uInt)bound;
    deflate(&z, Z_FINISH);
    packed.len = z.total_out;
    deflateEnd(&z);

    thrift_int(&t, 1, THRIFT_I32, type);
    thrift_int(&t, 2, THRIFT_I32, (int64_t)bytes->len);
    thrift_int(&t, 3, THRIFT_I32, (int64_t)packed.len);
    thrift_begin(&t, type == DATA_PAGE ? 5 : 7);
    thrift_int(&t, 1, THRIFT_I32, (int64_t)n);
    thrift_int(&t, 2, THRIFT_I32, encoding);
    if (type == DATA_PAGE) {
        thrift_int(&t, 3, THRIFT_I32, RLE);
        thrift_int(&t, 4, THRIFT_I32, RLE);
    }
    thrift_end(&t);
    thrift_end(&t);
    chunk->unpacked_bytes += sb->len - before + bytes->len;
    sb_add(sb, packed.data, packed.len);
    sb_done(&packed);
}

/* Appends the values from FIRST on as a dictionary. Numbers are never empty, so they start after
 * the empty string, the first entry of every string table. */
static void add_dictionary(struct strbuf *sb, const struct parquet_cells *c, strid first,
                           enum parquet_type type, struct parquet_chunk *chunk)
{
    struct strbuf values = {0};
    const size_t before = sb->len;

    for (size_t i = first; i < c->values.n; i++)
        add_value(&values, c, (strid)i, type);
    add_page(sb, &values, DICTIONARY_PAGE, c->values.n - first, PLAIN, chunk);
    chunk->dictionary_bytes = sb->len - before;
    sb_done(&values);
}

/* Appends definition levels (1: not null), preceded by their length. */
static void add_levels(struct strbuf *sb, const struct parquet_cells *c, uint32_t *levels)
{
    struct strbuf runs = {0};

    for (size_t i = 0; i < c->ids.n; i++)
        levels[i] = c->ids.data[i] != STRID_NONE;
    add_hybrid(&runs, levels, c->ids.n, 1);
    wire_fixed(sb, runs.len, 4);
    sb_add(sb, sb_text(&runs), runs.len);
    sb_done(&runs);
}

/* Appends the non-null values as indexes into the dictionary, which starts at FIRST. */
static void add_indexes(struct strbuf *sb, const struct parquet_cells *c, strid first,
                        uint32_t *indexes)
{
    const unsigned width = width_of(c->values.n);
    size_t n = 0;

    for (size_t i = 0; i < c->ids.n; i++)
        if (c->ids.data[i] != STRID_NONE)
            indexes[n++] = c->ids.data[i] - first;
    sb_addc(sb, (char)width);
    add_hybrid(sb, indexes, n, width);
}

void parquet_cells_write(struct parquet_cells *c, enum parquet_type type, struct strbuf *sb,
                         struct parquet_chunk *chunk)
{
    const strid first = type == PARQUET_TEXT ? STRID_EMPTY : STRID_EMPTY + 1;
    uint32_t *numbers = xreallocarray(NULL, c->ids.n, sizeof *numbers);
    struct strbuf page = {0};

    *chunk = (struct parquet_chunk){.n_rows = c->ids.n,
                                    .has_dictionary = c->unique_bytes <= c->bytes / 2};
    if (chunk->has_dictionary)
        add_dictionary(sb, c, first, type, chunk);
    add_levels(&page, c, numbers);
    if (chunk->has_dictionary)
        add_indexes(&page, c, first, numbers);
    else
        for (size_t i = 0; i < c->ids.n; i++)
            if (c->ids.data[i] != STRID_NONE)
                add_value(&page, c, c->ids.data[i], type);
    add_page(sb, &page, DATA_PAGE, c->ids.n, chunk->has_dictionary ? RLE_DICTIONARY : PLAIN, chunk);
    sb_done(&page);
    free(numbers);
    parquet_cells_done(c);
    parquet_cells_init(c);
}
