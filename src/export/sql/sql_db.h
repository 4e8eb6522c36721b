/* sql_db.h: a connection to SQLite that has the tables of a profile. */
#ifndef TFPROF_EXPORT_SQL_DB_H
#define TFPROF_EXPORT_SQL_DB_H

#include <sqlite3.h>

#include "activity/table.h"

struct sql_db;

/* What a module of SQLite is given: a table, which is opened when it is first read. */
struct sql_module {
    struct sql_db *db;
    const struct table *table;
    struct table_rows rows;
    bool is_open;
};

struct sql_db {
    sqlite3 *handle;
    const struct table_request *request; /* borrowed */
    struct sql_module *modules;          /* heap, by index of table_list */
    size_t n_modules;
    struct err err; /* why a table could not be opened */
};

/* What is kept in memory while a statement runs, at most. */
enum { SQL_MEMORY_MB = 2048 };

/* Opens the database PATH by the file system VFS (NULL: the default) with the tables of REQUEST,
 * each named PREFIX and its name.  False with ERR. */
bool sql_db_open(struct sql_db *db, const char *path, const char *vfs, const char *prefix,
                 const struct table_request *request, struct err *err);
void sql_db_close(struct sql_db *db);
/* From now on statements may read and nothing else; for a database without a prefix.
 * False with ERR when memory is out. */
bool sql_db_make_read_only(struct sql_db *db, struct err *err);
/* Runs a statement that gives no rows. */
bool sql_db_run(struct sql_db *db, const char *statement, struct err *err);
/* Sets ERR to why the last call failed: cancelled, what a view said, what SQLite says. */
bool sql_db_fail(struct sql_db *db, enum err_kind kind, struct err *err);

/* Appends "NAME TYPE, NAME TYPE" of T's columns. */
void sql_add_columns(struct strbuf *sb, const struct table *t);
/* Appends the definitions of all tables, with what columns mean. */
void sql_add_schema(struct strbuf *sb);

/* ---- private to sql_*.c */

extern const sqlite3_module sql_module; /* its data: a struct sql_module */

#endif
