/* details_figures.h: what a row has of each metric. */
#ifndef TFPROF_TUI_DETAILS_FIGURES_H
#define TFPROF_TUI_DETAILS_FIGURES_H

#include "tui/panes/lines.h"

struct app;

/* Adds ROW's own figures and its totals with their shares of the root, and the ratios. */
void details_figures(struct app *a, struct lines *l, row_id row);
/* Adds what a "+" behind the operations means: how many nodes at or below ROW are of unknown shape. */
void details_uncounted(struct app *a, struct lines *l, row_id row);

#endif
