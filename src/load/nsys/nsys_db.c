/* nsys_db.c: reads tables of an SQLite export of Nsight Systems.  The file is untrusted. */
#include "load/nsys/nsys_db.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"

struct nsys_db {
    sqlite3 *handle;
    struct loader *l;
    uint8_t *copy;     /* patched copy of a database in WAL mode; NULL: the input itself */
    uint64_t n_rows;   /* rows read so far */
};

struct nsys_rows {
    struct nsys_db *db;
    sqlite3_stmt *statement;
    const char *table;
    int column[NSYS_COLUMNS_MAX]; /* index in the result; -1: missing */
};

/* ---- opening */

/* Authorizer: allows only SELECT of columns. */
static int allow_reading(void *context, int action, const char *a, const char *b, const char *c,
                         const char *d)
{
    (void)context, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static int is_cancelled(void *context)
{
    struct nsys_db *db = context;

    return cancel_asked(db->l->cancel);
}

static void limit(struct nsys_db *db)
{
    enum { VALUE_MAX_BYTES = 16 << 20, SQL_MAX_BYTES = 1 << 20, OPS_BETWEEN_LOOKS = 1 << 16 };

    sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, VALUE_MAX_BYTES);
    sqlite3_limit(db->handle, SQLITE_LIMIT_SQL_LENGTH, SQL_MAX_BYTES);
    sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db->handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
    sqlite3_limit(db->handle, SQLITE_LIMIT_EXPR_DEPTH, 20);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_exec(db->handle, "PRAGMA cell_size_check = 1", NULL, NULL, NULL);
    sqlite3_set_authorizer(db->handle, allow_reading, NULL);
    sqlite3_progress_handler(db->handle, OPS_BETWEEN_LOOKS, is_cancelled, db);
}

/* The bytes to open.  SQLite rejects an in-memory database with WAL in its header, so that is
 * changed in a copy. */
static uint8_t *bytes_to_open(struct nsys_db *db)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, HEADER_BYTES = 100, WAL = 2, ROLLBACK = 1 };
    const struct span input = db->l->input;

    if (input.len >= HEADER_BYTES && input.bytes[READ_VERSION] == WAL) {
        db->copy = (uint8_t *)xmemdupz(input.bytes, input.len);
        db->copy[WRITE_VERSION] = db->copy[READ_VERSION] = ROLLBACK;
        return db->copy;
    }
    return (uint8_t *)(uintptr_t)input.bytes;
}

struct nsys_db *nsys_open(struct loader *l, struct err *err)
{
    struct nsys_db *db = xcalloc(1, sizeof *db);
    const sqlite3_int64 size = (sqlite3_int64)l->input.len;

