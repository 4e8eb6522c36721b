/* figures.h: the figures of a row as the screen shows them: the same texts as
 * in the text output, a cell each. */
#ifndef TFPROF_TUI_FIGURES_H
#define TFPROF_TUI_FIGURES_H

#include "term/canvas.h"
#include "tui/panes/uncounted.h"
#include "view/query.h"

/* The metric that the rows are about: that of the order, be it selected or not,
 * else main_figure() of the selected ones; METRIC_COUNT: none. */
enum metric_id figure_primary(const struct options *o);

/* The name of M where it has the room of COLS, else its short head; static. */
const char *figure_label(enum metric_id m, size_t cols);

/* Appends VALUE as the text output has it, but large sizes in GB and TB. */
void figure_value(struct strbuf *sb, enum metric_unit unit, int64_t value);

/* Appends the row's own figure, "--" when it is not accounted; "runs|1" for
 * occurrence; of operations that are not counted why: "?" for an unknown shape,
 * "no rule". */
void figure_self(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m);
/* Appends the total; "runs|defined" for occurrence. */
void figure_total(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m);

/* The total, with a "+" behind operations that lack some of unknown shape. */
void figure_known(struct strbuf *sb, const struct uncounted *uncounted, const struct result *r,
                  row_id row, enum metric_id m);

/* The share of ROW's figure (the total; in a list its own) in that of BASE, 0
 * to 1 and beyond; 0 without a base. */
double figure_part(const struct result *r, row_id row, row_id base, enum metric_id m);

/* How a figure that is SHARE of all stands out: dim below half a percent, hot above five. */
enum role figure_heat(double share);

/* Appends WIDTH glyphs of which SHARE of 1 are full. */
void figure_bar(struct strbuf *sb, double share, int width);

/* What one should know before trusting the figures of NODE: it did not run, it
 * left no events, it counts twice; NULL: nothing. */
const char *figure_doubt(const struct result *r, node_id node);

/* "8,930". */
void figure_grouped(struct strbuf *sb, uint64_t n);

#endif
