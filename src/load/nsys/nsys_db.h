/* nsys_db.h: reads the tables of an SQLite export of Nsight Systems that nobody vouches for. */
#pragma once

#include "load/loader.h"

enum { NSYS_COLUMNS_MAX = 24 };

struct nsys_db;
struct nsys_rows;

/* Opens the bytes of L's input, which are not changed and from which nothing runs: no triggers, views,
 * functions or extensions.  NULL with ERR. */
struct nsys_db *nsys_open(struct loader *l, struct err *err);
void nsys_close(struct nsys_db *db);

/* Columns of a table by name, separated by blanks. */
struct nsys_table {
    const char *name;
    const char *required; /* in the order in which a missing one is named */
    const char *optional; /* read as NULL where it is missing */
};

/* Sets *HAS when there is something called TABLE.  False with ERR. */
bool nsys_has(struct nsys_db *db, const char *table, bool *has, struct err *err);
/* Begins to read the rows of TABLE in their order; *ROWS is NULL when there is no such table.  False with
 * ERR: it is a view, or has not all required columns. */
bool nsys_begin(struct nsys_db *db, const struct nsys_table *table, struct nsys_rows **rows,
                struct err *err);
/* The next row; false at the end, or with ERR when the database is damaged. */
bool nsys_next(struct nsys_rows *rows, struct err *err);
void nsys_end(struct nsys_rows *rows);

/* Columns of the row, the required ones first. */
bool nsys_is_null(const struct nsys_rows *rows, int column);
int64_t nsys_int(const struct nsys_rows *rows, int column);
struct span nsys_text(const struct nsys_rows *rows, int column);
