/* memory_draw.h: draws the memory chart; private to memory_*.c. */
#pragma once

#include "tui/app.h"

/* Slices of time per column of the plot; width of the scale to its left. */
enum { MEMORY_SLICES_PER_CELL = 2, MEMORY_SCALE_COLS = 9 };

/* Number of rows above the plot, which explain an out-of-memory error; and size of the plot. */
int memory_plot_top(const struct ui *ui);
int memory_plot_cols(const struct ui *ui);
int memory_plot_rows(const struct ui *ui); /* 0 without a plot */
int memory_heading_row(const struct ui *ui); /* row of the heading of the rows */
bool memory_has_curve(const struct ui *ui);  /* the picture has an allocator */
bool memory_has_plot(const struct ui *ui);   /* that has a curve: memory is known at more than one instant */
/* Number of rows below the plot: live memory, or segments. */
size_t memory_n_rows(const struct ui *ui);
/* Appends the time of a position of the chart, or the number of an event. */
void memory_add_time(const struct memory_picture *m, struct strbuf *sb, int64_t position);
void memory_draw(struct app *a);
