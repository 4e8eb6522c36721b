/* table.h: tables: named columns with units, rows that are computed when read, and scalars for the
 * whole table.
 *
 * A table is a constant record. table_open() computes the data of its rows for one profile and one
 * set of options; table_cursor_*() read them. Printers, SQL and the screen use nothing else. Rows
 * belong to keys 0, 1, ...: nodes, shapes, rows of a view. Most tables have one row per key. */
#pragma once

#include <stddef.h>

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"
#include "opt/options.h"

struct query;        /* view/query.h */
struct table_writer; /* export/tables/table_writer.h */

enum value_unit {
    VALUE_NUMBER,  /* a count, an index */
    VALUE_REAL,    /* a number with decimals */
    VALUE_TIME_PS, /* microseconds in JSON, CSV and SQL */
    VALUE_MICROS,  /* an instant in microseconds since 1970, which does not fit in picoseconds */
    VALUE_BYTES,
    VALUE_PERCENT,
    VALUE_TEXT,
    VALUE_ANY, /* type varies by value: columns of a query */
};

enum value_kind { VALUE_IS_NONE, VALUE_IS_INTEGER, VALUE_IS_REAL, VALUE_IS_TEXT, VALUE_IS_BYTES };

/* A value in the unit of its column; VALUE_IS_NONE: unknown. A number may also be a text ("all").
 * TEXT is not terminated; bytes are hexadecimal digits. */
struct table_value {
    enum value_kind kind;
    int64_t integer;
    double real;
    struct text text;
    bool is_scratch; /* TEXT is valid until the cursor's next value; else while open */
};

enum column_audience {
    FOR_ALL,
    FOR_PEOPLE,   /* text, html, screen: derived from other columns, and placed after them */
    FOR_PROGRAMS, /* csv, tsv, json, SQL, and details of a row */
};

/* The type of a member of a record. */
enum member_type { MEMBER_NONE, MEMBER_INT64, MEMBER_UINT64, MEMBER_UINT32, MEMBER_BOOL,
                   MEMBER_STRING };

struct table_column {
    const char *name;   /* name in csv, json and SQL */
    const char *head;   /* heading in text; NULL: the name */
    const char *help;   /* description in the schema and the manual */
    const char *absent; /* text for unknown or empty values; NULL: "-" */
    enum value_unit unit;
    enum column_audience audience;
    uint8_t decimals;   /* for VALUE_REAL and VALUE_PERCENT; 0: as many as needed */
    bool is_signed;     /* text shows the sign of positive numbers */
    bool is_key;        /* part of the key that identifies a row in a comparison */
    bool is_location;   /* of a key: names where the row ran; compared without its host or if the only one */
    bool is_compared;   /* compared with the baseline, if its unit is that of the first such column */
    bool is_step;       /* step number: two profiles are compared over all steps */
    bool is_mark;       /* one character, which the screen places before the row */
    bool is_aside; /* the screen places it after the other columns */
    bool adds_up; /* -budget sums it over omitted rows */
    bool omits_unknown; /* json omits the member if it is unknown, instead of null */
    /* The value is this member of the row's record; INT64_MIN: unknown; VALUE_TEXT: a strid.
     * MEMBER_NONE: table.value computes it. */
    enum member_type member;
    size_t offset;
    int64_t scale; /* factor of the value; 0: none */
};

/* The column is MEMBER of a record of TYPE. */
#define MEMBER_OF(type, name)                                                                  \
    .member = _Generic(((type *)0)->name, int64_t: MEMBER_INT64, uint64_t: MEMBER_UINT64,      \
                       uint32_t: MEMBER_UINT32, bool: MEMBER_BOOL, char *: MEMBER_STRING,      \
                       const char *: MEMBER_STRING),                        \
    .offset = offsetof(type, name)

/* All borrowed. */
struct table_request {
    const struct profile *profile;
    const struct options *options;
    struct query *query; /* query of the profile, for tables of view rows */
    struct cancel_mark cancel;
    /* The compared profiles: as loaded, and the baseline; NULL: no comparison. */
    const struct profile *now, *base;
    const void *given; /* data from elsewhere: struct check_report, log_runs */
};

