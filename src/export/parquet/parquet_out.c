/* parquet_out.c: the output parquet: one file per SQL table. */
#include "export/output.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "export/parquet/parquet_file.h"

static enum parquet_type type_of(enum value_unit unit)
{
    switch (unit) {
    case VALUE_NUMBER:
    case VALUE_BYTES:
        return PARQUET_INT64;
    case VALUE_REAL:
    case VALUE_TIME_PS:
    case VALUE_MICROS:
    case VALUE_PERCENT:
        return PARQUET_DOUBLE;
    case VALUE_TEXT:
    case VALUE_ANY:
        break;
    }
    return PARQUET_TEXT;
}

static const char *unit_of(enum value_unit unit)
{
    static const char *const units[] = {[VALUE_TIME_PS] = "us", [VALUE_MICROS] = "us",
                                        [VALUE_BYTES] = "B", [VALUE_PERCENT] = "%", [VALUE_ANY] = NULL};

    return units[unit];
}

/* V in the unit of its column, as a real number. */
static double real_of(const struct table_value *v, enum value_unit unit)
{
    const double value = v->kind == VALUE_IS_INTEGER ? (double)v->integer : v->real;

    return unit == VALUE_TIME_PS ? value / (double)PS_PER_US : value;
}

/* Writes a cell. A value of another type than its column is null, such as the word "all" as a step
 * number. */
static void write_cell(struct parquet_file *f, enum value_unit unit, const struct table_value *v)
{
    const enum parquet_type type = type_of(unit);
    const bool is_text = v->kind == VALUE_IS_TEXT || v->kind == VALUE_IS_BYTES;
    const bool is_number = v->kind == VALUE_IS_INTEGER || v->kind == VALUE_IS_REAL;

    if (type == PARQUET_TEXT && is_text)
        parquet_text(f, v->text.bytes, v->text.len);
    else if (type == PARQUET_INT64 && v->kind == VALUE_IS_INTEGER)
        parquet_integer(f, v->integer);
    else if (type == PARQUET_DOUBLE && is_number)
        parquet_real(f, real_of(v, unit));
    else
        parquet_null(f);
}

static bool write_rows(struct parquet_file *f, const struct table_rows *t, size_t n_columns,
                       struct err *err)
{
    struct table_cursor c;
    bool ok = true;

    table_cursor_start(&c, t, 0, UINT64_MAX - 1);
    while (ok && table_cursor_next(&c)) {
        for (size_t i = 0; i < n_columns; i++) {
            struct table_value v;

            table_cursor_value(&c, i, &v);
            write_cell(f, t->table->columns[i].unit, &v);
        }
        ok = parquet_end_row(f, err);
    }
    table_cursor_done(&c);
    return ok;
}

static bool write_parquet(const struct table_rows *t, struct sink *s, struct err *err)
{
    const size_t n = table_n_data_columns(t->table);
    struct parquet_column *columns = xcalloc(n, sizeof *columns);
    struct parquet_file *f;
    bool ok;

    for (size_t i = 0; i < n; i++)
        columns[i] = (struct parquet_column){.name = t->table->columns[i].name,
                                             .type = type_of(t->table->columns[i].unit),
                                             .unit = unit_of(t->table->columns[i].unit)};
    f = parquet_new(s, columns, n);
    ok = write_rows(f, t, n, err) && parquet_finish(f, err);
    parquet_free(f);
    free(columns);
    return ok;
}

const struct output output_parquet = {
    .name = "parquet",
    .help = "a folder with a Parquet file for each SQL table",
    .outfile = OUTFILE_FOLDER,
    .views = OUTPUT_TREE_VIEWS,
    .write_table = write_parquet,
};
