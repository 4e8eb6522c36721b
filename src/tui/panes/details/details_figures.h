/* details_figures.h: the figures of a row for each metric. */
#ifndef TFPROF_TUI_DETAILS_FIGURES_H
#define TFPROF_TUI_DETAILS_FIGURES_H

#include "tui/panes/lines.h"

struct app;
struct doc;

/* Adds self and total figures of ROW, their shares of the root, and ratios. */
void details_figures(struct app *a, struct lines *l, row_id row);
/* Explains a "+" after the operations: the number of nodes of unknown shape at or below ROW. */
void details_uncounted(struct doc *doc, struct lines *l, row_id row);

#endif
