/* option_rows.h: the options that the screen lists: those of a query. */
#ifndef TFPROF_TUI_OPTION_ROWS_H
#define TFPROF_TUI_OPTION_ROWS_H

#include "opt/options.h"

/* How many there are. */
size_t option_rows_n(void);
/* The I-th of them; I < option_rows_n(). */
const struct option *option_row(size_t i);
/* The number of the I-th one that differs from its default; option_rows_n() when there are
 * fewer. */
size_t option_row_changed(const struct options *o, size_t i);
/* Appends the value as people read it: "(none)" for an empty list. */
void option_row_value(struct strbuf *sb, const struct options *o, const struct option *opt);
/* How many differ from their defaults. */
size_t option_rows_changed(const struct options *o);

#endif
