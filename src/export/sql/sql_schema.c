/* sql_schema.c: the SQL declarations of tables. */
#include "export/sql/sql_db.h"

#include <string.h>

#include "export/tables/table_list.h"

static const char *type_of(enum value_unit unit)
{
    switch (unit) {
    case VALUE_NUMBER:
    case VALUE_BYTES:
        return "INTEGER";
    case VALUE_TEXT:
        return "TEXT";
    default:
        return "NUMERIC";
    }
}

/* Appends the name and type of COLUMN; SQL keywords are quoted. */
static void add_column(struct strbuf *sb, const struct table_column *column)
{
    const bool is_word = sqlite3_keyword_check(column->name, (int)strlen(column->name));
    const char *quote = is_word ? "\"" : "";

    sb_addf(sb, "%s%s%s %s", quote, column->name, quote, type_of(column->unit));
}

void sql_add_columns(struct strbuf *sb, const struct table *t)
{
    for (size_t i = 0; i < table_n_data_columns(t); i++) {
        sb_adds(sb, i ? ", " : "");
        add_column(sb, &t->columns[i]);
    }
}

void sql_add_schema(struct strbuf *sb)
{
    for (size_t t = 0; table_list[t]; t++) {
        const struct table *table = table_list[t];
        const size_t n = table_n_data_columns(table);

        sb_addf(sb, "-- %s\nCREATE TABLE %s(\n", table->help, table_sql_name(table));
        for (size_t i = 0; i < n; i++) {
            sb_adds(sb, "  ");
            add_column(sb, &table->columns[i]);
            sb_addf(sb, "%s -- %s\n", i + 1 < n ? "," : "", table->columns[i].help);
        }
        sb_adds(sb, ");\n");
    }
}
