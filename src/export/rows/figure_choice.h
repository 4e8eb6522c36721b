/* figure_choice.h: chooses the metric of a picture. */
#pragma once

#include "view/query.h"

/* Returns the only selected metric. -1 with ERR (usage, with a suggestion): none or several. */
int figure_choice(const char *output, const struct result *r, struct err *err);
/* Returns the metric for size or colour if several are selected: the one that orders the rows, else
 * the first column; -1: none. */
int figure_main(const struct result *r);
/* As figure_main() for OUTPUT; -1 with ERR (usage, with a suggestion): none, or in no step. */
int figure_to_draw(const char *output, const struct result *r, struct err *err);

/* PART / WHOLE, in [0, 1]; 0 when WHOLE is not positive. */
double figure_share(int64_t part, int64_t whole);

/* Returns ROW's name without the prefix of the scope above it; in other views the whole name. Bytes
 * are unescaped. */
struct text row_short_name(const struct result *r, row_id row);
