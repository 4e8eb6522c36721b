/* table_compared.h: a table of two profiles: the rows of both, joined by their key columns. */
#pragma once

#include "activity/table.h"

/* True when TABLE has keys and columns to compare (is_compared). */
bool table_is_comparable(const struct table *table);

/* As table_open(), for the comparison of TABLE, which must be comparable, of request->base and
 * request->now: one row per key and compared figure, the largest difference first. */
bool table_open_compared(struct table_rows *t, const struct table *table,
                         const struct table_request *request, struct err *err);
