/* option_rows.h: options that the screen lists: the options of a query. */
#pragma once

#include "opt/options.h"

/* Number of rows. */
size_t option_rows_n(void);
/* Row I; I < option_rows_n(). */
const struct option *option_row(size_t i);
/* Appends the value for display: "(none)" for an empty list. */
void option_row_value(struct strbuf *sb, const struct options *o, const struct option *opt);
/* Number of rows that differ from their defaults and apply to VIEW. */
size_t option_rows_changed(const struct options *o, enum view_id view);
