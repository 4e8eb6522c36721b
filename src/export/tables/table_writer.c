/* table_writer.c: passes tables to a format cell by cell; formats values as text. */
#include "export/tables/table_writer.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"

/* ---- values */

const char *table_column_head(const struct table_column *column)
{
    return column->head ? column->head : column->name;
}

static void add_real(struct strbuf *sb, const struct table_column *column, double real)
{
    if (column->decimals)
        sb_addf(sb, "%.*f", column->decimals, real);
    else
        sb_addf(sb, "%.15g", real);
}

void table_value_plain(struct strbuf *sb, const struct table_column *column,
                       const struct table_value *v)
{
    const bool is_ps = column->unit == VALUE_TIME_PS;

    switch (v->kind) {
    case VALUE_IS_NONE:
        break;
    case VALUE_IS_INTEGER:
        (is_ps ? format_micros : sb_add_int)(sb, v->integer);
        break;
    case VALUE_IS_REAL:
        add_real(sb, column, is_ps ? v->real / (double)PS_PER_US : v->real);
        break;
    case VALUE_IS_TEXT:
    case VALUE_IS_BYTES:
        utf8_escape(sb, v->text.bytes, v->text.len);
        break;
    }
}

static bool is_number(const struct table_value *v)
{
    return v->kind == VALUE_IS_INTEGER || v->kind == VALUE_IS_REAL;
}

/* Appends a number with its unit. */
static void add_number(struct strbuf *sb, const struct table_column *column,
                       const struct table_value *v)
{
    const double real = v->kind == VALUE_IS_REAL ? v->real : (double)v->integer;
    const int64_t integer = v->kind == VALUE_IS_REAL ? llround(v->real) : v->integer;

    if (column->is_signed && real >= 0)
        sb_addc(sb, '+');
    switch (column->unit) {
    case VALUE_TIME_PS:
        format_time(sb, integer);
        break;
    case VALUE_BYTES:
        format_memory(sb, integer);
        break;
    case VALUE_PERCENT:
        sb_addf(sb, "%.*f%%", column->decimals, real);
        break;
    default:
        table_value_plain(sb, column, v);
        break;
    }
}

void table_value_text(struct strbuf *sb, const struct table_column *column,
                      const struct table_value *v)
{
    const size_t before = sb->len;

    if (is_number(v))
        add_number(sb, column, v);
    else
        table_value_plain(sb, column, v);
    if (sb->len == before)
        sb_adds(sb, column->absent ? column->absent : "-");
}

/* ---- rows */

void table_writer_init(struct table_writer *w, const struct table_format *format,
                       struct outbuf *out)
{
    *w = (struct table_writer){.format = format, .out = out};
}

static void begin_rows(struct table_writer *w, const char *key)
{
    w->at = 0;
    w->n_rows = 0;
    w->format->begin_rows(w, key);
}

void table_writer_begin(struct table_writer *w, const struct table_column *columns, size_t n)
{
    w->columns = xreallocarray(w->columns, n, sizeof *w->columns);
    w->n_columns = n;
    for (size_t i = 0; i < n; i++)
        w->columns[i] = &columns[i];
    begin_rows(w, NULL);
}

void table_writer_cell(struct table_writer *w, const struct table_value *v)
{
    w->format->cell(w, w->columns[w->at], v);
    if (++w->at < w->n_columns)
        return;
    w->at = 0;
    w->n_rows++;
}

void table_writer_end(struct table_writer *w)
{
    if (w->format->end_rows)
        w->format->end_rows(w);
}

void table_writer_done(struct table_writer *w)
{
    for (size_t i = 0; i < w->cells.n; i++)
        free(w->cells.data[i]);
    vec_done(&w->cells);
    vec_done(&w->widths);
    vec_done(&w->is_left);
    sb_done(&w->scratch);
    free(w->columns);
}

/* ---- tables */

static void choose_columns(struct table_writer *w, const struct table_rows *t, size_t *numbers)
{
    w->columns = xreallocarray(w->columns, t->table->n_columns, sizeof *w->columns);
    w->n_columns = 0;
    for (size_t i = 0; i < t->table->n_columns; i++) {
        if (table_hides(t, i, w->format->audience))
            continue;
        numbers[w->n_columns] = i;
        w->columns[w->n_columns++] = &t->table->columns[i];
    }
}

void table_writer_rows(struct table_writer *w, const struct table_rows *t, const char *key)
{
    const struct options *o = t->request->options;
    const bool is_given = o && o->top && table_takes(t->table, "top");
    const uint64_t max = is_given ? (uint64_t)o->top : t->table->max_text_rows;
    const bool is_cut = (is_given || w->format->limits_rows) && max && t->n_keys > max;
    const uint64_t n_keys = is_cut ? max : t->n_keys;
    size_t *numbers = xcalloc(t->table->n_columns, sizeof *numbers);
    struct table_cursor c;
    struct table_value v;

    choose_columns(w, t, numbers);
    begin_rows(w, key);
    table_cursor_start(&c, t, 0, 0);
    for (uint64_t n = 0; n < n_keys; n++) {
        const uint64_t at = t->order ? t->order[n] : n;

        table_cursor_move(&c, at, at);
        while (outbuf_step(w->out) && table_cursor_next(&c))
            for (size_t i = 0; i < w->n_columns; i++) {
                table_cursor_value(&c, numbers[i], &v);
                table_writer_cell(w, &v);
            }
    }
    table_writer_end(w);
    if (is_cut && w->format->limits_rows)
        sb_addf(&w->out->text, "and %llu more %s\n", (unsigned long long)(t->n_keys - n_keys),
                t->table->rows_name);
    table_cursor_done(&c);
    free(numbers);
}

/* Writes the lists of T, and what the format adds around them. */
static bool write_lists(struct table_writer *w, const struct table_rows *t, struct err *err)
{
    const struct table_format *format = w->format;
    struct table_rows second;
    bool ok = true;

    if (format->begin)
        format->begin(w, t);
    table_writer_rows(w, t, t->table->rows_key ? t->table->rows_key : "rows");
    if (t->table->second && !format->has_one_list) {
        ok = table_open_second(&second, t, err);
        if (ok)
            table_writer_rows(w, &second, t->table->second_key);
    }
    if (format->end)
        format->end(w, t);
    return ok;
}

bool table_write(const struct table_format *format, const struct table_rows *t, struct sink *sink,
                 struct err *err)
{
    struct table_writer w;
    struct outbuf out;
    bool ok;

    outbuf_init(&out, sink, err);
    table_writer_init(&w, format, &out);
    w.is_document = true;
    ok = (t->table->document && t->table->document(&w, t)) || write_lists(&w, t, err);
    table_writer_done(&w);
    return outbuf_end(&out) && ok;
}
