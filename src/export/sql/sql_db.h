/* sql_db.h: a connection to SQLite with the tables of a profile. */
#pragma once

#include <sqlite3.h>

#include "activity/table.h"
#include "export/output.h"

struct sql_db;

/* The data of a SQLite module: a table, opened when it is first read. */
struct sql_module {
    struct sql_db *db;
    const struct table *table;
    struct table_rows rows;
    bool is_open;
};

struct sql_db {
    sqlite3 *handle;
    const struct table_request *request; /* borrowed */
    struct sql_module *modules;          /* heap, parallel to table_list */
    size_t n_modules;
    struct err err; /* why a table could not be opened */
};

/* Limit for the memory of a statement. */
enum { SQL_MEMORY_MB = 2048 };

/* Opens the database PATH through VFS (NULL: the default) with the tables of REQUEST, named PREFIX
 * + name.  False with ERR. */
bool sql_db_open(struct sql_db *db, const char *path, const char *vfs, const char *prefix,
                 const struct table_request *request, struct err *err);
void sql_db_close(struct sql_db *db);
/* Makes the connection read-only. For a database without a prefix. False with ERR when memory is
 * exhausted. */
bool sql_db_make_read_only(struct sql_db *db, struct err *err);
/* Runs a statement without result rows. */
bool sql_db_run(struct sql_db *db, const char *statement, struct err *err);
/* Sets ERR to why the last call failed: cancellation, an error of a view, or of SQLite. */
bool sql_db_fail(struct sql_db *db, enum err_kind kind, struct err *err);

/* Appends "NAME TYPE, NAME TYPE" for T's columns. */
void sql_add_columns(struct strbuf *sb, const struct table *t);
/* Appends the definitions of all tables, with comments on their columns. */
void sql_add_schema(struct strbuf *sb);

/* ---- private to sql_*.c */

extern const sqlite3_module sql_module; /* client data: a struct sql_module */

/* One database with one connection and no journal: no other process opens it before its end. */
struct sink_vfs {
    sqlite3_vfs vfs;
    struct sink *sink;
    uint64_t size_bytes;
    struct err err; /* the first error of the sink */
    char name[32];
};

/* Registers SINK, which has write_at, with SQLite as v->name.  False when SQLite fails. */
bool sink_vfs_open(struct sink_vfs *v, struct sink *sink);
void sink_vfs_close(struct sink_vfs *v);
