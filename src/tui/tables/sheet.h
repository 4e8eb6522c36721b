/* sheet.h: the rows of a table as displayed on the screen: texts, order, widths.
 *
 * A sheet is read from a table once, in the background; afterwards it needs neither the profile
 * nor the query. */
#pragma once

#include "activity/table.h"
#include "base/arena.h"
#include "base/regex/regexes.h"
#include "base/vec.h"

/* Maximum number of rows; the table's own order decides which are kept. */
enum { SHEET_ROWS_MAX = 1 << 16 };

struct sheet_cell {
    struct text text; /* escaped text */
    enum value_kind kind;
    double number; /* for VALUE_IS_INTEGER and VALUE_IS_REAL */
};

struct sheet_column {
    struct table_column column;
    size_t at;    /* index in the table */
    int cols;     /* width of the heading and the widest text */
    bool is_text; /* left-aligned */
    bool is_hidden; /* by the user; never the first column */
};

struct sheet {
    const struct table *table;
    struct arena arena;
    VEC(struct sheet_column) columns; /* columns of text output without empty ones */
    VEC(struct sheet_cell) cells;     /* row by row */
    VEC(struct subject) subjects;     /* by row */
    VEC(uint32_t) order;              /* indexes of the displayed rows, in their order */
    VEC(uint8_t) passes;              /* by row: 1 if the filter lets it pass; empty: no filter */
    VEC(char) marks;                  /* by row; empty without a column of marks */
    size_t n_rows;
    uint64_t n_all; /* rows of the table */
    int sorted_by;  /* column that the rows are sorted by; -1: the table's own order */
    bool ascending;
    const char *help; /* static */
    char *needs; /* heap: why there are no rows; NULL: there may be rows */
};

/* Reads TABLE; NULL when cancelled. An error becomes `needs`. Free with sheet_free(). */
struct sheet *sheet_new(const struct table *table, const struct table_request *request);
/* An empty sheet of TABLE with the reason WHY. */
struct sheet *sheet_new_empty(const struct table *table, const char *why);
void sheet_free(struct sheet *s); /* NULL is allowed */
/* Displays the rows that match REGEXES (NULL: all), from the next sheet_sort() on. */
void sheet_filter(struct sheet *s, const struct regexes *regexes);
/* True when REGEXES match a text of ROW, an index of a row. */
bool sheet_row_matches(const struct sheet *s, size_t row, const struct regexes *regexes);
/* Sorts the rows by COLUMN; -1: the table's order, which also breaks ties. Unknown values are
 * last. */
void sheet_sort(struct sheet *s, int column, bool ascending);
/* The cell of row I of the order. */
const struct sheet_cell *sheet_cell(const struct sheet *s, size_t i, size_t column);
