/* row_field.h: the text of fields that are not metrics. */
#ifndef TFPROF_RENDER_ROW_FIELD_H
#define TFPROF_RENDER_ROW_FIELD_H

#include "view/query.h"

/* Appends the text, several values separated by "|"; false when ROW has no value of FIELD. */
bool row_field(struct strbuf *sb, struct result *r, row_id row, int field);

#endif
