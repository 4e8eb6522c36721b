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
    struct table_value base_value, now_value; /* 0 on a side without the key */
    double delta; /* 0: not known */
    uint64_t at;  /* place among those of equal weight */
};

typedef VEC(struct joined_row) joined_rows;

/* Adds to ROWS the figures of BASE and NOW, open tables of one record, in the columns FIGURES (bits): as
 * -order_by says by their difference or baseline, else the largest difference first.  Rows of equal keys are
 * paired first with first.  Key columns that say nothing on a side keep no rows apart.  Left out: what
 * is 0 or not known on both sides, what -min_delta and -min_percent hide, and steps beside a row of
 * all steps. */
void joined_rows_make(joined_rows *rows, const struct table_rows *base, const struct table_rows *now,
                      uint64_t figures);

/* The difference in percent of the baseline; infinite where that is 0. */
double joined_percent(const struct joined_row *row);
/* NaN: V is no number. */
double table_value_number(const struct table_value *v);

struct joined_sides {
    struct table_cursor base, now;
};

void joined_sides_start(struct joined_sides *s, const struct table_rows *base,
                        const struct table_rows *now);
void joined_sides_done(struct joined_sides *s);
/* Sets V to the value of COLUMN for KEY of C's table, or to 0 for JOINED_NONE. */
void joined_value(struct table_cursor *c, uint64_t key, size_t column, struct table_value *v);
