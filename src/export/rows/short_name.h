/* short_name.h: the name of a row relative to its parent. */
#ifndef TFPROF_EXPORT_SHORT_NAME_H
#define TFPROF_EXPORT_SHORT_NAME_H

#include "view/query.h"

/* ROW's name without the prefix of the scope it is displayed below; in other views the whole name.
 * Bytes as in the file: the caller escapes them. */
struct text row_short_name(const struct result *r, row_id row);

#endif
