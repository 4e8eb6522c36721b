/* table_writer.c: passes tables to a format cell by cell; formats values as text. */
#include "export/tables/table_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/sinks/answer.h"
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

/* Appends a number with its unit; FORMAT formats times and sizes. */
static void add_number(struct strbuf *sb, const struct table_column *column,
                       const struct table_value *v,
                       void (*format)(struct strbuf *, enum metric_unit, int64_t))
{
    const double real = v->kind == VALUE_IS_REAL ? v->real : (double)v->integer;
    const int64_t given = v->kind == VALUE_IS_REAL ? llround(v->real) : v->integer;
    const bool has_scale = column->unit == VALUE_TIME_PS || column->unit == VALUE_BYTES;
    const bool is_apart = column->is_signed && has_scale && given < 0;
    const int64_t integer = is_apart ? clamp_neg(given) : given;

    if (is_apart)
        sb_addc(sb, '-');
    else if (column->is_signed && (real > 0 || (real == 0 && !has_scale)))
        sb_addc(sb, '+');
    switch (column->unit) {
    case VALUE_TIME_PS:
        format(sb, UNIT_TIME_PS, integer);
        break;
    case VALUE_BYTES:
        format(sb, UNIT_BYTES, integer);
        break;
    case VALUE_PERCENT:
        sb_addf(sb, "%.*f%%", column->decimals, real);
        break;
    default:
        table_value_plain(sb, column, v);
        break;
    }
}

static void add_cell(struct strbuf *sb, const struct table_column *column,
                     const struct table_value *v,
                     void (*format)(struct strbuf *, enum metric_unit, int64_t))
{
    const size_t before = sb->len;

    if (is_number(v))
        add_number(sb, column, v, format);
    else
        table_value_plain(sb, column, v);
    if (sb->len == before)
        sb_adds(sb, column->absent ? column->absent : "-");
}

void table_value_text(struct strbuf *sb, const struct table_column *column,
                      const struct table_value *v)
{
    add_cell(sb, column, v, format_value);
}

