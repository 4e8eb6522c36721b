/* table_compared.h: a table of two profiles: the rows of both, joined by their key columns. */
#pragma once

#include "activity/table.h"

/* True when TABLE has keys and columns to compare (is_compared). */
bool table_is_comparable(const struct table *table);

/* As table_open(), for TABLE of request->base and of request->now: a row for each compared figure of each
 * key, the largest difference first.  TABLE must be comparable. */
bool table_open_compared(struct table_rows *t, const struct table *table,
                         const struct table_request *request, struct err *err);
