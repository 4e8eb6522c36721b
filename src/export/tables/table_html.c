/* table_html.c: writes tables as an HTML page. */
#include <string.h>

#include "base/utf8.h"
#include "export/sinks/escape.h"
#include "export/tables/table_writer.h"

static const char styles[] =
    "table{border-collapse:collapse;margin:1rem 0}\n"
    "th,td{padding:.1rem .6rem;border-bottom:1px solid #8883;text-align:right;"
    "white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    ".t{text-align:left}\n"
    "</style>\n";

/* Appends an element NAME with the contents of w->scratch, which is cleared. */
static void add_element(struct table_writer *w, const char *name, bool is_text)
{
    sb_addf(&w->out->text, "<%s%s>", name, is_text ? " class=\"t\"" : "");
    markup_add(&w->out->text, sb_text(&w->scratch), w->scratch.len);
    sb_addf(&w->out->text, "</%s>", name);
    sb_clear(&w->scratch);
}

/* Appends the text lines that ADD writes, if any. */
static void add_lines(struct table_writer *w, const struct table_rows *t,
                      void (*add)(struct strbuf *sb, const struct table_rows *t))
{
    if (!add)
        return;
    add(&w->scratch, t);
    add_element(w, "pre", false);
    sb_addc(&w->out->text, '\n');
}

static void begin(struct table_writer *w, const struct table_rows *t)
{
    struct strbuf *sb = &w->out->text;

    sb_addf(sb, "%s%s<title>tfprof %s</title></head><body>\n<h1>tfprof: %s</h1>\n",
            markup_page_head, styles, t->table->name, t->table->name);
    add_lines(w, t, t->table->lead);
}

static void begin_rows(struct table_writer *w, const char *key UNUSED)
{
    struct strbuf *sb = &w->out->text;

    if (!w->is_document)
        sb_addf(sb, "%s%s<title>tfprof</title></head><body>\n", markup_page_head, styles);
    sb_adds(sb, "<table><thead><tr>");
    for (size_t i = 0; i < w->n_columns; i++) {
        const char *head = table_column_head(w->columns[i]);

        utf8_escape(&w->scratch, head, strlen(head));
        add_element(w, "th", w->columns[i]->unit == VALUE_TEXT);
    }
    sb_adds(sb, "</tr></thead><tbody>\n");
}

static void add_cell(struct table_writer *w, const struct table_column *column,
                     const struct table_value *v)
{
    if (w->at == 0)
        sb_adds(&w->out->text, "<tr>");
    table_value_text(&w->scratch, column, v);
    add_element(w, "td", column->unit == VALUE_TEXT ||
                             (column->unit == VALUE_ANY && v->kind == VALUE_IS_TEXT));
    if (w->at + 1 == w->n_columns)
        sb_adds(&w->out->text, "</tr>\n");
}

static void end_rows(struct table_writer *w)
{
    sb_addf(&w->out->text, "</tbody></table>\n%s", w->is_document ? "" : "</body></html>\n");
}

static void end(struct table_writer *w, const struct table_rows *t)
{
    add_lines(w, t, t->table->legend);
    sb_adds(&w->out->text, "</body></html>\n");
}

const struct table_format table_html = {
    .audience = FOR_PEOPLE,
    .begin = begin,
    .begin_rows = begin_rows,
    .cell = add_cell,
    .end_rows = end_rows,
    .end = end,
};