void table_value_spaced(struct strbuf *sb, const struct table_column *column,
                        const struct table_value *v)
{
    add_cell(sb, column, v, format_spaced);
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
    EACH(vec_done, &w->cells, &w->widths, &w->is_left);
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

/* Number of keys of T to write: all, or the first ones. */
static uint64_t written_keys(const struct table_writer *w, const struct table_rows *t)
{
    const struct options *o = t->request->options;
    const bool is_given = o && o->top && table_has_option(t->table, "top");
    const uint64_t max = is_given ? (uint64_t)o->top : t->table->max_text_rows;

    return (is_given || w->format->limits_rows) && max && t->n_keys > max ? max : t->n_keys;
}

/* Sets the number of written rows and of all rows. */
static void count_rows(struct table_writer *w, const struct table_rows *t)
{
    struct table_cursor c;

    w->returned = written_keys(w, t);
    w->total = t->n_keys;
    if (!t->table->n_rows)
        return;
    table_cursor_start(&c, t, 0, UINT64_MAX - 1);
    for (w->total = 0; table_cursor_next(&c);)
        w->total++;
    w->returned = w->total;
    table_cursor_done(&c);
}

/* Finds the lines of the rows in text, which follow a line of headings. */
static void find_lines(struct table_writer *w)
{
    const struct strbuf *text = &w->out->text;
    const char *heads = text->len > w->rows_at
                            ? memchr(text->data + w->rows_at, '\n', text->len - w->rows_at)
                            : NULL;

    if (heads)
        w->rows_at = (size_t)(heads + 1 - text->data);
    w->rows_end = text->len;
}

void table_writer_rows(struct table_writer *w, const struct table_rows *t, const char *key)
{
    const uint64_t n_keys = written_keys(w, t);
    const bool is_cut = n_keys < t->n_keys, is_first = !w->rows_end;
    size_t *numbers = xcalloc(t->table->n_columns, sizeof *numbers);
    struct table_cursor c;
    struct table_value v;

    choose_columns(w, t, numbers);
    begin_rows(w, key);
    if (is_first)
        w->rows_at = w->out->text.len;
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
    if (is_first)
        w->rows_end = w->out->text.len; /* JSON writes its rows at once */
    table_writer_end(w);
    if (is_first && w->format->limits_rows && !w->out->sink)
        find_lines(w);
    if (is_cut && w->format->limits_rows)
        sb_addf(&w->out->text, "and %llu more %s\n", (unsigned long long)(t->n_keys - n_keys),
                t->table->rows_name);
    table_cursor_done(&c);
    free(numbers);
}

/* Writes the lists of T, enclosed by the format's begin and end. */
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

/* ---- budgets */

struct table_answer {
    struct table_writer *w;
    const struct table_rows *t;
    size_t head_end; /* end of the text that `begin` wrote for the whole answer */
    struct strbuf whole;
};

static void add_head(struct strbuf *sb, void *context, uint64_t returned, uint64_t total)
{
    struct table_answer *of = context;

    of->w->returned = returned;
    of->w->total = total;
    sb_clear(&of->w->out->text);
    if (of->w->format->begin)
        of->w->format->begin(of->w, of->t);
    sb_add(sb, sb_text(&of->w->out->text), of->w->out->text.len);
    sb_add(sb, of->whole.data + of->head_end, of->w->rows_at - of->head_end);
}

/* The sum of COLUMN over the omitted rows. */
static int64_t sum_of(const struct table_rows *t, size_t column, const uint8_t *taken)
{
    struct table_cursor c;
    struct table_value v;
    int64_t sum = 0;

    table_cursor_start(&c, t, 0, 0);
    for (uint64_t n = 0; n < t->n_keys; n++) {
        const uint64_t at = t->order ? t->order[n] : n;

        if (taken[n])
            continue;
        table_cursor_move(&c, at, at);
        while (table_cursor_next(&c)) {
            table_cursor_value(&c, column, &v);
            sum = clamp_add(sum, v.kind == VALUE_IS_INTEGER ? v.integer : 0);
        }
    }
    table_cursor_done(&c);
    return sum;
}

static void add_omitted(struct strbuf *sb, void *context, const uint8_t *taken, uint64_t n)
{
    struct table_answer *of = context;
    const bool is_json = of->w->format->audience == FOR_PROGRAMS;
    const struct table *table = of->t->table;

    (is_json ? answer_omitted_json : answer_omitted_text)(sb, NULL, taken, n);
    sb_truncate(sb, sb->len - 1); /* removes the brace or the newline */
    for (size_t i = 0; i < table->n_columns && !table->n_rows; i++) {
        const struct table_value v = {.kind = VALUE_IS_INTEGER,
                                      .integer = taken && table->columns[i].adds_up
                                                     ? sum_of(of->t, i, taken)
                                                     : 0};

        if (!table->columns[i].adds_up || table_hides(of->t, i, of->w->format->audience))
            continue;
        sb_addf(sb, is_json ? ",\"%s\":" : ", %s ", table->columns[i].name);
        if (!taken)
            sb_adds(sb, FIGURE_WIDEST);
        else if (is_json)
            table_value_plain(sb, &table->columns[i], &v);
        else
            table_value_text(sb, &table->columns[i], &v);
    }
    sb_adds(sb, is_json ? "}" : "\n");
}

/* Computes the weights of the rows, in the order in which they are written. */
static void weigh_rows(struct answer *a, const struct table_rows *t, uint64_t n_keys)
{
    struct table_cursor c;

    if (!t->table->weight || t->table->n_rows)
        return;
    table_cursor_start(&c, t, 0, 0);
    for (uint64_t n = 0; n < n_keys; n++) {
        table_cursor_move(&c, t->order ? t->order[n] : n, t->order ? t->order[n] : n);
        if (table_cursor_next(&c))
            vec_push(&a->records, ((struct budget_record){.weight = t->table->weight(&c),
                                                          .parent = RECORD_NONE}));
    }
    table_cursor_done(&c);
}

/* Writes the whole answer to memory, then to SINK the records that the budget keeps. */
static bool write_kept(struct table_writer *w, const struct table_rows *t, struct sink *sink,
                       struct err *err)
{
    const bool is_json = w->format->audience == FOR_PROGRAMS;
    struct table_answer of = {.w = w, .t = t};
    struct answer a = {.separator = is_json ? ",\n" : "", .head = add_head, .omitted = add_omitted,
                       .end = is_json ? "}\n" : "", .context = &of};
    struct strbuf sb = {0};
    bool ok;

    if (w->format->begin)
        w->format->begin(w, t);
    of.head_end = w->out->text.len;
    sb_clear(&w->out->text);
    ok = write_lists(w, t, err);
    of.whole = w->out->text;
    w->out->text = (struct strbuf){0};
    if (is_json && w->rows_end > w->rows_at)
        w->rows_at++; /* skips the newline before the first row */
    answer_add_lines(&a, (struct text){of.whole.data + w->rows_at, (uint32_t)(w->rows_end - w->rows_at)},
                     is_json ? ',' : 0);
    a.tail = (struct text){of.whole.data + w->rows_end,
                           (uint32_t)(of.whole.len - w->rows_end - strlen(a.end))};
    weigh_rows(&a, t, written_keys(w, t));
    ok = ok && answer_fit(&sb, &a, t->request->options->budget, 0, err) &&
         sink->write(sink, sb_text(&sb), sb.len, err);
    answer_done(&a);
    EACH(sb_done, &sb, &of.whole);
    return ok;
}

/* Writes a document whole. False with ERR (usage) if it exceeds the budget. */
static bool write_document(struct table_writer *w, const struct table_rows *t, struct sink *sink,
                           struct err *err)
{
    const struct strbuf *text = &w->out->text;
    const uint64_t budget = (uint64_t)t->request->options->budget;

    if (!t->table->document(w, t))
        return write_kept(w, t, sink, err);
    if (text->len > budget)
        return err_set(err, ERR_USAGE, "-budget %llu: this answer needs at least %zu bytes",
                       (unsigned long long)budget, text->len);
    return sink->write(sink, sb_text(text), text->len, err);
}

bool table_write(const struct table_format *format, const struct table_rows *t, struct sink *sink,
                 struct err *err)
{
    const struct options *o = t->request->options;
    const bool is_limited = o && o->budget && format->takes_budget;
    struct table_writer w;
    struct outbuf out;
    bool ok;

    outbuf_init(&out, is_limited ? NULL : sink, err);
    table_writer_init(&w, format, &out);
    w.is_document = true;
    count_rows(&w, t);
    if (is_limited)
        ok = (t->table->document ? write_document : write_kept)(&w, t, sink, err);
    else
        ok = (t->table->document && t->table->document(&w, t)) || write_lists(&w, t, err);
    table_writer_done(&w);
    if (is_limited)
        sb_clear(&out.text);
    return outbuf_end(&out) && ok;
}
