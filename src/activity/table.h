/* table.h: tables: named columns with units, rows that are computed when they are read, and scalars
 * for the whole table.
 *
 * A table is a constant record. table_open() computes what its rows need, for one profile and one set
 * of options; table_cursor_*() read them. Printers, SQL and the screen know nothing else of a table.
 *
 * Rows belong to keys 0, 1, ...: nodes, shapes, rows of a view. Most tables have one row per key. */
#ifndef TFPROF_ACTIVITY_TABLE_H
#define TFPROF_ACTIVITY_TABLE_H

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
    VALUE_TIME_PS, /* microseconds in all outputs but those for people */
    VALUE_MICROS,  /* an instant in microseconds: since 1970, it does not fit in picoseconds */
    VALUE_BYTES,
    VALUE_PERCENT,
    VALUE_TEXT,
    VALUE_ANY, /* as each value is: columns of a query */
};

enum value_kind { VALUE_IS_NONE, VALUE_IS_INTEGER, VALUE_IS_REAL, VALUE_IS_TEXT, VALUE_IS_BYTES };

/* A value of a row, in the unit of its column; VALUE_IS_NONE: not known. A number may be a text
 * ("all"). TEXT is not terminated; of bytes it has the hexadecimal digits. */
struct table_value {
    enum value_kind kind;
    int64_t integer;
    double real;
    struct text text;
    bool is_scratch; /* TEXT is valid until the next value of the cursor; else while the table is open */
};

enum column_audience {
    FOR_ALL,
    FOR_PEOPLE,   /* text, html, the screen: what follows from other columns, behind all of these */
    FOR_PROGRAMS, /* csv, tsv, json, SQL, and the details of a row */
};

/* The type of a member of a record. */
enum member_type { MEMBER_NONE, MEMBER_INT64, MEMBER_UINT64, MEMBER_UINT32, MEMBER_BOOL,
                   MEMBER_STRING };

struct table_column {
    const char *name;   /* in csv, json and SQL */
    const char *head;   /* in text; NULL: the name */
    const char *help;   /* in the schema and the manual */
    const char *absent; /* in text, for what is not known or empty; NULL: "-" */
    enum value_unit unit;
    enum column_audience audience;
    uint8_t decimals;   /* of VALUE_REAL and VALUE_PERCENT; 0: as many as it has */
    bool is_signed;     /* in text positive numbers have a sign */
    bool is_key;        /* the values of all key columns identify a row in a comparison */
    bool is_aside; /* the screen has it behind the columns that are not */
    bool adds_up; /* -budget sums it over the rows that it leaves out */
    bool omits_unknown; /* json has no member for what is not known, instead of null */
    /* The value is a member of the row's record; INT64_MIN: not known; of VALUE_TEXT a strid.
     * MEMBER_NONE: table.value computes it. */
    enum member_type member;
    size_t offset;
    int64_t scale; /* what it is multiplied by; 0: nothing */
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
    struct query *query; /* of the profile: for tables of the rows of views */
    struct cancel_mark cancel;
    /* What is compared: as loaded, and the base; NULL: the profile is not compared. */
    const struct profile *now, *base;
    const void *given; /* what is in no profile: struct check_report of `check`, log_runs of `runs` */
};

/* An open table. */
struct table_rows {
    const struct table *table;
    const struct table_request *request; /* borrowed */
    uint64_t hidden; /* bit per column that the options leave out; SQL has NULL there */
    uint64_t hidden_from_people; /* bit per column that says nothing in text, html and the screen */
    uint64_t n_keys;
    const void *records; /* of the rows, by key, where table.record is NULL */
    size_t record_size;
    const void *head_record; /* of the heads */
    const void *object;      /* the record of table.object_columns */
    uint64_t *order;         /* heap: keys as -order_by says; NULL: as they are */
    const char *needs; /* "needs the traces of several ranks": why there is nothing to print; else NULL */
    void *data;              /* of the table */
};

/* A position in an open table. */
struct table_cursor {
    const struct table_rows *rows;
    const struct profile *profile; /* of the request */
    uint64_t key, end_key;         /* of the rows that are left: [key, end_key) */
    uint32_t at, n_at;             /* index of the row among those of the key; how many these are */
    struct strbuf text;            /* of the last scratch value */
    void *state;                   /* of the table: what it keeps of the key; zero at first */
};

enum subject_kind { SUBJECT_NONE, SUBJECT_NODE, SUBJECT_DEVICE, SUBJECT_HOST, SUBJECT_RANK };

/* What a row is about: where Enter leads. */
struct subject {
    enum subject_kind kind;
    int64_t id;       /* node_id, or the number of a rank */
    struct text name; /* of a device or host; valid while the table is open */
};

