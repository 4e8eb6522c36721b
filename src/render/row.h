/* row.h: the legend and one row as the original prints them. */
#ifndef TFPROF_RENDER_ROW_H
#define TFPROF_RENDER_ROW_H

#include "base/strbuf.h"
#include "view/query.h"

/* "node name | # parameters" and the newline. */
void render_legend(struct strbuf *sb, struct result *r);

/* Appends one field of a row; false when the row has no such field at all. */
typedef bool render_field(struct strbuf *sb, struct result *r, row_id row, int field);

/* How the rows of one result are printed: all fields are private.  It holds
 * nothing that needs freeing. */
struct row_printer {
    struct result *result;
    size_t n_columns;
    struct {
        render_field *add;
        int field;
    } columns[FIELD_COUNT];
};

/* Makes the figures that R's columns need.  Valid as long as R. */
void row_printer_init(struct row_printer *p, struct result *r);
/* True when several threads may print rows at once, as long as none changes
 * the result. */
bool row_printer_can_share(const struct row_printer *p);

/* Blanks before the name of a row, for each level. */
enum { ROW_INDENT_BYTES = 2 };

/* One displayed row with its newline, and what follows it (input types of the
 * op view, tensor values); INDENT displayed ancestors. */
void render_row(struct strbuf *sb, const struct row_printer *p, row_id row, uint32_t indent);
/* What METRIC of ROW is on either side of a comparison: "100.79ms -> 129.06ms, +28.27ms (+28.0%)".
 * After row_printer_init(), if the metric is selected. */
void render_delta(struct strbuf *sb, struct result *r, row_id row, enum metric_id metric);
/* The fields of a row alone, "3x3, 432/864 params", without a newline. */
void render_fields(struct strbuf *sb, const struct row_printer *p, row_id row);

#endif
