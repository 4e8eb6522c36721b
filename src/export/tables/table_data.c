/* table_data.c: writes tables as csv, tsv and json. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "export/sinks/escape.h"
#include "export/tables/table_writer.h"

/* ---- csv and tsv: a header line, then a line for each row */

static bool is_csv(const struct table_writer *w)
{
    return w->format == &table_csv;
}

static void add_separator(struct table_writer *w, size_t column)
{
    sb_addc(&w->out->text, column + 1 == w->n_columns ? '\n' : is_csv(w) ? ',' : '\t');
}

static void begin_lines(struct table_writer *w, const char *key UNUSED)
{
    for (size_t i = 0; i < w->n_columns; i++) {
        sb_clear(&w->scratch);
        utf8_escape(&w->scratch, w->columns[i]->name, strlen(w->columns[i]->name));
        csv_add_text(&w->out->text, &w->scratch,
                     is_csv(w) && strpbrk(sb_text(&w->scratch), ",\" "));
        add_separator(w, i);
    }
}

static void add_field(struct table_writer *w, const struct table_column *column,
                      const struct table_value *v)
{
    sb_clear(&w->scratch);
    table_value_plain(&w->scratch, column, v);
    if (v->kind == VALUE_IS_TEXT)
        csv_add_text(&w->out->text, &w->scratch, is_csv(w));
    else
        sb_add(&w->out->text, sb_text(&w->scratch), w->scratch.len);
    add_separator(w, w->at);
}

const struct table_format table_csv = {
    .audience = FOR_PROGRAMS,
    .has_one_list = true,
    .begin_rows = begin_lines,
    .cell = add_field,
};

const struct table_format table_tsv = {
    .audience = FOR_PROGRAMS,
    .has_one_list = true,
    .begin_rows = begin_lines,
    .cell = add_field,
};

/* ---- json: an object with a list of rows; for a query only the list */

static void add_key(struct strbuf *sb, const char *key)
{
    json_add_string(sb, key, strlen(key));
    sb_addc(sb, ':');
}

static void add_json_value(struct strbuf *sb, const struct table_column *column,
                           const struct table_value *v)
{
    if (v->kind == VALUE_IS_NONE || (v->kind == VALUE_IS_REAL && !isfinite(v->real)))
        sb_adds(sb, "null");
    else if (v->kind == VALUE_IS_TEXT || v->kind == VALUE_IS_BYTES)
        json_add_string(sb, v->text.bytes, v->text.len);
    else
        table_value_plain(sb, column, v);
}

void json_add_record(struct strbuf *sb, const struct table_column *columns, size_t n,
                     const void *record, const struct profile *p)
{
    for (size_t i = 0; i < n; i++) {
        struct table_value v = {.kind = VALUE_IS_NONE};

        table_member(&v, &columns[i], record, p);
        sb_addc(sb, i ? ',' : '{');
        add_key(sb, columns[i].name);
        add_json_value(sb, &columns[i], &v);
    }
    sb_addc(sb, '}');
}

static void add_unit(struct strbuf *sb, const struct table_column *column)
{
    static const char *const units[] = {
        [VALUE_NUMBER] = "1", [VALUE_REAL] = "1",    [VALUE_TIME_PS] = "us",
        [VALUE_MICROS] = "us", [VALUE_BYTES] = "B", [VALUE_PERCENT] = "%",
    };

    if (column->unit < sizeof units / sizeof *units)
        sb_addf(sb, "%s\"%s\":\"%s\"", sb->len ? "," : "", column->name, units[column->unit]);
}

static void begin_object(struct table_writer *w, const struct table_rows *t)
{
    struct strbuf *sb = &w->out->text, units = {0};

    for (size_t i = 0; i < t->table->n_heads; i++)
        add_unit(&units, &t->table->heads[i]);
    for (size_t i = 0; i < t->table->n_columns; i++)
        if (!table_hides(t, i, FOR_PROGRAMS))
            add_unit(&units, &t->table->columns[i]);
    json_add_head(sb, t->table->json_name ? t->table->json_name : t->table->name, sb_text(&units),
                  w->returned, w->total);
    sb_done(&units);
    for (size_t i = 0; i < t->table->n_heads; i++) {
        struct table_value v;

        table_head(t, i, &v);
        sb_addc(sb, ',');
        add_key(sb, t->table->heads[i].name);
        add_json_value(sb, &t->table->heads[i], &v);
    }
    if (t->table->object_key && t->object) {
        sb_addc(sb, ',');
        add_key(sb, t->table->object_key);
        json_add_record(sb, t->table->object_columns, t->table->n_object_columns, t->object,
                        t->request->profile);
    }
}

static void begin_list(struct table_writer *w, const char *key)
{
    if (w->is_document) {
        sb_addc(&w->out->text, ',');
        add_key(&w->out->text, key);
    }
    sb_addc(&w->out->text, '[');
}

static void add_member(struct table_writer *w, const struct table_column *column,
                       const struct table_value *v)
{
    struct strbuf *sb = &w->out->text;

    if (w->at == 0)
        sb_adds(sb, w->n_rows ? ",\n{" : "\n{");
    if (v->kind != VALUE_IS_NONE || !column->omits_unknown) {
        sb_adds(sb, sb->data[sb->len - 1] != '{' ? "," : "");
        add_key(sb, column->name);
        add_json_value(sb, column, v);
    }
    sb_adds(sb, w->at + 1 == w->n_columns ? "}" : "");
}

static void end_list(struct table_writer *w)
{
    sb_adds(&w->out->text, w->is_document ? "]" : w->n_rows ? "\n]\n" : "]\n");
}

static void end_object(struct table_writer *w, const struct table_rows *t UNUSED)
{
    sb_adds(&w->out->text, "}\n");
}

const struct table_format table_json = {
    .audience = FOR_PROGRAMS,
    .takes_budget = true,
    .begin = begin_object,
    .begin_rows = begin_list,
    .cell = add_member,
    .end_rows = end_list,
    .end = end_object,
};
