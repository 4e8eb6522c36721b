/* sql_db.h: a connection to SQLite that has the tables of a profile. */
#ifndef TFPROF_EXPORT_SQL_DB_H
#define TFPROF_EXPORT_SQL_DB_H

#include <sqlite3.h>

#include "export/sql/sql_table.h"

/* What a module of SQLite is told about. */
struct sql_module {
    const struct sql_table *table;
    struct sql_source *source;
};

struct sql_db {
    sqlite3 *handle;
    struct sql_source *source; /* borrowed */
    struct sql_module *modules; /* heap */
};

/* What is kept in memory while a statement runs, at most. */
enum { SQL_MEMORY_MB = 2048 };

/* Opens the database PATH by the file system VFS (NULL: the default) with the tables of SOURCE,
 * each named PREFIX and its name.  False with ERR. */
bool sql_db_open(struct sql_db *db, const char *path, const char *vfs, const char *prefix,
                 struct sql_source *source, struct err *err);
void sql_db_close(struct sql_db *db);
/* From now on statements may read and nothing else; for a database without a prefix.
 * False with ERR when memory is out. */
bool sql_db_make_read_only(struct sql_db *db, struct err *err);
/* Runs a statement that gives no rows. */
bool sql_db_run(struct sql_db *db, const char *statement, struct err *err);
/* Sets ERR to why the last call failed: cancelled, what a view said, what SQLite says. */
bool sql_db_fail(struct sql_db *db, enum err_kind kind, struct err *err);

/* ---- private to sql_*.c */

extern const sqlite3_module sql_module; /* its data: a struct sql_module */

#endif
