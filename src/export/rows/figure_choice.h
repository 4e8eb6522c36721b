/* figure_choice.h: chooses the metric of a picture. */
#pragma once

#include "view/query.h"

/* The only selected metric, for outputs that show one metric.  -1 with ERR (usage, with a
 * suggestion) when none or several are selected. */
int figure_choice(const char *output, const struct result *r, struct err *err);
/* The metric for size or colour when several are selected: the one that orders the rows if
 * selected, else the first column; -1: none. */
int figure_main(const struct result *r);
/* The same for OUTPUT; -1 with ERR (usage, with a suggestion) when there is none, or when no step
 * has it. */
int figure_to_draw(const char *output, const struct result *r, struct err *err);

/* PART / WHOLE, in [0, 1]; 0 when WHOLE is not positive. */
double figure_share(int64_t part, int64_t whole);

/* ROW's name without the prefix of the scope it is displayed below; in other views the whole name.
 * Bytes as in the file: the caller escapes them. */
struct text row_short_name(const struct result *r, row_id row);
