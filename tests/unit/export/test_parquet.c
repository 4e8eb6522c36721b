/* test_parquet.c: pages of Parquet columns, decoded by an independent reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export/parquet/parquet_column.h"
#include "export/parquet/parquet_file.h"

/* Bytes read sequentially. */
struct bytes {
    const unsigned char *at, *end;
};

static uint64_t get_varint(struct bytes *b)
{
    uint64_t value = 0;
    unsigned shift = 0, byte;

    do {
        assert_true(b->at < b->end && shift < 64);
        byte = *b->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static uint64_t get_fixed(struct bytes *b, unsigned n_bytes)
{
    uint64_t value = 0;

    assert_true((size_t)(b->end - b->at) >= n_bytes);
    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint64_t)*b->at++ << (8 * i);
    return value;
}

/* ---- page headers as in parquet.thrift */

enum { MAX_FIELDS = 8 };

/* The integers of a struct, indexed by field; those of its nested struct are in INNER. */
struct fields {
    int64_t value[MAX_FIELDS];
    int inner_id;
    int64_t inner[MAX_FIELDS];
};

static int64_t get_integer(struct bytes *b)
{
    const uint64_t bits = get_varint(b);

    return (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
}

static void get_inner(struct bytes *b, struct fields *f)
{
    unsigned head;

    for (int id = 0; (head = (unsigned)get_fixed(b, 1)) != 0;) {
        id += (int)(head >> 4);
        assert_int_equal(head & 15, 5);
        assert_in_range(id, 1, MAX_FIELDS - 1);
        f->inner[id] = get_integer(b);
    }
}

static void get_header(struct bytes *b, struct fields *f)
{
    unsigned head;

    memset(f, 0, sizeof *f);
    for (int id = 0; (head = (unsigned)get_fixed(b, 1)) != 0;) {
        id += (int)(head >> 4);
        assert_in_range(id, 1, MAX_FIELDS - 1);
        if ((head & 15) == 12) {
            f->inner_id = id;
            get_inner(b, f);
        } else {
            f->value[id] = get_integer(b);
        }
    }
}

/* Returns the bytes of the next page, allocated with malloc(), and its header in F. */
static unsigned char *get_page(struct bytes *b, struct fields *f)
{
    unsigned char *page;
    z_stream z = {0};

    get_header(b, f);
    page = malloc((size_t)f->value[2] + 1);
    assert_non_null(page);
    assert_true(f->value[3] <= b->end - b->at);
    z.next_in = (unsigned char *)(uintptr_t)b->at;
    z.avail_in = (uInt)f->value[3];
    z.next_out = page;
    z.avail_out = (uInt)f->value[2] + 1;
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, f->value[2]);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
    b->at += f->value[3];
    return page;
}

/* Decodes N numbers of WIDTH bits from Parquet's hybrid of RLE runs and bit-packed groups. */
static void get_hybrid(struct bytes *b, unsigned width, uint32_t *values, size_t n)
{
    size_t i = 0;

    while (i < n) {
        const uint64_t head = get_varint(b);
        size_t count = (size_t)(head >> 1);

        if (head & 1) {
            struct bytes packed = {b->at, b->at + count * width};

            assert_true(packed.end <= b->end);
            b->at = packed.end;
            for (size_t bit = 0; bit < count * 8 * width && i < n; bit += width, i++) {
                values[i] = 0;
                for (unsigned k = 0; k < width; k++)
                    values[i] |= (uint32_t)(packed.at[(bit + k) / 8] >> (bit + k) % 8 & 1) << k;
            }
        } else {
            const uint32_t value = (uint32_t)get_fixed(b, (width + 7) / 8);

            assert_true(count <= n - i);
            while (count--)
                values[i++] = value;
        }
    }
}

/* ---- columns of numbers: random, in runs, with nulls */

enum { MAX_ROWS = 3000 };

struct expected {
    size_t n;
    int64_t value[MAX_ROWS];
    bool is_null[MAX_ROWS];
};

static void fill(struct expected *e, struct parquet_cells *c, unsigned seed, int64_t n_distinct)
{
    e->n = 1 + (size_t)rand_r(&seed) % MAX_ROWS;
    for (size_t i = 0; i < e->n; i++) {
        const bool repeats = i && rand_r(&seed) % 4;
        unsigned char bytes[8];

        e->value[i] = repeats ? e->value[i - 1] : (rand_r(&seed) % n_distinct) * 1000003 - 5;
        e->is_null[i] = repeats ? e->is_null[i - 1] : rand_r(&seed) % 5 == 0;
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)((uint64_t)e->value[i] >> (8 * k));
        if (e->is_null[i])
            parquet_cells_null(c);
        else
            parquet_cells_add(c, bytes, sizeof bytes);
    }
}

