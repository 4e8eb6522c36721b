/* figures.h: figures of a row as cells. */
#pragma once

#include "term/canvas.h"
#include "tui/rows/uncounted.h"
#include "view/query.h"

/* The primary metric: the metric of the order, even if it is not selected, else main_metric() of
 * the selected ones; METRIC_COUNT: none. */
enum metric_id figure_primary(const struct options *o);

/* The name of M if it fits into COLS, else its short head; static. */
const char *figure_label(enum metric_id m, size_t cols);

/* Appends the self figure of ROW: "--" if it is not accounted, "runs|1" for occurrence. For
 * operations without a count appends why: "?" for an unknown shape, "no rule". */
void figure_self(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m);
/* Appends the total; "runs|defined" for occurrence. */
void figure_total(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m);

/* Appends the total, with a "+" if operations of unknown shape are missing in it. */
void figure_known(struct strbuf *sb, const struct uncounted *uncounted, const struct result *r,
                  row_id row, enum metric_id m);

/* ROW's figure (its total; in a list self) divided by that of BASE, which may exceed 1; 0
 * without a base. */
double figure_part(const struct result *r, row_id row, row_id base, enum metric_id m);

/* Role of a figure with SHARE of the whole: dim below 0.5 %, hot above 5 %. */
enum role figure_heat(double share);

/* Appends a bar of WIDTH glyphs, filled by SHARE (0 to 1). */
void figure_bar(struct strbuf *sb, double share, int width);

/* Returns why the figure of NODE is doubtful: it did not run, has no events, or is counted twice;
 * NULL: it is not. */
const char *figure_doubt(const struct result *r, node_id node);

/* Appends N with digit groups: "8,930". */
void figure_grouped(struct strbuf *sb, uint64_t n);
