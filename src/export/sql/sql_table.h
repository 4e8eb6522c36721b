/* sql_table.h: a loaded profile as tables, independent of SQLite.
 *
 * The rows of a table belong to keys 0, 1, ..., which are its first column: nodes,
 * shapes, call stacks, rows of a view.  Who asks for one key gets its rows at once,
 * which is what a join does. */
#ifndef TFPROF_EXPORT_SQL_TABLE_H
#define TFPROF_EXPORT_SQL_TABLE_H

#include "base/cancel.h"
#include "base/vec.h"
#include "export/rows/row_cells.h"
#include "view/query.h"

enum sql_kind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT };

/* A value of a row; TEXT is not terminated. */
struct sql_value {
    enum sql_kind kind;
    int64_t integer;
    double real;
    struct text text;
    bool is_scratch; /* the text lasts until the next value; else as long as the profile */
};

/* The rows of one view in display order. */
struct sql_view {
    struct result *result; /* NULL: not asked for yet */
    row_id *rows;          /* heap, like all of these */
    uint32_t *depths, *parents; /* of a parent: its place in `rows`, ROW_NONE: none */
    uint32_t n_rows;
};

struct sql_spread;

/* What the tables are made of.  Borrowed but for `views`; one thread at a time. */
struct sql_source {
    const struct profile *profile;
    struct query *query;
    const struct options *options; /* of the views */
    struct cancel_mark cancel;
    struct sql_view views[VIEW_ADVISE];
    struct intern host_names; /* once they were asked for */
    strid *hosts;             /* heap: those in byte order, NULL: nobody asked */
    VEC(struct sql_spread) spreads; /* of tables_digest.c */
    bool has_spreads;
    struct err err; /* why a view could not be made */
};

void sql_source_done(struct sql_source *s);

struct sql_timed {
    int64_t step;
    struct exec_time time;
};
struct sql_recorded {
    int64_t step;
    struct exec_memory memory;
};

/* A place in a table; zeroed but for table and source it is before the first row.  What is
 * behind `at` belongs to the tables. */
struct sql_cursor {
    const struct sql_table *table;
    struct sql_source *source;
    uint64_t key, end_key; /* of the rows that are left: [key, end_key) */
    uint32_t at, n_at;     /* the row of this key, of so many */
    struct strbuf text;
    VEC(struct exec) execs;
    VEC(struct sql_timed) times;
    VEC(struct sql_recorded) memories;
    struct row_cells *cells;
    size_t *cell_of_column; /* heap */
};

struct sql_column {
    const char *name, *type; /* static text */
    const char *help;
};

struct sql_table {
    const char *name, *help;
    const struct sql_column *columns; /* the first one is the key */
    size_t n_columns;
    enum view_id view; /* VIEW_ADVISE: no rows of a view */
    /* Before all else; false with source->err.  NULL: nothing to do. */
    bool (*prepare)(struct sql_source *s, const struct sql_table *t);
    uint64_t (*n_keys)(const struct sql_source *s, const struct sql_table *t);
    uint32_t (*n_rows)(struct sql_cursor *c); /* of c->key; NULL: one */
    void (*value)(struct sql_cursor *c, size_t column, struct sql_value *v);
};

/* X(NAME) of every table, in the order of the schema; the record is sql_table_NAME. */
#define SQL_TABLE_LIST(X) \
    X(files)              \
    X(hosts)              \
    X(steps)              \
    X(nodes)              \
    X(op_types)           \
    X(edges)              \
    X(outputs)            \
    X(shapes)             \
    X(call_stacks)        \
    X(executions)         \
    X(times)              \
    X(memory)             \
    X(spreads)            \
    X(scope)              \
    X(graph)              \
    X(op)                 \
    X(code)

#define SQL_TABLE_RECORD(name) extern const struct sql_table sql_table_##name;
SQL_TABLE_LIST(SQL_TABLE_RECORD)
#undef SQL_TABLE_RECORD

extern const struct sql_table *const sql_tables[]; /* NULL-terminated */

bool sql_table_is_of_view(const struct sql_table *t);
/* Appends "NAME TYPE, NAME TYPE" of T's columns. */
void sql_table_columns(struct strbuf *sb, const struct sql_table *t);
/* Appends the definitions of all tables, with what columns mean. */
void sql_tables_schema(struct strbuf *sb);

/* Places C before the rows of the keys from FIRST, up to LAST at most.  False with source->err. */
bool sql_cursor_start(struct sql_cursor *c, uint64_t first, uint64_t last);
/* Goes to the next row; false: there is none. */
bool sql_cursor_next(struct sql_cursor *c);
void sql_cursor_value(struct sql_cursor *c, size_t column, struct sql_value *v);
void sql_cursor_done(struct sql_cursor *c);

/* ---- for the tables */

void sql_set_integer(struct sql_value *v, int64_t integer);
void sql_set_string(struct sql_value *v, const struct profile *p, strid id); /* NULL for no text */
void sql_set_micros(struct sql_value *v, int64_t ps);
/* The text of C that was just made. */
void sql_set_scratch(struct sql_value *v, const struct sql_cursor *c);

#define SQL_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
