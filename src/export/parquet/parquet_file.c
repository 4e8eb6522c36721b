/* parquet_file.c: writes a file of Apache Parquet: typed columns, row by row. */
#include "export/parquet/parquet_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/wire_out.h"
#include "base/xalloc.h"
#include "export/parquet/parquet_column.h"
#include "export/parquet/thrift_out.h"

/* A group is written when it reaches this number of rows, or of bytes of values: pages must be
 * shorter than 2 GiB, and unwritten groups are in memory. */
enum { GROUP_ROWS = 1 << 17, GROUP_BYTES = 1 << 26, MAX_TEXT_BYTES = 1 << 30 };

/* Values of the enums in parquet.thrift. */
enum { OPTIONAL = 1, UTF8 = 0, GZIP = 2, PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };

static const char magic[] = {'P', 'A', 'R', '1'};

struct parquet_file {
    struct sink *sink;
    const struct parquet_column *columns;
    size_t n_columns, at;         /* column of the next cell */
    struct parquet_cells *cells;  /* heap, by column: cells of the group */
    uint64_t group_rows, n_rows;  /* n_rows: rows of all groups */
    uint64_t group_bytes;         /* bytes of texts in the group */
    uint64_t file_bytes;          /* bytes written so far */
    struct strbuf groups;         /* metadata of the written groups */
    size_t n_groups;
    struct strbuf pages, text;
    bool is_too_long;             /* a text exceeded MAX_TEXT_BYTES */
};

struct parquet_file *parquet_new(struct sink *sink, const struct parquet_column *columns, size_t n)
{
    struct parquet_file *f = xcalloc(1, sizeof *f);

    f->sink = sink;
    f->columns = columns;
    f->n_columns = n;
    f->cells = xcalloc(n, sizeof *f->cells);
    for (size_t i = 0; i < n; i++)
        parquet_cells_init(&f->cells[i]);
    return f;
}

void parquet_free(struct parquet_file *f)
{
    for (size_t i = 0; i < f->n_columns; i++)
        parquet_cells_done(&f->cells[i]);
    free(f->cells);
    EACH(sb_done, &f->groups, &f->pages, &f->text);
    free(f);
}

/* ---- cells */

static struct parquet_cells *next_cell(struct parquet_file *f)
{
    assert(f->at < f->n_columns);
    return &f->cells[f->at++];
}

void parquet_null(struct parquet_file *f)
{
    parquet_cells_null(next_cell(f));
}

/* Adds 64 bits, little-endian. */
static void add_bits(struct parquet_file *f, uint64_t bits)
{
    sb_clear(&f->text);
    wire_fixed(&f->text, bits, 8);
    parquet_cells_add(next_cell(f), f->text.data, f->text.len);
}

void parquet_integer(struct parquet_file *f, int64_t value)
{
    assert(f->columns[f->at].type == PARQUET_INT64);
    add_bits(f, (uint64_t)value);
}

void parquet_real(struct parquet_file *f, double value)
{
    uint64_t bits;

    assert(f->columns[f->at].type == PARQUET_DOUBLE);
    memcpy(&bits, &value, sizeof bits);
    add_bits(f, bits);
}

void parquet_text(struct parquet_file *f, const char *bytes, size_t len)
{
    assert(f->columns[f->at].type == PARQUET_TEXT);
    if (utf8_plain_run(bytes, len) < len) {
        sb_clear(&f->text);
        utf8_repair(&f->text, bytes, len);
        bytes = sb_text(&f->text);
        len = f->text.len;
    }
    f->is_too_long |= len > MAX_TEXT_BYTES;
    f->group_bytes += len;
    parquet_cells_add(next_cell(f), bytes, len);
}

/* ---- groups of rows */

static bool write_bytes(struct parquet_file *f, const void *bytes, size_t len, struct err *err)
{
    f->file_bytes += len;
    return !len || f->sink->write(f->sink, bytes, len, err);
}

/* Appends the metadata of a column in a group, whose pages have SIZE_BYTES at offset AT. */
static void add_chunk(struct thrift_out *t, const struct parquet_column *column,
                      const struct parquet_chunk *chunk, uint64_t at, uint64_t size_bytes)
{
    thrift_element_begin(t);
    thrift_int(t, 2, THRIFT_I64, (int64_t)at);
    thrift_begin(t, 3);
    thrift_int(t, 1, THRIFT_I32, column->type);
    thrift_list(t, 2, THRIFT_I32, 2);
    thrift_element_int(t, RLE);
    thrift_element_int(t, chunk->has_dictionary ? RLE_DICTIONARY : PLAIN);
    thrift_list(t, 3, THRIFT_BINARY, 1);
    thrift_element_text(t, column->name, strlen(column->name));
    thrift_int(t, 4, THRIFT_I32, GZIP);
    thrift_int(t, 5, THRIFT_I64, (int64_t)chunk->n_rows);
    thrift_int(t, 6, THRIFT_I64, (int64_t)chunk->unpacked_bytes);
    thrift_int(t, 7, THRIFT_I64, (int64_t)size_bytes);
    thrift_int(t, 9, THRIFT_I64, (int64_t)(at + chunk->dictionary_bytes));
    if (chunk->has_dictionary)
        thrift_int(t, 11, THRIFT_I64, (int64_t)at);
    thrift_end(t);
    thrift_end(t);
}

