/* columns.h: columns of the tree pane and how many of them fit. */
#pragma once

#include "tui/app.h"

enum column_kind {
    COLUMN_SELF,  /* self figure of the primary metric */
    COLUMN_TOTAL, /* total of a metric */
    COLUMN_SHARE, /* percentage of the base, with a bar if it fits */
    COLUMN_BASE,  /* figure of the baseline */
    COLUMN_NOW,   /* figure that is compared with it */
    COLUMN_DELTA, /* difference to the baseline */
    COLUMN_CHANGE, /* difference in percent of the baseline */
    COLUMN_FIELD, /* other fields: devices, types ... */
};

enum { COLUMN_PERCENT_COLS = 6 }; /* width of a share without its bar */

struct column_spec {
    enum column_kind kind;
    int field; /* metric or field */
    int cols;  /* without the blank in front */
};

enum { COLUMNS_MAX = FIELD_COUNT + 4 };

struct fitted_columns {
    struct column_spec v[COLUMNS_MAX];
    int n;
    int n_before, n_after; /* number of columns that do not fit, on the left and on the right */
    int name_cols; /* width of the names */
};

/* Fits columns beside the names into COLS: always the first one, by which rows are ordered, then
 * those from column_shift on. */
struct fitted_columns columns_fit(const struct app *a, int cols);
/* Appends the head of a column: "TOTAL v", "% of root". */
void column_head(const struct app *a, const struct column_spec *column, struct strbuf *sb);
/* Appends the cell of ROW, whose displayed parent is PARENT. */
void column_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                 struct strbuf *sb);
/* The order that sorts COLUMN. */
int column_order(const struct column_spec *column);
bool column_is_sorted(const struct doc *doc, const struct column_spec *column);

/* Role of the figure of ROW in COLUMN, by its share of the root. */
enum role column_role(const struct app *a, const struct column_spec *column, row_id row);
