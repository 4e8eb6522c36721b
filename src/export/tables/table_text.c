/* table_text.c: writes tables as text in aligned columns; numbers are right-aligned. */
#include <string.h>

#include "base/utf8.h"
#include "export/tables/table_writer.h"

/* Number of rows that determine the widths of columns. */
enum { ROWS_FOR_WIDTHS = 1000 };

/* Counts UTF-8 characters; zero-width and wide ones are rare in names. */
static size_t count_characters(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void add_padded(struct table_writer *w, size_t column, const char *text)
{
    struct strbuf *sb = &w->out->text;
    const size_t cols = count_characters(text), width = w->widths.data[column];
    const size_t pad = width > cols ? width - cols : 0;
    const bool is_last = column + 1 == w->n_columns;

    sb_adds(sb, column ? "  " : "");
    if (!w->is_left.data[column])
        sb_pad(sb, ' ', pad);
    sb_adds(sb, text);
    if (w->is_left.data[column] && !is_last)
        sb_pad(sb, ' ', pad);
    sb_adds(sb, is_last ? "\n" : "");
}

/* Writes the buffered rows, after the widths are determined. */
static void write_kept(struct table_writer *w)
{
    const size_t n = w->n_columns;

    vec_resize_zero(&w->widths, n);
    for (size_t i = 0; i < w->cells.n; i++) {
        const size_t cols = count_characters(w->cells.data[i]);

        KEEP_MAX(w->widths.data[i % n], cols);
    }
    for (size_t i = 0; i < w->cells.n; i++) {
        add_padded(w, i % n, w->cells.data[i]);
        free(w->cells.data[i]);
    }
    w->cells.n = 0;
}

static void begin_rows(struct table_writer *w, const char *key UNUSED)
{
    w->widths.n = w->is_left.n = 0;
    vec_resize_zero(&w->is_left, w->n_columns);
    for (size_t i = 0; i < w->n_columns; i++) {
        const char *head = table_column_head(w->columns[i]);

        w->is_left.data[i] = w->columns[i]->unit == VALUE_TEXT;
        sb_clear(&w->scratch);
        utf8_escape(&w->scratch, head, strlen(head));
        sb_adds(&w->scratch, "");
        vec_push(&w->cells, sb_take(&w->scratch));
    }
}

static void add_cell(struct table_writer *w, const struct table_column *column,
                     const struct table_value *v)
{
    if (column->unit == VALUE_ANY && w->n_rows < ROWS_FOR_WIDTHS &&
        (v->kind == VALUE_IS_TEXT || v->kind == VALUE_IS_BYTES))
        w->is_left.data[w->at] = true;
    sb_clear(&w->scratch);
    sb_adds(&w->scratch, ""); /* makes an empty text valid */
    table_value_text(&w->scratch, column, v);
    if (w->n_rows >= ROWS_FOR_WIDTHS) {
        if (w->cells.n)
            write_kept(w);
        add_padded(w, w->at, sb_text(&w->scratch));
    } else {
        vec_push(&w->cells, sb_take(&w->scratch));
    }
}

static void end_rows(struct table_writer *w)
{
    write_kept(w);
}

static void begin(struct table_writer *w, const struct table_rows *t)
{
    if (t->table->lead)
        t->table->lead(&w->out->text, t);
}

static void end(struct table_writer *w, const struct table_rows *t)
{
    if (t->table->legend)
        t->table->legend(&w->out->text, t);
}

const struct table_format table_text = {
    .audience = FOR_PEOPLE,
    .limits_rows = true,
    .takes_budget = true,
    .begin = begin,
    .begin_rows = begin_rows,
    .cell = add_cell,
    .end_rows = end_rows,
    .end = end,
};
