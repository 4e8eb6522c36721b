/* sql_table.c: what all tables of a profile have in common. */
#include "export/sql/sql_table.h"

#include <stdlib.h>
#include <string.h>

#define SQL_TABLE_ADDRESS(name) &sql_table_##name,
const struct sql_table *const sql_tables[] = {SQL_TABLE_LIST(SQL_TABLE_ADDRESS) NULL};
#undef SQL_TABLE_ADDRESS

void sql_source_done(struct sql_source *s)
{
    for (size_t i = 0; i < VIEW_ADVISE; i++) {
        result_free(s->views[i].result);
        free(s->views[i].rows);
        free(s->views[i].depths);
        free(s->views[i].parents);
    }
    if (s->hosts)
        intern_done(&s->host_names);
    free(s->hosts);
    vec_done(&s->spreads);
    err_done(&s->err);
    memset(s, 0, sizeof *s);
}

bool sql_table_is_of_view(const struct sql_table *t)
{
    return t->view != VIEW_ADVISE;
}

void sql_table_columns(struct strbuf *sb, const struct sql_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        sb_addf(sb, "%s%s %s", i ? ", " : "", t->columns[i].name, t->columns[i].type);
}

void sql_tables_schema(struct strbuf *sb)
{
    for (size_t t = 0; sql_tables[t]; t++) {
        const struct sql_table *table = sql_tables[t];

        sb_addf(sb, "-- %s\nCREATE TABLE %s(\n", table->help, table->name);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct sql_column *column = &table->columns[i];

            sb_addf(sb, "  %s %s%s -- %s\n", column->name, column->type,
                    i + 1 < table->n_columns ? "," : "", column->help);
        }
        sb_adds(sb, ");\n");
    }
}

/* ---- cursors */

/* Looks at the rows of c->key; leaves keys that have none. */
static bool enter_key(struct sql_cursor *c)
{
    for (; c->key < c->end_key; c->key++) {
        c->at = 0;
        c->n_at = c->table->n_rows ? c->table->n_rows(c) : 1;
        if (c->n_at)
            return true;
    }
    return false;
}

bool sql_cursor_start(struct sql_cursor *c, uint64_t first, uint64_t last)
{
    uint64_t n_keys;

    if (c->table->prepare && !c->table->prepare(c->source, c->table))
        return false;
    n_keys = c->table->n_keys(c->source, c->table);
    c->key = first;
    c->end_key = last < n_keys ? last + 1 : n_keys;
    c->at = c->n_at = 0;
    return true;
}

bool sql_cursor_next(struct sql_cursor *c)
{
    if (!c->n_at)
        return enter_key(c);
    if (++c->at < c->n_at)
        return true;
    c->key++;
    return enter_key(c);
}

void sql_cursor_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    *v = (struct sql_value){.kind = SQL_NULL};
    if (column == 0)
        sql_set_integer(v, (int64_t)c->key);
    else
        c->table->value(c, column, v);
}

void sql_cursor_done(struct sql_cursor *c)
{
    sb_done(&c->text);
    vec_done(&c->execs);
    vec_done(&c->times);
    vec_done(&c->memories);
    if (c->cells)
        row_cells_done(c->cells);
    free(c->cells);
    free(c->cell_of_column);
    c->cells = NULL;
}

/* ---- values */

void sql_set_integer(struct sql_value *v, int64_t integer)
{
    v->kind = SQL_INTEGER;
    v->integer = integer;
}

void sql_set_string(struct sql_value *v, const struct profile *p, strid id)
{
    v->kind = SQL_TEXT;
    v->text = intern_string(&p->strings, id);
    if (!v->text.len)
        v->kind = SQL_NULL;
}

/* Whole microseconds stay whole numbers. */
void sql_set_micros(struct sql_value *v, int64_t ps)
{
    if (ps % PS_PER_US == 0) {
        sql_set_integer(v, ps / PS_PER_US);
        return;
    }
    v->kind = SQL_REAL;
    v->real = (double)ps / (double)PS_PER_US;
}

void sql_set_scratch(struct sql_value *v, const struct sql_cursor *c)
{
    v->kind = SQL_TEXT;
    v->text = (struct text){sb_text(&c->text), (uint32_t)c->text.len};
    v->is_scratch = true;
}