struct table {
    const char *name; /* of the command; in SQL unless sql_name is set */
    const char *help;
    const char *json_name; /* "view" in json; NULL: `name` */
    const char *sql_name; /* where SQL has another table of that name; NULL: `name` */
    const struct table_column *columns;
    size_t n_columns;
    bool has_key_column; /* column 0 is the number of the key: SQL looks up one key at once */
    bool compares;       /* it says how two profiles differ */
    bool is_tree;        /* the rows are those of the tree view `tree` */
    enum view_id tree;
    const char *const *options; /* names of the parameters that it reads, NULL-terminated; NULL: none */
    struct table_column keys; /* the member of the profile that is n_keys; or: */
    /* Sets n_keys and what else of T is needed; false with ERR, nothing is open then. As a second
     * list, T has the data of the first. NULL: n_keys is all. */
    bool (*open)(struct table_rows *t, struct err *err);
    void (*close)(struct table_rows *t); /* frees t->data; NULL: nothing to free */
    uint32_t (*n_rows)(struct table_cursor *c); /* of c->key; NULL: one */
    const void *(*record)(const struct table_cursor *c); /* of the row; NULL: records[key] */
    /* Sets V, which is VALUE_IS_NONE, to what no member of the record is. NULL: not known. */
    void (*value)(struct table_cursor *c, size_t column, struct table_value *v);
    void (*leave)(struct table_cursor *c); /* frees what c->state owns, not itself; NULL: nothing */
    bool (*subject)(struct table_cursor *c, struct subject *s); /* false: none; NULL: never any */
    const struct table_column *heads; /* scalars beside the rows: members of head_record */
    size_t n_heads;
    /* A member of json whose members are those of t->object; NULL: none. */
    const char *object_key;
    const struct table_column *object_columns;
    size_t n_object_columns;
    const char *rows_key;   /* member of json with the rows; NULL: "rows" */
    /* Lines for people before and after the rows; NULL: none. */
    void (*lead)(struct strbuf *sb, const struct table_rows *t);
    void (*legend)(struct strbuf *sb, const struct table_rows *t);
    /* Writes a document of its own; false: in W's format it has none. NULL: in none. */
    bool (*document)(struct table_writer *w, const struct table_rows *t);
    /* Another table that reads the same data, printed below in documents, and its member in json. */
    const struct table *second;
    const char *second_key;
    uint64_t max_text_rows; /* 0: all */
    /* The weight of a row for -budget: the largest ones are kept.  NULL: the first ones. */
    int64_t (*weight)(struct table_cursor *c);
    const char *rows_name;  /* "collectives": what the others are, of which text says the number */
};

#define TABLE_COLUMNS(array) .columns = array, .n_columns = sizeof(array) / sizeof *(array)
#define TABLE_HEADS(array) .heads = array, .n_heads = sizeof(array) / sizeof *(array)
/* Rows are the elements of VEC, a pointer to one, which is evaluated several times: for table.open. */
#define table_set_records(t, vec)                                                    \
    ((t)->n_keys = (vec)->n, (t)->records = (vec)->data, (t)->record_size = sizeof *(vec)->data)

/* Opens TABLE; REQUEST is borrowed until table_close(). False with ERR. */
bool table_open(struct table_rows *t, const struct table *table, const struct table_request *request,
                struct err *err);
void table_close(struct table_rows *t);
/* False with ERR where the profile lacks what T is about. */
bool table_has_rows(const struct table_rows *t, struct err *err);
/* Sorts the rows by -order_by, the largest first and names ascending, where the table has that option
 * and one row per key.  False with ERR (usage): it has no such column. */
bool table_order(struct table_rows *t, struct err *err);
/* Whether TABLE has the parameter OPTION, and whether others have not: -streams. */
bool table_takes(const struct table *table, const char *option);
/* Opens the `second` of T, which is valid while T is open and is not to be closed. */
bool table_open_second(struct table_rows *second, const struct table_rows *t, struct err *err);
/* The name of TABLE in SQL. */
const char *table_sql_name(const struct table *table);
/* Columns that programs have: all but those FOR_PEOPLE, which are the last. */
size_t table_n_data_columns(const struct table *table);
void table_head(const struct table_rows *t, size_t i, struct table_value *v);
/* Sets V, which is VALUE_IS_NONE, to the member of RECORD that COLUMN names. */
void table_member(struct table_value *v, const struct table_column *column, const void *record,
                  const struct profile *p);
/* True when a column is left out for AUDIENCE, FOR_PEOPLE or FOR_PROGRAMS. */
bool table_hides(const struct table_rows *t, size_t column, enum column_audience audience);

/* Zeroes C and places it before the rows of keys FIRST to LAST. */
void table_cursor_start(struct table_cursor *c, const struct table_rows *t, uint64_t first,
                        uint64_t last);
/* Moves C before those of other keys. */
void table_cursor_move(struct table_cursor *c, uint64_t first, uint64_t last);
/* Goes to the next row; false: there is none. */
bool table_cursor_next(struct table_cursor *c);
void table_cursor_value(struct table_cursor *c, size_t column, struct table_value *v);
/* Sets *S to what the row is about; false: nothing. */
bool table_cursor_subject(struct table_cursor *c, struct subject *s);
void table_cursor_done(struct table_cursor *c);

/* The state of C, SIZE bytes, zeroed when it is first asked for. */
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

/* Static text. */
void value_word(struct table_value *v, const char *word);
/* The text of ID, which may be empty. */
void value_name(struct table_value *v, const struct profile *p, strid id);
/* The text of ID; unknown where it is empty. */
void value_string(struct table_value *v, const struct profile *p, strid id);
/* The text that was just made in c->text. */
void value_scratch(struct table_value *v, const struct table_cursor *c);
/* Picoseconds in a column of VALUE_MICROS: whole microseconds stay integers. */
void value_micros(struct table_value *v, int64_t ps);

#endif
