/* short_name.h: the name of a row within the one above it. */
#ifndef TFPROF_EXPORT_SHORT_NAME_H
#define TFPROF_EXPORT_SHORT_NAME_H

#include "view/query.h"

/* What the name of ROW adds to that of the scope it is displayed below; elsewhere the whole name.
 * Bytes as they are in the file: escape them. */
struct text row_short_name(const struct result *r, row_id row);

#endif
