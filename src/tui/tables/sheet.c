/* sheet.c: the rows of a table as displayed on the screen. */
#include "tui/tables/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/tables/table_writer.h"
#include "term/canvas.h"

/* Adds either the columns that are aside, or the others. */
static void add_columns(struct sheet *s, const struct table_rows *t, bool aside)
{
    for (size_t i = 0; i < t->table->n_columns; i++) {
        struct sheet_column column = {.column = t->table->columns[i], .at = i};
        const char *head = table_column_head(&column.column);
        const bool is_aside = column.column.is_aside && !bit_at(t->not_aside, (uint32_t)i);

        if (table_hides(t, i, FOR_PEOPLE) || is_aside != aside || column.column.is_mark)
            continue;
        column.cols = text_cols(head, strlen(head));
        column.is_text = column.column.unit == VALUE_TEXT;
        vec_push(&s->columns, column);
    }
}

/* Copies TEXT; the copy lives as long as S. */
static struct text keep(struct sheet *s, const char *text, size_t len)
{
    char *copy = ARENA_NEW(&s->arena, char, len + 1);

    memcpy(copy, text, len);
    copy[len] = '\0';
    return (struct text){copy, (uint32_t)len};
}

/* Adds the mark of the row, in a table with a column of marks. */
static void add_mark(struct sheet *s, struct table_cursor *c)
{
    const struct table *table = c->rows->table;
    struct table_value v;

    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].is_mark) {
            table_cursor_value(c, i, &v);
            vec_push(&s->marks, v.kind == VALUE_IS_TEXT && v.text.len ? v.text.bytes[0] : ' ');
        }
}

static void add_row(struct sheet *s, struct table_cursor *c)
{
    struct subject subject = {.kind = SUBJECT_NONE};
    struct strbuf text = {0};

    for (size_t i = 0; i < s->columns.n; i++) {
        struct sheet_column *column = &s->columns.data[i];
        struct sheet_cell cell;
        struct table_value v;
        int cols;

        table_cursor_value(c, column->at, &v);
        sb_clear(&text);
        table_value_spaced(&text, &column->column, &v);
        cell = (struct sheet_cell){.text = keep(s, sb_text(&text), text.len), .kind = v.kind};
        if (v.kind == VALUE_IS_INTEGER)
            cell.number = (double)v.integer;
        else if (v.kind == VALUE_IS_REAL)
            cell.number = v.real;
        cols = text_cols(cell.text.bytes, cell.text.len);
        column->cols = cols > column->cols ? cols : column->cols;
        vec_push(&s->cells, cell);
    }
    if (table_cursor_subject(c, &subject) && subject.name.len)
        subject.name = keep(s, subject.name.bytes, subject.name.len);
    vec_push(&s->subjects, subject);
    add_mark(s, c);
    s->n_rows++;
    sb_done(&text);
}

/* Reads the rows; false when cancelled. */
static bool add_rows(struct sheet *s, const struct table_rows *t)
{
    struct table_cursor c;
    bool ok = true;

    add_columns(s, t, false);
    add_columns(s, t, true);
    table_cursor_start(&c, t, 0, UINT64_MAX - 1);
    while (ok && table_cursor_next(&c)) {
        if (s->n_all++ < SHEET_ROWS_MAX)
            add_row(s, &c);
        ok = s->n_all % 1024 || !cancel_asked(t->request->cancel);
    }
    table_cursor_done(&c);
    return ok;
}

struct sheet *sheet_new_empty(const struct table *table, const char *why)
{
    struct sheet *s = xcalloc(1, sizeof *s);

    s->table = table;
    s->sorted_by = -1;
    s->needs = xstrdup(why);
    return s;
}

struct sheet *sheet_new(const struct table *table, const struct table_request *request)
{
    struct sheet *s = xcalloc(1, sizeof *s);
    struct table_rows rows;
    struct err err = {0};
    bool ok;

    s->table = table;
    s->sorted_by = -1;
    ok = table_open(&rows, table, request, &err);
    if (ok) {
        s->help = rows.table->help;
        ok = table_has_rows(&rows, &err) && add_rows(s, &rows);
        table_close(&rows);
    }
    if (!ok && cancel_asked(request->cancel)) {
        sheet_free(s);
        s = NULL;
    } else if (!ok) {
        s->needs = xstrdup(err_text(&err));
    }
    err_done(&err);
    return s;
}

void sheet_free(struct sheet *s)
{
    if (!s)
        return;
    arena_done(&s->arena);
    EACH(vec_done, &s->columns, &s->cells, &s->subjects, &s->marks, &s->order, &s->passes);
    EACH(free, s->needs, s);
}

const struct sheet_cell *sheet_cell(const struct sheet *s, size_t i, size_t column)
{
    return &s->cells.data[s->order.data[i] * s->columns.n + column];
}

static bool is_number(const struct sheet_cell *c)
{
    return c->kind == VALUE_IS_INTEGER || c->kind == VALUE_IS_REAL;
}

/* Compares values; numbers precede words in both directions. */
static int compare_values(const struct sheet_cell *x, const struct sheet_cell *y)
{
    if (is_number(x) && is_number(y))
        return (x->number > y->number) - (x->number < y->number);
    return strcmp(x->text.bytes, y->text.bytes);
}

static int compare_rows(const void *a, const void *b, void *arg)
{
    const struct sheet *s = arg;
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const size_t column = (size_t)s->sorted_by;
    const struct sheet_cell *x = &s->cells.data[i * s->columns.n + column];
    const struct sheet_cell *y = &s->cells.data[k * s->columns.n + column];
    int order = (x->kind == VALUE_IS_NONE) - (y->kind == VALUE_IS_NONE);

    if (!order && is_number(x) != is_number(y))
        order = is_number(x) ? -1 : 1;
    else if (!order && x->kind != VALUE_IS_NONE)
        order = s->ascending ? compare_values(x, y) : compare_values(y, x);
    return order ? order : (i > k) - (i < k);
}

bool sheet_row_matches(const struct sheet *s, size_t row, const struct regexes *regexes)
{
    for (size_t i = 0; i < s->columns.n; i++) {
        const struct text text = s->cells.data[row * s->columns.n + i].text;

        if (s->columns.data[i].is_text && regexes_match(regexes, text.bytes, text.len) >= 0)
            return true;
    }
    return false;
}

void sheet_filter(struct sheet *s, const struct regexes *regexes)
{
    s->passes.n = 0;
    for (size_t i = 0; regexes && i < s->n_rows; i++)
        vec_push(&s->passes, sheet_row_matches(s, i, regexes));
}

void sheet_sort(struct sheet *s, int column, bool ascending)
{
    s->sorted_by = column < (int)s->columns.n ? column : -1;
    s->ascending = ascending;
    s->order.n = 0;
    for (size_t i = 0; i < s->n_rows; i++)
        if (!s->passes.n || s->passes.data[i])
            vec_push(&s->order, (uint32_t)i);
    if (s->sorted_by >= 0)
        vec_sort_arg(&s->order, compare_rows, s);
}
