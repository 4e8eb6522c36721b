/* sql_module.c: the tables of a profile as virtual tables of SQLite. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/sql/sql_db.h"

struct vtab {
    sqlite3_vtab base; /* must be first */
    struct sql_module *module;
};

struct sql_cursor {
    sqlite3_vtab_cursor base; /* must be first */
    struct table_cursor cursor;
    bool ended;
};

/* Plans of xBestIndex. */
enum { PLAN_ALL, PLAN_KEY };

static int connect_table(sqlite3 *db, void *data, int argc UNUSED, const char *const *argv UNUSED,
                         sqlite3_vtab **made, char **message UNUSED)
{
    struct sql_module *module = data;
    struct strbuf schema = {0};
    struct vtab *vtab;
    int status;

    sb_adds(&schema, "CREATE TABLE t(");
    sql_add_columns(&schema, module->table);
    sb_addc(&schema, ')');
    status = sqlite3_declare_vtab(db, sb_text(&schema));
    sb_done(&schema);
    if (status != SQLITE_OK)
        return status;
    vtab = xcalloc(1, sizeof *vtab);
    vtab->module = module;
    *made = &vtab->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    free(base);
    return SQLITE_OK;
}

/* Supports look-ups of one key in tables with a key column, and ascending order of keys. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const bool has_keys = ((struct vtab *)base)->module->table->has_key_column;

    info->idxNum = PLAN_ALL;
    info->estimatedCost = 1e6;
    info->estimatedRows = 1000000;
    for (int i = 0; has_keys && i < info->nConstraint; i++) {
        if (!info->aConstraint[i].usable || info->aConstraint[i].iColumn != 0 ||
            info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        info->idxNum = PLAN_KEY;
        info->aConstraintUsage[i].argvIndex = 1;
        info->estimatedCost = 2;
        info->estimatedRows = 2;
        break;
    }
    info->orderByConsumed =
        has_keys && info->nOrderBy == 1 && info->aOrderBy[0].iColumn == 0 && !info->aOrderBy[0].desc;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base UNUSED, sqlite3_vtab_cursor **made)
{
    *made = xcalloc(1, sizeof(struct sql_cursor));
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct sql_cursor *sql_cursor = (struct sql_cursor *)base;

    table_cursor_done(&sql_cursor->cursor);
    free(sql_cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct sql_cursor *sql_cursor = (struct sql_cursor *)base;

    sql_cursor->ended = !table_cursor_next(&sql_cursor->cursor);
    return SQLITE_OK;
}

/* Opens the rows of the table on first use; NULL with db->err on failure. */
static const struct table_rows *rows_of(struct sql_module *module)
{
    module->is_open = module->is_open || table_open(&module->rows, module->table, module->db->request,
                                                    &module->db->err);
    return module->is_open ? &module->rows : NULL;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *name UNUSED, int argc,
                  sqlite3_value **argv)
{
    struct sql_cursor *sql_cursor = (struct sql_cursor *)base;
    struct sql_module *module = ((struct vtab *)base->pVtab)->module;
    const struct table_rows *rows = rows_of(module);
    uint64_t first = 0, last = UINT64_MAX - 1;

    if (!rows) {
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", err_text(&module->db->err));
        return SQLITE_ERROR;
    }
    if (plan == PLAN_KEY && argc == 1) {
        const sqlite3_int64 key = sqlite3_value_int64(argv[0]);

        /* SQLite tests equality again. */
        sql_cursor->ended = key < 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL;
        if (sql_cursor->ended)
            return SQLITE_OK;
        first = last = (uint64_t)key;
    }
    if (sql_cursor->cursor.rows)
        table_cursor_move(&sql_cursor->cursor, first, last);
    else
        table_cursor_start(&sql_cursor->cursor, rows, first, last);
    return next_row(base);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((struct sql_cursor *)base)->ended;
}

/* Converts times to microseconds; whole ones stay integers. */
static void value_to_micros(struct table_value *v, enum value_unit unit)
{
    if (unit != VALUE_TIME_PS)
        return;
    if (v->kind == VALUE_IS_INTEGER)
        value_micros(v, v->integer);
    else
        v->real /= (double)PS_PER_US;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    struct table_cursor *c = &((struct sql_cursor *)base)->cursor;
    struct table_value v;

    table_cursor_value(c, (size_t)i, &v);
    value_to_micros(&v, c->rows->table->columns[i].unit);
    switch (v.kind) {
    case VALUE_IS_NONE:
        sqlite3_result_null(context);
        break;
    case VALUE_IS_INTEGER:
        sqlite3_result_int64(context, v.integer);
        break;
    case VALUE_IS_REAL:
        sqlite3_result_double(context, v.real);
        break;
    case VALUE_IS_TEXT:
    case VALUE_IS_BYTES:
        sqlite3_result_text64(context, v.text.bytes, v.text.len,
                              v.is_scratch ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
        break;
    }
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
    const struct table_cursor *c = &((struct sql_cursor *)base)->cursor;

    *number = (sqlite3_int64)(c->key << 31 | (c->at & INT32_MAX));
    return SQLITE_OK;
}

/* Without xCreate a table with the name of the module exists implicitly. */
const sqlite3_module sql_module = {
    .xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = disconnect_table,
    .xOpen = open_cursor,      .xClose = close_cursor,   .xFilter = filter,
    .xNext = next_row,         .xEof = is_at_end,        .xColumn = column,
    .xRowid = row_number,
};
