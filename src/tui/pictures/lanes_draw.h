/* lanes_draw.h: how lanes over time are drawn, and what stands where. */
#ifndef TFPROF_TUI_PICTURES_LANES_DRAW_H
#define TFPROF_TUI_PICTURES_LANES_DRAW_H

#include "tui/app.h"

/* Columns of the plot, and rows that lanes have. */
int lanes_plot_cols(const struct app *a);
int lanes_rows(const struct app *a);

/* What follows asks of a picture that has lanes. */

/* The column of AT_TICKS, which may lie outside of the window. */
int lanes_column(const struct app *a, int64_t at_ticks);
/* The column of the plot of COL of the pane: the nearest one. */
int lanes_plot_col(const struct app *a, int col);
/* The lane that ROW of the pane shows; SIZE_MAX: none. */
size_t lanes_at_row(const struct app *a, int row);
/* From the column where the choice of a range began to that of the cursor. */
struct lane_range {
    int64_t from_ticks, to_ticks;
};
struct lane_range lanes_chosen_range(const struct app *a);
/* What is in the column and lane of the cursor. */
struct lane_stretch lanes_stretch_at_cursor(const struct app *a);
/* The span under the cursor: that which runs then, else the first in its column; SPAN_NONE. */
uint32_t lanes_span_at_cursor(const struct app *a);

void lanes_draw(struct app *a);

#endif
