/* nsys_db.h: reads tables of an SQLite export of Nsight Systems.  The file is untrusted. */
#pragma once

#include "load/loader.h"

enum { NSYS_COLUMNS_MAX = 24 };

struct nsys_db;
struct nsys_rows;

/* Opens L's input, which must stay valid and is not changed.  No triggers, views, functions or
 * extensions are run.  NULL with ERR. */
struct nsys_db *nsys_open(struct loader *l, struct err *err);
void nsys_close(struct nsys_db *db);

/* Column names of a table, separated by blanks. */
struct nsys_table {
    const char *name;
    const char *required; /* the first missing one is reported */
    const char *optional; /* NULL values if missing */
};

/* Sets *HAS if the schema has TABLE; with an asterisk at its end, one that begins so.  False with ERR. */
bool nsys_has(struct nsys_db *db, const char *table, bool *has, struct err *err);
/* Starts to read the rows of TABLE in table order; *ROWS is NULL if it does not exist.  False with
 * ERR when it is a view or lacks a required column. */
bool nsys_begin(struct nsys_db *db, const struct nsys_table *table, struct nsys_rows **rows,
                struct err *err);
/* Advances to the next row; false at the end, or with ERR when the database is damaged. */
bool nsys_next(struct nsys_rows *rows, struct err *err);
void nsys_end(struct nsys_rows *rows);

/* Values of the current row.  Columns are numbered from 0, required ones first. */
bool nsys_is_null(const struct nsys_rows *rows, int column);
int64_t nsys_int(const struct nsys_rows *rows, int column);
struct span nsys_text(const struct nsys_rows *rows, int column);