static bool write_group(struct parquet_file *f, struct err *err)
{
    struct thrift_out t = {.sb = &f->groups};
    uint64_t unpacked_bytes = 0;
    bool ok = true;

    thrift_list(&t, 1, THRIFT_STRUCT, f->n_columns);
    for (size_t i = 0; ok && i < f->n_columns; i++) {
        const uint64_t at = f->file_bytes;
        struct parquet_chunk chunk;

        sb_clear(&f->pages);
        parquet_cells_write(&f->cells[i], f->columns[i].type, &f->pages, &chunk);
        ok = write_bytes(f, f->pages.data, f->pages.len, err);
        add_chunk(&t, &f->columns[i], &chunk, at, f->pages.len);
        unpacked_bytes += chunk.unpacked_bytes;
    }
    thrift_int(&t, 2, THRIFT_I64, (int64_t)unpacked_bytes);
    thrift_int(&t, 3, THRIFT_I64, (int64_t)f->group_rows);
    thrift_end(&t);
    f->n_rows += f->group_rows;
    f->n_groups++;
    f->group_rows = f->group_bytes = 0;
    return ok;
}

bool parquet_end_row(struct parquet_file *f, struct err *err)
{
    assert(f->at == f->n_columns);
    f->at = 0;
    f->group_rows++;
    if (f->is_too_long)
        return err_set(err, ERR_INPUT, "-output parquet: a text of more than 1 GiB");
    if (!f->file_bytes && !write_bytes(f, magic, sizeof magic, err))
        return false;
    return (f->group_rows < GROUP_ROWS && f->group_bytes < GROUP_BYTES) || write_group(f, err);
}

/* ---- metadata of the file */

/* The columns as children of one root. */
static void add_schema(struct thrift_out *t, const struct parquet_file *f)
{
    thrift_list(t, 2, THRIFT_STRUCT, f->n_columns + 1);
    thrift_element_begin(t);
    thrift_text(t, 4, "schema", strlen("schema"));
    thrift_int(t, 5, THRIFT_I32, (int64_t)f->n_columns);
    thrift_end(t);
    array_each(const struct parquet_column, column, f->columns, f->n_columns) {
        thrift_element_begin(t);
        thrift_int(t, 1, THRIFT_I32, column->type);
        thrift_int(t, 3, THRIFT_I32, OPTIONAL);
        thrift_text(t, 4, column->name, strlen(column->name));
        if (column->type == PARQUET_TEXT)
            thrift_int(t, 6, THRIFT_I32, UTF8);
        thrift_end(t);
    }
}

/* Adds "unit:NAME" for columns with a unit. */
static void add_units(struct thrift_out *t, struct parquet_file *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n_columns; i++)
        n += f->columns[i].unit != NULL;
    thrift_list(t, 5, THRIFT_STRUCT, n);
    for (size_t i = 0; i < f->n_columns; i++) {
        if (!f->columns[i].unit)
            continue;
        sb_clear(&f->text);
        sb_addf(&f->text, "unit:%s", f->columns[i].name);
        thrift_element_begin(t);
        thrift_text(t, 1, f->text.data, f->text.len);
        thrift_text(t, 2, f->columns[i].unit, strlen(f->columns[i].unit));
        thrift_end(t);
    }
}

bool parquet_finish(struct parquet_file *f, struct err *err)
{
    static const char maker[] = "tfprof";
    struct strbuf footer = {0};
    struct thrift_out t = {.sb = &footer};
    bool ok = (f->file_bytes || write_bytes(f, magic, sizeof magic, err)) &&
              (!f->group_rows || write_group(f, err));

    thrift_int(&t, 1, THRIFT_I32, 2);
    add_schema(&t, f);
    thrift_int(&t, 3, THRIFT_I64, (int64_t)f->n_rows);
    thrift_list(&t, 4, THRIFT_STRUCT, f->n_groups);
    sb_add(&footer, sb_text(&f->groups), f->groups.len);
    add_units(&t, f);
    thrift_text(&t, 6, maker, strlen(maker));
    thrift_end(&t);
    wire_fixed(&footer, footer.len, 4);
    sb_add(&footer, magic, sizeof magic);
    ok = ok && write_bytes(f, footer.data, footer.len, err);
    sb_done(&footer);
    return ok;
}