/* Compares a data page with E; WORDS is its dictionary or NULL. */
static void compare_page(struct bytes *page, const struct expected *e, struct bytes *words)
{
    uint32_t levels[MAX_ROWS], indexes[MAX_ROWS];
    size_t n = 0, at = 0;
    const size_t level_bytes = (size_t)get_fixed(page, 4);
    struct bytes level_runs = {page->at, page->at + level_bytes};

    page->at += level_bytes;
    get_hybrid(&level_runs, 1, levels, e->n);
    for (size_t i = 0; i < e->n; i++)
        n += levels[i];
    if (words) {
        const unsigned width = (unsigned)get_fixed(page, 1);

        get_hybrid(page, width, indexes, n);
    }
    for (size_t i = 0; i < e->n; i++) {
        struct bytes word = *page;

        assert_int_equal(levels[i], !e->is_null[i]);
        if (e->is_null[i])
            continue;
        if (words)
            word = (struct bytes){words->at + 8 * (size_t)indexes[at], words->end};
        assert_int_equal((int64_t)get_fixed(&word, 8), e->value[i]);
        if (!words)
            *page = word;
        at++;
    }
    assert_true(page->at == page->end);
}

static void check_numbers(unsigned seed, int64_t n_distinct)
{
    static struct expected e;
    struct parquet_cells c;
    struct parquet_chunk chunk;
    struct strbuf pages = {0};
    struct bytes b, words = {0}, data;
    struct fields f;
    unsigned char *dictionary = NULL, *page;

    parquet_cells_init(&c);
    fill(&e, &c, seed, n_distinct);
    parquet_cells_write(&c, PARQUET_INT64, &pages, &chunk);
    b = (struct bytes){(unsigned char *)pages.data, (unsigned char *)pages.data + pages.len};
    assert_int_equal(chunk.n_rows, e.n);
    if (chunk.has_dictionary) {
        dictionary = get_page(&b, &f);
        assert_int_equal(f.value[1], 2); /* DICTIONARY_PAGE */
        assert_int_equal(f.inner_id, 7);
        assert_int_equal(f.inner[1] * 8, f.value[2]);
        assert_ptr_equal((char *)(uintptr_t)b.at, pages.data + chunk.dictionary_bytes);
        words = (struct bytes){dictionary, dictionary + f.value[2]};
    }
    page = get_page(&b, &f);
    assert_true(b.at == b.end);
    assert_int_equal(f.inner_id, 5);
    assert_int_equal(f.inner[1], e.n);
    assert_int_equal(f.inner[2], chunk.has_dictionary ? 8 : 0);
    data = (struct bytes){page, page + f.value[2]};
    compare_page(&data, &e, chunk.has_dictionary ? &words : NULL);
    free(page);
    free(dictionary);
    sb_done(&pages);
    parquet_cells_done(&c);
}

static void numbers_are_decoded_unchanged(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 300; seed++) {
        check_numbers(seed, 1);
        check_numbers(seed, 1 + seed % 40);
        check_numbers(seed, 100000);
    }
}

static void few_values_have_a_dictionary(void **state)
{
    struct parquet_cells c;
    struct parquet_chunk few, many;
    struct strbuf pages = {0};

    (void)state;
    parquet_cells_init(&c);
    for (int i = 0; i < 100; i++)
        parquet_cells_add(&c, i % 2 ? "even" : "odd", i % 2 ? 4 : 3);
    parquet_cells_write(&c, PARQUET_TEXT, &pages, &few);
    assert_true(few.has_dictionary);
    for (char i = 0; i < 100; i++)
        parquet_cells_add(&c, &i, 1);
    parquet_cells_write(&c, PARQUET_TEXT, &pages, &many);
    assert_false(many.has_dictionary);
    parquet_cells_done(&c);
    sb_done(&pages);
}

/* ---- the file */

struct memory {
    struct sink sink;
    struct strbuf bytes;
};

static bool keep(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(&((struct memory *)s)->bytes, bytes, len);
    return true;
}

static void a_file_has_the_magic_number_at_both_ends(void **state)
{
    static const struct parquet_column columns[] = {
        {.name = "n", .type = PARQUET_INT64, .unit = "B"}, {.name = "x", .type = PARQUET_DOUBLE},
        {.name = "t", .type = PARQUET_TEXT}};

    (void)state;
    for (size_t n_rows = 0; n_rows < 3; n_rows++) {
        struct memory m = {.sink = {.write = keep}};
        struct parquet_file *f = parquet_new(&m.sink, columns, 3);
        struct err err = {0};
        struct bytes footer;

        for (size_t i = 0; i < n_rows; i++) {
            parquet_integer(f, -1);
            parquet_real(f, 0.5);
            parquet_text(f, "a\xff", 2);
            assert_true(parquet_end_row(f, &err));
        }
        assert_true(parquet_finish(f, &err));
        parquet_free(f);
        assert_memory_equal(m.bytes.data, "PAR1", 4);
        assert_memory_equal(m.bytes.data + m.bytes.len - 4, "PAR1", 4);
        footer.at = (unsigned char *)m.bytes.data + m.bytes.len - 8;
        footer.end = footer.at + 4;
        assert_in_range(get_fixed(&footer, 4), 20, m.bytes.len - 12);
        sb_done(&m.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_decoded_unchanged),
        cmocka_unit_test(few_values_have_a_dictionary),
        cmocka_unit_test(a_file_has_the_magic_number_at_both_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
