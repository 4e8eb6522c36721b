/* option_rows.h: the options that the screen lists: those of a query. */
#ifndef TFPROF_TUI_OPTION_ROWS_H
#define TFPROF_TUI_OPTION_ROWS_H

#include "opt/options.h"

/* How many there are. */
size_t option_rows_n(void);
/* The I-th of them; I < option_rows_n(). */
const struct option *option_row(size_t i);
/* The number of the first one, from FROM on, that differs from its default and matters to VIEW;
 * option_rows_n() when there is none. */
size_t option_row_changed(const struct options *o, enum view_id view, size_t from);
/* Appends the value as people read it: "(none)" for an empty list. */
void option_row_value(struct strbuf *sb, const struct options *o, const struct option *opt);
/* How many there are of those. */
size_t option_rows_changed(const struct options *o, enum view_id view);

#endif
