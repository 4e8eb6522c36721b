/* sql_db.c: a connection to SQLite that has the tables of a profile. */
#include "export/sql/sql_db.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { OPERATIONS_BETWEEN_LOOKS = 4096, MAX_VALUE_BYTES = 256 << 20 };

/* Called every few thousand operations; not 0 ends the statement. */
static int is_cancelled(void *arg)
{
    const struct sql_source *source = arg;

    return cancel_asked(source->cancel);
}

static bool add_tables(struct sql_db *db, const char *prefix)
{
    struct strbuf name = {0};
    int status = SQLITE_OK;
    size_t n = 0;

    while (sql_tables[n])
        n++;
    db->modules = xcalloc(n, sizeof *db->modules);
    for (size_t i = 0; i < n && status == SQLITE_OK; i++) {
        db->modules[i] = (struct sql_module){sql_tables[i], db->source};
        sb_clear(&name);
        sb_addf(&name, "%s%s", prefix, sql_tables[i]->name);
        status = sqlite3_create_module(db->handle, sb_text(&name), &sql_module, &db->modules[i]);
    }
    sb_done(&name);
    return status == SQLITE_OK;
}

bool sql_db_open(struct sql_db *db, const char *path, const char *vfs, const char *prefix,
                 struct sql_source *source, struct err *err)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

    *db = (struct sql_db){.source = source};
    sqlite3_hard_heap_limit64((sqlite3_int64)SQL_MEMORY_MB << 20);
    if (sqlite3_open_v2(path, &db->handle, flags, vfs) == SQLITE_OK && add_tables(db, prefix)) {
        sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
        sqlite3_limit(db->handle, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_progress_handler(db->handle, OPERATIONS_BETWEEN_LOOKS, is_cancelled, source);
        /* No files but the one that is written. */
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
    free(db->modules);
    memset(db, 0, sizeof *db);
}

static int allow_reading(void *arg, int action, const char *first, const char *second,
                         const char *database, const char *trigger)
{
    (void)arg, (void)first, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

/* A virtual table is declared by a statement that would not be allowed later.  Nothing but
 * a lack of memory stops that. */
static bool declare_tables(struct sql_db *db, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && sql_tables[i]; i++) {
        struct strbuf query = {0};
        sqlite3_stmt *statement = NULL;

        sb_addf(&query, "SELECT * FROM %s", sql_tables[i]->name);
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
    struct err *why = &db->source->err;

    if (why->kind != ERR_NONE) {
        err_done(err);
        *err = *why;
        *why = (struct err){0};
        return false;
    }
    if (cancel_asked(db->source->cancel))
        return err_set(err, ERR_CANCELLED, "sql: cancelled");
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