/* An open table. */
struct table_rows {
    const struct table *table;
    const struct table_request *request; /* borrowed */
    uint64_t hidden; /* bit per column that the options hide; NULL in SQL */
    uint64_t hidden_from_people; /* bit per column that is empty in text, html and screen */
    uint64_t not_aside; /* bit per column that is not aside, because rows differ in it alone */
    uint64_t n_keys;
    const void *records; /* records of rows by key, if table.record is NULL */
    size_t record_size;
    const void *head_record; /* record of table.heads */
    const void *object;      /* the record of table.object_columns */
    uint64_t *order;         /* heap: keys in the order of -order_by; NULL: ascending */
    const char *needs; /* "needs the traces of several ranks": why there are no rows; else NULL */
    void *data;              /* private to the table */
};

/* A position in an open table. */
struct table_cursor {
    const struct table_rows *rows;
    const struct profile *profile; /* profile of the request */
    uint64_t key, end_key;         /* keys of remaining rows: [key, end_key) */
    uint32_t at, n_at;             /* index of the row among the rows of its key; number of these */
    struct strbuf text;            /* of the last scratch value */
    void *state;                   /* private to the table: state of the key; initially NULL */
};

enum subject_kind { SUBJECT_NONE, SUBJECT_NODE, SUBJECT_DEVICE, SUBJECT_HOST, SUBJECT_RANK,
                    SUBJECT_STEP };

/* The object that a row describes; Enter opens it. */
struct subject {
    enum subject_kind kind;
    int64_t id;       /* node_id, or the step number of a step or device (< 0: all steps) */
    bool has_rank;
    int64_t rank;     /* number of the rank, or that of a device or step */
    struct text name; /* name of a device or host; valid while the table is open */
};

/* The data of which a table has rows; profiles without them have none. */
enum table_of { TABLE_OF_ANY, TABLE_OF_WORK, TABLE_OF_RANKS, TABLE_OF_STEPS, TABLE_OF_ITERATIONS,
                TABLE_OF_COUNT };

struct table {
    const char *name; /* name of the command, and in SQL unless sql_name is set */
    const char *help;
    const char *json_name; /* "view" in json; NULL: `name` */
    const char *sql_name; /* set if SQL has another table called `name`; NULL: `name` */
    const struct table_column *columns;
    size_t n_columns;
    bool has_key_column; /* column 0 is the key: SQL looks it up directly */
    bool compares;       /* it compares two profiles */
    enum table_of of;
    bool is_tree;        /* the rows are those of the tree view `tree` */
    enum view_id tree;
    const char *const *options; /* parameters that it reads, NULL-terminated; NULL: none */
    struct table_column keys; /* member of the profile with the number of keys; or: */
    /* Computes n_keys and the data of T; false with ERR. If T is a `second` table, its data are set
     * before. NULL: n_keys suffices. */
    bool (*open)(struct table_rows *t, struct err *err);
    void (*close)(struct table_rows *t); /* frees t->data; NULL: no data */
    uint32_t (*n_rows)(struct table_cursor *c); /* number of rows of c->key; NULL: one */
    const void *(*record)(const struct table_cursor *c); /* record of the row; NULL: records[key] */
    /* Sets V (initially VALUE_IS_NONE) for columns without a member. NULL: no such column. */
    void (*value)(struct table_cursor *c, size_t column, struct table_value *v);
    void (*leave)(struct table_cursor *c); /* frees the contents of c->state; NULL: none */
    bool (*subject)(struct table_cursor *c, struct subject *s); /* false: none; NULL: never */
    const struct table_column *heads; /* scalars beside the rows: members of head_record */
    size_t n_heads;
    /* JSON member that holds t->object as an object; NULL: none. */
    const char *object_key;
    const struct table_column *object_columns;
    size_t n_object_columns;
    const char *rows_key;   /* JSON member that holds the rows; NULL: "rows" */
    /* Appends lines before or after the rows in text; NULL: none. */
    void (*lead)(struct strbuf *sb, const struct table_rows *t);
    void (*legend)(struct strbuf *sb, const struct table_rows *t);
    /* Writes a document in the format of W; false: not supported in this format. NULL: never. */
    bool (*document)(struct table_writer *w, const struct table_rows *t);
    /* Another table with the same data, printed below in documents, and its JSON member. */
    const struct table *second;
    const char *second_key;
    uint64_t max_text_rows; /* maximum number of rows in text; 0: all */
    /* Weight of a row for -budget, which keeps the largest rows. NULL: it keeps the first rows. */
    int64_t (*weight)(struct table_cursor *c);
    const char *rows_name;  /* "collectives": noun for the number of omitted rows in text */
};

