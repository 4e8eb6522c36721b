/* columns.h: the columns of the tree pane: which there are, and which fit. */
#ifndef TFPROF_TUI_COLUMNS_H
#define TFPROF_TUI_COLUMNS_H

#include "tui/app.h"

enum column_kind {
    COLUMN_SELF,  /* own figure of the primary metric */
    COLUMN_TOTAL, /* total of a metric */
    COLUMN_SHARE, /* percent of the base, with a bar when there is room */
    COLUMN_DELTA, /* difference to what is compared with */
    COLUMN_FIELD, /* what is no figure: devices, types ... */
};

enum { COLUMN_PERCENT_COLS = 6 }; /* of a share, before the bar */

struct column_spec {
    enum column_kind kind;
    int field; /* metric or field */
    int cols;  /* without the blank before it */
};

enum { COLUMNS_MAX = FIELD_COUNT + 4 };

struct columns_seen {
    struct column_spec v[COLUMNS_MAX];
    int n;
    int n_before, n_after; /* columns that there is no room for, on the left and on the right */
    int name_cols; /* what the names have */
};

/* The columns that fit into COLS beside the names.  The first one, by which the rows are
 * ordered, is always there; of the others those from number a->column_shift on. */
struct columns_seen columns_fit(const struct app *a, int cols);
/* Appends the head of column I: "TOTAL v", "% of root". */
void column_head(const struct app *a, const struct column_spec *column, struct strbuf *sb);
/* Appends the cell of ROW, whose displayed parent is PARENT. */
void column_cell(struct app *a, const struct column_spec *column, row_id row, row_id parent,
                 struct strbuf *sb);
/* True for the column that the rows are ordered by. */
/* The order that has COLUMN sorted. */
int column_order(const struct column_spec *column);
bool column_is_sorted(const struct app *a, const struct column_spec *column);

/* How the figure of ROW in COLUMN stands out, by its share of the root's. */
enum role column_role(const struct app *a, const struct column_spec *column, row_id row);

#endif
