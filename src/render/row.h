/* row.h: formats the legend and single rows as the original does. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

/* Appends "node name | # parameters" and a newline. */
void render_legend(struct strbuf *sb, struct result *r);

/* Appends one field of a row; false when the row does not have that field. */
typedef bool render_field(struct strbuf *sb, struct result *r, row_id row, int field);

/* Settings for printing the rows of one result; fields are private.  Nothing to free. */
struct row_printer {
    struct result *result;
    size_t n_columns;
    struct {
        render_field *add;
        int field;
    } columns[FIELD_COUNT];
};

/* Computes the metrics that R's columns need.  Valid as long as R. */
void row_printer_init(struct row_printer *p, struct result *r);
/* True when several threads may print rows at once while nothing changes the result. */
bool row_printer_can_share(const struct row_printer *p);

/* Indentation per level. */
enum { ROW_INDENT_BYTES = 2 };

/* Appends one displayed row with its newline, and the lines that belong to it (input types of the
 * op view, tensor values).  INDENT is the number of displayed ancestors. */
void render_row(struct strbuf *sb, const struct row_printer *p, row_id row, uint32_t indent);
/* Appends METRIC of ROW on both sides of a comparison: "100.79ms -> 129.06ms, +28.27ms (+28.0%)".
 * Needs row_printer_init() and the metric selected. Returns true. */
bool render_delta(struct strbuf *sb, struct result *r, row_id row, int metric);
/* Appends only the fields of a row, "3x3, 432/864 params", without a newline. */
void render_fields(struct strbuf *sb, const struct row_printer *p, row_id row);
