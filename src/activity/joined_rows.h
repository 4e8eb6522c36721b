/* joined_rows.h: the rows of one table of two profiles, joined by its key columns. */
#pragma once

#include "activity/table.h"
#include "base/satmath.h"
#include "base/vec.h"

#define JOINED_NONE UINT64_MAX

/* A figure of a key on both sides, in the unit of its column. */
struct joined_row {
    uint64_t base, now; /* keys of the sides; JOINED_NONE: none there */
    size_t column;
    struct table_value base_value, now_value; /* 0 if the side lacks the key */
    double delta; /* 0: unknown */
    uint64_t at;  /* order of insertion, which breaks ties */
};

typedef VEC(struct joined_row) joined_rows;

/* Adds to ROWS the columns FIGURES (bits) of BASE and NOW, two open tables of the same kind, sorted by
 * -order_by, else by descending absolute difference.  Rows are paired by their key columns, except columns
 * that a side hides and locations (is_location) with a single value on each side; rows with equal keys are
 * paired in the order of the tables.  Omits figures that are 0 or unknown on both sides or hidden by
 * -min_delta or -min_percent, and rows of single steps if there are rows over all steps. */
void joined_rows_make(joined_rows *rows, const struct table_rows *base, const struct table_rows *now,
                      uint64_t figures);

/* The difference in percent of the baseline; infinite if the baseline is 0. */
double joined_percent(const struct joined_row *row);
/* Returns NaN if V is not a number. */
double table_value_number(const struct table_value *v);

struct joined_sides {
    struct table_cursor base, now;
};

void joined_sides_start(struct joined_sides *s, const struct table_rows *base,
                        const struct table_rows *now);
void joined_sides_done(struct joined_sides *s);
/* Sets V to the value of COLUMN for KEY of C's table, or to 0 for JOINED_NONE. */
void joined_value(struct table_cursor *c, uint64_t key, size_t column, struct table_value *v);
