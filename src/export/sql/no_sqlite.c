/* no_sqlite.c: replaces the output sqlite and SQL queries in builds without SQLite. */
#include "export/output.h"

#include "export/sql/sql_query.h"

static const char missing[] = "this program was built without SQLite (--without-sqlite)";

static bool refuse(const char *name UNUSED, const struct result *r UNUSED, struct err *err)
{
    return err_set(err, ERR_USAGE, "-output sqlite: %s", missing);
}

const struct output output_sqlite = {
    .name = "sqlite",
    .help = "a database of SQLite; not in this program",
    .outfile = OUTFILE_NEEDED,
    .views = OUTPUT_TREE_VIEWS,
    .check = refuse,
};

bool sql_query_run(const struct sql_request *request UNUSED, struct err *err)
{
    return err_set(err, ERR_USAGE, "sql: %s", missing);
}
