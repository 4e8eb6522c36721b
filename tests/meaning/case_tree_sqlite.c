/* case_tree_sqlite.c: messages as databases of SQLite, with tables and columns as described in
 * nsys.proto. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meaning/case_tree.h"

static void require(bool ok, sqlite3 *db)
{
    if (ok)
        return;
    fprintf(stderr, "a generated database: %s\n", sqlite3_errmsg(db));
    abort();
}

static void execute(sqlite3 *db, const char *sql)
{
    require(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, db);
}

/* Appends the name of a column. */
static void put_column(struct strbuf *sql, const char *name)
{
    const char *end = strstr(name, "__as");

    sb_addf(sql, "\"%.*s\"", (int)(end ? (size_t)(end - name) : strlen(name)), name);
}

/* The value of the number NAME of the database; -1: there is none. */
static int64_t number_named(const struct case_tree *t, size_t file, const char *name)
{
    const size_t end = case_tree_end(t, file);

    for (size_t i = file + 1; i < end; i++)
        if (t->items.data[i].kind == ITEM_NUMBER && strcmp(t->items.data[i].field->name, name) == 0)
            return (int64_t)t->items.data[i].value;
    return -1;
}

/* Creates the table of FIELD; *COLUMN counts columns of all tables, and MISSING is left out. */
static void create(sqlite3 *db, const ProtobufCFieldDescriptor *field, bool is_view, int64_t *column, int64_t missing)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;
    struct strbuf sql = {0};
    bool has_some = false;

    sb_addf(&sql, is_view ? "CREATE VIEW \"%s\" AS SELECT 1" : "CREATE TABLE \"%s\" (", field->name);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const bool again = strstr(type->fields[i].name, "__as") != NULL;

        if (is_view || again || (*column)++ == missing)
            continue;
        sb_adds(&sql, has_some ? ", " : "");
        put_column(&sql, type->fields[i].name);
        has_some = true;
    }
    if (!is_view)
        sb_adds(&sql, ")");
    if (is_view || has_some)
        execute(db, sb_text(&sql));
    sb_done(&sql);
}

static void bind(sqlite3_stmt *statement, int at, const struct case_tree *t, size_t i)
{
    const struct item *item = &t->items.data[i];

    if (item->kind == ITEM_NUMBER)
        sqlite3_bind_int64(statement, at, (int64_t)item->value);
    else
        sqlite3_bind_text(statement, at, case_tree_text(t, i), (int)item->text_len, SQLITE_TRANSIENT);
}

/* Inserts row I of the table of its field, unless that has not all of its columns. */
static void insert(sqlite3 *db, const struct case_tree *t, size_t i)
{
    const size_t end = case_tree_end(t, i);
    struct strbuf sql = {0}, values = {0};
    sqlite3_stmt *statement = NULL;
    int n = 0;

    sb_addf(&sql, "INSERT INTO \"%s\" (", t->items.data[i].field->name);
    for (size_t k = i + 1; k < end; k++) {
        sb_adds(&sql, k > i + 1 ? ", " : "");
        put_column(&sql, t->items.data[k].field->name);
        sb_adds(&values, k > i + 1 ? ", ?" : "?");
    }
    sb_addf(&sql, ") VALUES (%s)", sb_text(&values));
    if (sqlite3_prepare_v2(db, sb_text(&sql), -1, &statement, NULL) == SQLITE_OK) {
        for (size_t k = i + 1; k < end; k++)
            bind(statement, ++n, t, k);
        for (uint32_t copy = 0; copy <= t->items.data[i].copies; copy++) {
            require(sqlite3_step(statement) == SQLITE_DONE, db);
            sqlite3_reset(statement);
        }
    }
    sqlite3_finalize(statement);
    sb_done(&sql);
    sb_done(&values);
}

static void fill(sqlite3 *db, const struct case_tree *t, size_t file)
{
    const ProtobufCMessageDescriptor *type = t->items.data[file].type;
    const int64_t missing = number_named(t, file, "missing_column"), view = number_named(t, file, "view");
    const size_t end = case_tree_end(t, file);
    int64_t column = 0;

    for (unsigned i = 0; i < type->n_fields; i++)
        if (type->fields[i].descriptor)
            create(db, &type->fields[i], i == view, &column, missing);
    for (size_t i = file + 1; i < end; i = case_tree_end(t, i))
        if (t->items.data[i].kind == ITEM_MESSAGE)
            insert(db, t, i);
}

void case_tree_encode_sqlite(const struct case_tree *t, size_t i, struct strbuf *out)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes;
    sqlite3 *db = NULL;

    require(sqlite3_open(":memory:", &db) == SQLITE_OK, db);
    sqlite3_exec(db, "PRAGMA page_size = 512; BEGIN", NULL, NULL, NULL);
    fill(db, t, i);
    execute(db, "COMMIT");
    bytes = sqlite3_serialize(db, "main", &size, 0);
    require(bytes != NULL, db);
    sb_add(out, bytes, (size_t)size);
    sqlite3_free(bytes);
    sqlite3_close(db);
}
