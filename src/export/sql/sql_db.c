/* sql_db.c: a connection to SQLite with the tables of a profile. */
#include "export/sql/sql_db.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/tables/table_list.h"

enum { OPERATIONS_BETWEEN_LOOKS = 4096, MAX_VALUE_BYTES = 256 << 20 };

/* Called by SQLite every few thousand operations; a nonzero result ends the statement. */
static int is_cancelled(void *arg)
{
    const struct sql_db *db = arg;

    return cancel_asked(db->request->cancel);
}

static bool add_tables(struct sql_db *db, const char *prefix)
{
    struct strbuf name = {0};
    int status = SQLITE_OK;

    while (table_list[db->n_modules])
        db->n_modules++;
    db->modules = xcalloc(db->n_modules, sizeof *db->modules);
    for (size_t i = 0; i < db->n_modules && status == SQLITE_OK; i++) {
        db->modules[i] = (struct sql_module){.db = db, .table = table_list[i]};
        sb_clear(&name);
        sb_addf(&name, "%s%s", prefix, table_sql_name(table_list[i]));
        status = sqlite3_create_module(db->handle, sb_text(&name), &sql_module, &db->modules[i]);
    }
    sb_done(&name);
    return status == SQLITE_OK;
}

bool sql_db_open(struct sql_db *db, const char *path, const char *vfs, const char *prefix,
                 const struct table_request *request, struct err *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

    *db = (struct sql_db){.request = request};
    sqlite3_hard_heap_limit64((sqlite3_int64)SQL_MEMORY_MB << 20);
    if (sqlite3_open_v2(path, &db->handle, flags, vfs) == SQLITE_OK && add_tables(db, prefix)) {
        sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
        sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_progress_handler(db->handle, OPERATIONS_BETWEEN_LOOKS, is_cancelled, db);
        /* Keeps SQLite from opening temporary files. */
        if (sql_db_run(db, "PRAGMA temp_store = MEMORY", err))
            return true;
    } else {
        sql_db_fail(db, ERR_INPUT, err);
    }
    sql_db_close(db);
    return false;
}

void sql_db_close(struct sql_db *db)
{
    sqlite3_close(db->handle);
    for (size_t i = 0; i < db->n_modules; i++)
        if (db->modules[i].is_open)
            table_close(&db->modules[i].rows);
    err_done(&db->err);
    free(db->modules);
    memset(db, 0, sizeof *db);
}

/* True when NAME is one of the words in LIST. */
static bool is_listed(const char *name, const char *list)
{
    const size_t len = strlen(name);

    for (const char *word = list; *word; word += strspn(word, " ")) {
        const size_t word_len = strcspn(word, " ");

        if (word_len == len && sqlite3_strnicmp(word, name, (int)len) == 0)
            return true;
        word += word_len;
    }
    return false;
}

/* Allows pure functions only: none that loads code, exposes the process, or changes the
 * connection. */
static bool is_allowed_function(const char *name)
{
    static const char functions[] =
        "abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws "
        "cos cosh count cume_dist current_date current_time current_timestamp date datetime degrees "
        "dense_rank exp first_value floor format glob group_concat hex if ifnull iif instr json "
        "json_array json_array_length json_error_position json_extract json_group_array "
        "json_group_object json_insert json_object json_patch json_pretty json_quote json_remove "
        "json_replace json_set json_type json_valid -> ->> julianday lag last_value lead length like "
        "likelihood likely ln log log10 log2 lower ltrim max median min mod nth_value ntile nullif "
        "octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf "
        "quote radians random randomblob rank replace round row_number rtrim sign sin sinh soundex "
        "sqlite_version sqrt strftime string_agg substr substring sum tan tanh time timediff total "
        "trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob";

    return is_listed(name, functions);
}

/* True for the tables of the profile and the schema table. */
static bool is_allowed_table(const char *name)
{
    for (size_t i = 0; table_list[i]; i++)
        if (sqlite3_stricmp(table_sql_name(table_list[i]), name) == 0)
            return true;
    return is_listed(name, "sqlite_master sqlite_schema");
}

static int allow_reading(void *arg UNUSED, int action, const char *first, const char *second,
                         const char *database UNUSED, const char *trigger UNUSED)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ: /* no column: counts rows, possibly of a common table expression */
        return first && (!second || !*second || is_allowed_table(first)) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return second && is_allowed_function(second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* Declares the virtual tables while their declaring statements are still allowed.  Fails only
 * without memory. */
static bool declare_tables(struct sql_db *db, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && table_list[i]; i++) {
        struct strbuf query = {0};
        sqlite3_stmt *statement = NULL;

        sb_addf(&query, "SELECT * FROM %s", table_sql_name(table_list[i]));
        ok = sqlite3_prepare_v2(db->handle, sb_text(&query), -1, &statement, NULL) == SQLITE_OK ||
             err_set(err, ERR_INPUT, "sql: out of memory");
        sqlite3_finalize(statement);
        sb_done(&query);
    }
    return ok;
}

bool sql_db_make_read_only(struct sql_db *db, struct err *err)
{
    if (!declare_tables(db, err))
        return false;
    sqlite3_set_authorizer(db->handle, allow_reading, NULL);
    return true;
}

bool sql_db_fail(struct sql_db *db, enum err_kind kind, struct err *err)
{
    struct err *why = &db->err;

    if (why->kind != ERR_NONE) {
        err_done(err);
        *err = *why;
        *why = (struct err){0};
        return false;
    }
    if (cancel_asked(db->request->cancel))
        return err_set(err, ERR_CANCELLED, "sql: cancelled");
    if (strstr(sqlite3_errmsg(db->handle), "use function"))
        return err_set(err, ERR_USAGE, "sql: %s", sqlite3_errmsg(db->handle));
    if (sqlite3_errcode(db->handle) == SQLITE_AUTH)
        return err_set(err, ERR_USAGE, "sql: only queries are allowed: the profile is read, not written");
    if (sqlite3_errcode(db->handle) == SQLITE_NOMEM)
        return err_set(err, ERR_INPUT, "sql: the query takes more than %d MB of memory",
                       (int)SQL_MEMORY_MB);
    return err_set(err, kind, "sql: %s", sqlite3_errmsg(db->handle));
}

bool sql_db_run(struct sql_db *db, const char *statement, struct err *err)
{
    return sqlite3_exec(db->handle, statement, NULL, NULL, NULL) == SQLITE_OK ||
           sql_db_fail(db, ERR_INPUT, err);
}

/* ---- the SQL declarations of tables */

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
