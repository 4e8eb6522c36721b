/* sqlite_out.c: the output sqlite: a database of the profile's tables and rows of the four
 * views. */
#include "export/output.h"

#include <string.h>

#include "export/sql/sql_db.h"
#include "export/tables/table_list.h"

/* Prefix of the virtual tables, next to the tables that are written. */
static const char live[] = "live_";

enum { SCHEMA_VERSION = 1 };

/* Uses no journal and no syncs, because the file is not opened by others before it is complete. */
static const char setup[] = "PRAGMA page_size = 8192;"
                            "PRAGMA journal_mode = OFF;"
                            "PRAGMA synchronous = OFF;"
                            "PRAGMA locking_mode = EXCLUSIVE;"
                            "PRAGMA cache_size = -65536;";

/* Columns that rows of nodes do not store, because the nodes table has them; names alone would take
 * half of the file. */
static const struct short_column {
    const char *name;
    const char *kept; /* expression for row L, which may have the node N */
    const char *whole; /* expression for the stored row R */
} short_columns[] = {
    {"name", "nullif(l.name, n.name)", "coalesce(r.name, n.name)"},
    {"path", "nullif(l.path, n.name)", "coalesce(r.path, n.name)"},
    {"device", "nullif(l.device, coalesce(n.device, ''))",
     "coalesce(r.device, n.device, '')"},
    {"op_types", "CASE WHEN n.node IS NULL THEN l.op_types END",
     "coalesce(r.op_types, (SELECT group_concat(type, '|') FROM op_types o "
     "WHERE o.type_set = n.type_set))"},
};

enum { N_SHORT = sizeof short_columns / sizeof *short_columns };

/* Appends the columns of T: stored ones of L with KEPT, else complete ones of R. */
static void add_row_columns(struct strbuf *sb, const struct table *t, bool kept)
{
    for (size_t i = 0; i < table_n_data_columns(t); i++) {
        const char *name = t->columns[i].name;
        size_t s = 0;

        while (s < N_SHORT && strcmp(short_columns[s].name, name) != 0)
            s++;
        sb_adds(sb, i ? ", " : "");
        if (s == N_SHORT)
            sb_addf(sb, "%s.%s", kept ? "l" : "r", name);
        else
            sb_addf(sb, "%s AS %s", kept ? short_columns[s].kept : short_columns[s].whole, name);
    }
}

/* Appends the statements that fill the table of rows of T and create the view of complete rows. */
static void add_rows(struct strbuf *sb, const struct table *t)
{
    sb_addf(sb, "INSERT INTO %s_rows SELECT ", t->name);
    add_row_columns(sb, t, true);
    sb_addf(sb, " FROM %s%s l LEFT JOIN nodes n ON n.node = l.node; CREATE VIEW %s AS SELECT ",
            live, t->name, t->name);
    add_row_columns(sb, t, false);
    sb_addf(sb, " FROM %s_rows r LEFT JOIN nodes n ON n.node = r.node ORDER BY row;", t->name);
}

static bool copy_table(struct sql_db *db, const struct table *t, struct err *err)
{
    const char *name = table_sql_name(t), *key = t->columns[0].name;
    struct strbuf sb = {0};
    bool ok;

    sb_addf(&sb, "CREATE TABLE %s%s(", name, t->is_tree ? "_rows" : "");
    sql_add_columns(&sb, t);
    if (t->has_key_column && !t->n_rows) /* the key, which is unique, becomes the rowid */
        sb_addf(&sb, ", PRIMARY KEY(%s)", key);
    sb_adds(&sb, ");");
    if (t->is_tree)
        add_rows(&sb, t);
    else
        sb_addf(&sb, "INSERT INTO %s SELECT * FROM %s%s;", name, live, name);
    if (t->n_rows)
        sb_addf(&sb, "CREATE INDEX %s_by_%s ON %s(%s);", name, key, name, key);
    ok = sql_db_run(db, sb_text(&sb), err);
    sb_done(&sb);
    return ok;
}

static bool write_database(struct sql_db *db, struct err *err)
{
    struct strbuf sb = {0};
    bool ok;

    sb_addf(&sb, "%sPRAGMA user_version = %d; BEGIN;", setup, SCHEMA_VERSION);
    ok = sql_db_run(db, sb_text(&sb), err);
    sb_done(&sb);
    for (size_t i = 0; ok && table_list[i]; i++)
        ok = copy_table(db, table_list[i], err);
    return ok && sql_db_run(db, "COMMIT", err);
}

static bool write_sqlite(struct result *r, struct query *query, struct cancel_mark cancel,
                         struct sink *s, struct err *err)
{
    const struct table_request request = {
        .profile = r->profile, .query = query, .options = &r->options, .cancel = cancel};
    struct sink_vfs vfs;
    struct sql_db db;
    bool ok;

    if (!s->write_at)
        return err_set(err, ERR_USAGE, "-output sqlite: a database needs a regular file");
    if (!sink_vfs_open(&vfs, s)) {
        sink_vfs_close(&vfs);
        return err_set(err, ERR_INPUT, "-output sqlite: SQLite cannot be started: out of memory");
    }
    ok = sql_db_open(&db, "database", vfs.name, live, &request, err);
    if (ok) {
        ok = write_database(&db, err);
        sql_db_close(&db);
    }
    if (!ok && vfs.err.kind != ERR_NONE) { /* the error of the sink is more specific */
        err_done(err);
        *err = vfs.err;
        vfs.err = (struct err){0};
    }
    sink_vfs_close(&vfs);
    return ok;
}

const struct output output_sqlite = {
    .name = "sqlite",
    .help = "a database of SQLite: the profile, and the rows of all four views",
    .outfile = OUTFILE_NEEDED,
    .views = OUTPUT_TREE_VIEWS,
    .write_views = write_sqlite,
};
