/* memory_draw.h: the picture of memory in use; private to memory_*.c. */
#pragma once

#include "tui/app.h"

/* Slices of time in a column of the plot, and columns left of it. */
enum { MEMORY_SLICES_PER_CELL = 2, MEMORY_SCALE_COLS = 9 };

/* Rows of the pane above the plot, which say why memory ran out; and the size of the plot. */
int memory_plot_top(const struct ui *ui);
int memory_plot_cols(const struct ui *ui);
int memory_plot_rows(const struct ui *ui);
bool memory_has_curve(const struct ui *ui);
/* Rows below the plot: of what is live, or of segments. */
size_t memory_n_rows(const struct ui *ui);
/* Appends a time of the picture, since its beginning. */
void memory_add_time(const struct app *a, struct strbuf *sb, int64_t at_ticks);
void memory_draw(struct app *a);
