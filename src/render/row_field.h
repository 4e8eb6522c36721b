/* row_field.h: what a field that is no metric says of a row. */
#ifndef TFPROF_RENDER_ROW_FIELD_H
#define TFPROF_RENDER_ROW_FIELD_H

#include "view/query.h"

/* Appends it, several things with "|" between them; false when FIELD has nothing to say of ROW. */
bool row_field(struct strbuf *sb, struct result *r, row_id row, int field);

#endif