    db->l = l;
    if (sqlite3_open_v2(":memory:", &db->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        sqlite3_deserialize(db->handle, "main", bytes_to_open(db), size, size,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        err_set(err, ERR_INPUT, "%s: %s", l->path,
                db->handle ? sqlite3_errmsg(db->handle) : "out of memory");
        nsys_close(db);
        return NULL;
    }
    limit(db);
    return db;
}

void nsys_close(struct nsys_db *db)
{
    if (!db)
        return;
    sqlite3_close(db->handle);
    EACH(free, db->copy, db);
}

/* ---- tables */

/* Sets ERR to SQLite's message, or to cancelled.  TABLE may be NULL.  Returns false. */
static bool fail(struct nsys_db *db, const char *table, struct err *err)
{
    if (cancel_asked(db->l->cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    return err_set(err, ERR_INPUT, "%s: %s%s%s; %" PRIu64 " rows read before", db->l->path,
                   table ? table : "", table ? ": " : "", sqlite3_errmsg(db->handle), db->n_rows);
}

enum found { FOUND_NOTHING, FOUND_TABLE, FOUND_OTHER, FOUND_DAMAGE };

/* Looks up TABLE in the schema; one that ends in an asterisk is any with that prefix. */
static enum found find(struct nsys_db *db, const char *table)
{
    static const char create[] = "CREATE TABLE";
    const size_t len = strcspn(table, "*"), compared = table[len] ? len : len + 1;
    enum found found = FOUND_NOTHING;
    sqlite3_stmt *statement;
    int status = sqlite3_prepare_v2(db->handle, "SELECT type, name, sql FROM sqlite_master", -1,
                                    &statement, NULL);

    if (status != SQLITE_OK)
        return FOUND_DAMAGE;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(statement, 0);
        const char *name = (const char *)sqlite3_column_text(statement, 1);
        const char *sql = (const char *)sqlite3_column_text(statement, 2);

        if (!type || !name || strncasecmp(name, table, compared) != 0 ||
            strcmp(type, "index") == 0 || strcmp(type, "trigger") == 0)
            continue;
        found = strcmp(type, "table") == 0 && sql &&
                        strncasecmp(sql, create, sizeof create - 1) == 0
                    ? FOUND_TABLE : FOUND_OTHER;
    }
    sqlite3_finalize(statement);
    return status == SQLITE_DONE ? found : FOUND_DAMAGE;
}

bool nsys_has(struct nsys_db *db, const char *table, bool *has, struct err *err)
{
    const enum found found = find(db, table);

    *has |= found != FOUND_NOTHING;
    return found != FOUND_DAMAGE || fail(db, NULL, err);
}

/* Appends the names in WORDS that TABLE has to SQL.  False with ERR if one is missing and
 * REQUIRED. */
static bool add_columns(struct nsys_rows *rows, const char *words, bool required, int *n, int *n_found,
                        struct strbuf *sql, struct err *err)
{
    while (*words && *n < NSYS_COLUMNS_MAX) {
        const size_t len = strcspn(words, " ");
        struct strbuf name = {0};
        bool is_there;

        sb_add(&name, words, len);
        is_there = sqlite3_table_column_metadata(rows->db->handle, "main", rows->table,
                                                 sb_text(&name), NULL, NULL, NULL, NULL,
                                                 NULL) == SQLITE_OK;
        if (is_there)
            sb_addf(sql, "%s\"%s\"", *n_found ? ", " : "", sb_text(&name));
        else if (required)
            err_set(err, ERR_INPUT, "%s: %s has no column %s", rows->db->l->path, rows->table,
                    sb_text(&name));
        rows->column[*n] = is_there ? (*n_found)++ : -1;
        ++*n;
        sb_done(&name);
        if (required && !is_there)
            return false;
        words += len + (words[len] == ' ');
    }
    return true;
}

static bool prepare(struct nsys_rows *rows, const struct nsys_table *table, struct err *err)
{
    struct strbuf sql = {0};
    int n = 0, n_found = 0;
    bool ok;

    sb_adds(&sql, "SELECT ");
    ok = add_columns(rows, table->required, true, &n, &n_found, &sql, err) &&
         add_columns(rows, table->optional, false, &n, &n_found, &sql, err);
    sb_adds(&sql, ok && !n_found ? "NULL" : "");
    sb_addf(&sql, " FROM main.\"%s\"", table->name);
    ok = ok && (sqlite3_prepare_v2(rows->db->handle, sb_text(&sql), -1, &rows->statement, NULL) ==
                    SQLITE_OK ||
                fail(rows->db, table->name, err));
    sb_done(&sql);
    return ok;
}

bool nsys_begin(struct nsys_db *db, const struct nsys_table *table, struct nsys_rows **rows,
                struct err *err)
{
    *rows = NULL;
    switch (find(db, table->name)) {
    case FOUND_NOTHING:
        return true;
    case FOUND_DAMAGE:
        return fail(db, NULL, err);
    case FOUND_OTHER:
        return err_set(err, ERR_INPUT, "%s: %s is a view, not a table", db->l->path, table->name);
    case FOUND_TABLE:
        break;
    }
    *rows = xcalloc(1, sizeof **rows);
    (*rows)->db = db;
    (*rows)->table = table->name;
    if (prepare(*rows, table, err))
        return true;
    nsys_end(*rows);
    *rows = NULL;
    return false;
}

bool nsys_next(struct nsys_rows *rows, struct err *err)
{
    const int status = sqlite3_step(rows->statement);

    if (status == SQLITE_ROW) {
        rows->db->n_rows++;
        return true;
    }
    return status != SQLITE_DONE && fail(rows->db, rows->table, err);
}

void nsys_end(struct nsys_rows *rows)
{
    if (!rows)
        return;
    sqlite3_finalize(rows->statement);
    free(rows);
}

bool nsys_is_null(const struct nsys_rows *rows, int column)
{
    return rows->column[column] < 0 ||
           sqlite3_column_type(rows->statement, rows->column[column]) == SQLITE_NULL;
}

int64_t nsys_int(const struct nsys_rows *rows, int column)
{
    return rows->column[column] < 0 ? 0
                                    : sqlite3_column_int64(rows->statement, rows->column[column]);
}

struct span nsys_text(const struct nsys_rows *rows, int column)
{
    struct span text = {NULL, 0};

    if (nsys_is_null(rows, column))
        return text;
    text.bytes = sqlite3_column_text(rows->statement, rows->column[column]);
    text.len = text.bytes ? (size_t)sqlite3_column_bytes(rows->statement, rows->column[column]) : 0;
    return text;
}