#define TABLE_COLUMNS(array) .columns = array, .n_columns = sizeof(array) / sizeof *(array)
#define TABLE_HEADS(array) .heads = array, .n_heads = sizeof(array) / sizeof *(array)
/* Makes the elements of the vector VEC (a pointer, evaluated several times) the records: for
 * table.open. */
#define table_set_records(t, vec)                                                    \
    ((t)->n_keys = (vec)->n, (t)->records = (vec)->data, (t)->record_size = sizeof *(vec)->data)

/* Opens TABLE; REQUEST is borrowed until table_close(). False with ERR; T is then closed.  With a baseline a comparable
 * table is that of table_compared.h. */
bool table_open(struct table_rows *t, const struct table *table, const struct table_request *request,
                struct err *err);
void table_close(struct table_rows *t);
/* False with ERR if the profile lacks the data of T. */
bool table_has_rows(const struct table_rows *t, struct err *err);
/* Sorts the rows by -order_by, descending (names ascending), if the table has this option and one
 * row per key. False with ERR (usage): no such column. */
bool table_order(struct table_rows *t, struct err *err);
/* True if TABLE reads the parameter OPTION, which other tables do not have, such as -streams. */
bool table_has_option(const struct table *table, const char *option);
/* Opens the `second` table of T. It is valid while T is open and must not be closed. */
bool table_open_second(struct table_rows *second, const struct table_rows *t, struct err *err);
/* Returns the name of TABLE in SQL. */
const char *table_sql_name(const struct table *table);
/* Returns the number of columns in data formats; those FOR_PEOPLE, which are last, are excluded. */
size_t table_n_data_columns(const struct table *table);
void table_head(const struct table_rows *t, size_t i, struct table_value *v);
/* Sets V (initially VALUE_IS_NONE) to the member of RECORD that COLUMN names. */
void table_member(struct table_value *v, const struct table_column *column, const void *record,
                  const struct profile *p);
/* True if the column is hidden from AUDIENCE, FOR_PEOPLE or FOR_PROGRAMS. */
bool table_hides(const struct table_rows *t, size_t column, enum column_audience audience);

/* Initialises C before the rows of keys FIRST to LAST. */
void table_cursor_start(struct table_cursor *c, const struct table_rows *t, uint64_t first,
                        uint64_t last);
/* Moves C before the rows of other keys. */
void table_cursor_move(struct table_cursor *c, uint64_t first, uint64_t last);
/* Advances to the next row; false at the end. */
bool table_cursor_next(struct table_cursor *c);
void table_cursor_value(struct table_cursor *c, size_t column, struct table_value *v);
/* Sets *S to the subject of the row; false: none. */
bool table_cursor_subject(struct table_cursor *c, struct subject *s);
void table_cursor_done(struct table_cursor *c);

/* Returns the record of the row. */
const void *table_record(const struct table_cursor *c);
/* Returns the state of C, SIZE bytes, zeroed on first use. */
void *table_state(struct table_cursor *c, size_t size);

/* ---- for the functions of tables */

static inline void value_integer(struct table_value *v, int64_t integer)
{
    v->kind = VALUE_IS_INTEGER;
    v->integer = integer;
}

static inline void value_real(struct table_value *v, double real)
{
    v->kind = VALUE_IS_REAL;
    v->real = real;
}

static inline void value_text(struct table_value *v, struct text text)
{
    v->kind = VALUE_IS_TEXT;
    v->text = text;
}

/* Sets static text. */
void value_word(struct table_value *v, const char *word);
/* Sets the text of ID, which may be empty. */
void value_name(struct table_value *v, const struct profile *p, strid id);
/* Sets the text of ID; unknown if it is empty. */
void value_string(struct table_value *v, const struct profile *p, strid id);
/* Sets the text in c->text. */
void value_scratch(struct table_value *v, const struct table_cursor *c);
/* Sets picoseconds in a VALUE_MICROS column; whole microseconds become integers. */
void value_micros(struct table_value *v, int64_t ps);
