/* sql_module.c: tables of a profile as virtual tables of SQLite. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/sql/sql_db.h"

struct vtab {
    sqlite3_vtab base; /* first */
    const struct sql_module *module;
};

struct place {
    sqlite3_vtab_cursor base; /* first */
    struct sql_cursor cursor;
    bool ended;
};

/* Plans of xBestIndex. */
enum { PLAN_ALL, PLAN_KEY };

static int connect_table(sqlite3 *db, void *data, int argc, const char *const *argv,
                         sqlite3_vtab **made, char **message)
{
    const struct sql_module *module = data;
    struct strbuf schema = {0};
    struct vtab *vtab;
    int status;

    (void)argc, (void)argv, (void)message;
    sb_adds(&schema, "CREATE TABLE t(");
    sql_table_columns(&schema, module->table);
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

/* One key is all that is looked up; rows come by ascending keys. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    info->idxNum = PLAN_ALL;
    info->estimatedCost = 1e6;
    info->estimatedRows = 1000000;
    for (int i = 0; i < info->nConstraint; i++) {
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
        info->nOrderBy == 1 && info->aOrderBy[0].iColumn == 0 && !info->aOrderBy[0].desc;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made)
{
    const struct sql_module *module = ((struct vtab *)base)->module;
    struct place *place = xcalloc(1, sizeof *place);

    place->cursor.table = module->table;
    place->cursor.source = module->source;
    *made = &place->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct place *place = (struct place *)base;

    sql_cursor_done(&place->cursor);
    free(place);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct place *place = (struct place *)base;

    place->ended = !sql_cursor_next(&place->cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *name, int argc,
                  sqlite3_value **argv)
{
    struct place *place = (struct place *)base;
    uint64_t first = 0, last = UINT64_MAX - 1;

    (void)name;
    if (plan == PLAN_KEY && argc == 1) {
        const sqlite3_int64 key = sqlite3_value_int64(argv[0]);

        /* SQLite looks again whether they are equal. */
        place->ended = key < 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL;
        if (place->ended)
            return SQLITE_OK;
        first = last = (uint64_t)key;
    }
    if (!sql_cursor_start(&place->cursor, first, last)) {
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", err_text(&place->cursor.source->err));
        return SQLITE_ERROR;
    }
    return next_row(base);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((struct place *)base)->ended;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    struct sql_value v;

    sql_cursor_value(&((struct place *)base)->cursor, (size_t)i, &v);
    switch (v.kind) {
    case SQL_NULL:
        sqlite3_result_null(context);
        break;
    case SQL_INTEGER:
        sqlite3_result_int64(context, v.integer);
        break;
    case SQL_REAL:
        sqlite3_result_double(context, v.real);
        break;
    case SQL_TEXT:
        sqlite3_result_text64(context, v.text.bytes, v.text.len,
                              v.is_scratch ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
        break;
    }
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
    const struct sql_cursor *c = &((struct place *)base)->cursor;

    *number = (sqlite3_int64)(c->key << 31 | (c->at & INT32_MAX));
    return SQLITE_OK;
}

/* Without xCreate a table of the module's name is there without being made. */
const sqlite3_module sql_module = {
    .xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = disconnect_table,
    .xOpen = open_cursor,      .xClose = close_cursor,   .xFilter = filter,
    .xNext = next_row,         .xEof = is_at_end,        .xColumn = column,
    .xRowid = row_number,
};
