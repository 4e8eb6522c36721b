/* row.h: the legend and one row as the original prints them. */
#ifndef TFPROF_RENDER_ROW_H
#define TFPROF_RENDER_ROW_H

#include "base/strbuf.h"
#include "view/query.h"

/* "node name | # parameters" and the newline. */
void render_legend(struct strbuf *sb, const struct result *r);
/* One displayed row with its newline, and what follows it (input types of the
 * op view, tensor values); INDENT displayed ancestors. */
void render_row(struct strbuf *sb, struct result *r, row_id row, uint32_t indent);

/* The fields of a row alone, "3x3, 432/864 params", without a newline. */
void render_fields(struct strbuf *sb, struct result *r, row_id row);

#endif
