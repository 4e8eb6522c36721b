/* timeline_geometry.h: the window, the rows and positions in the timeline. */
#pragma once

#include "tui/app.h"

/* Number of columns before the plot and in it, and of rows for headings and tracks. */
int timeline_name_cols(const struct ui *ui);
int timeline_plot_cols(const struct ui *ui);
int timeline_rows(const struct ui *ui);
/* Number of rows for N_LINES headings and tracks, limited by the screen. */
int timeline_rows_of(const struct ui *ui, size_t n_lines);
/* Number of rows above the tracks: times, steps if they are marked, annotations if there are any. */
int timeline_axis_rows(const struct ui *ui);

/* The following functions require a picture with tracks. */

/* The first tick of a column of the plot. */
int64_t timeline_tick_of_column(const struct ui *ui, int column);
/* The column of AT_TICKS, which may be outside of the window. */
int timeline_column(const struct app *a, int64_t at_ticks);
/* The column of the plot nearest to column COL of the pane. */
int timeline_plot_col(const struct ui *ui, int col);
/* The index in timeline.lines of ROW of the pane; SIZE_MAX: none. */
size_t timeline_at_row(const struct ui *ui, int row);
/* The range from the anchor column to the cursor. */
struct timeline_range {
    int64_t from_ticks, to_ticks;
};
struct timeline_range timeline_chosen_range(const struct app *a);
/* The content of the selected column and track. */
struct timeline_stretch timeline_stretch_at_cursor(const struct app *a);
/* Returns the span at the cursor, else the first one in its column; SPAN_NONE. */
uint32_t timeline_span_at_cursor(const struct app *a);

/* Sets the window to LEN_TICKS from FROM_TICKS, within the step. A column has at least one tick. */
void timeline_set_window(struct ui *ui, int64_t from_ticks, int64_t len_ticks);
/* Moves the window so that the cursor is not at its border. */
void timeline_follow(struct app *a);

/* Lists the rows of P's timeline (not empty) and selects the busiest accelerator track, else the
 * busiest track. With more than PAGE rows, only its section is unfolded, on both sides of a comparison. */
void timeline_lines_begin(struct timeline_pane *p, int page);
/* Selects row AT. */
void timeline_lines_select(struct timeline_pane *p, size_t at);
/* Selects TRACK, and unfolds its section. */
void timeline_lines_select_track(struct timeline_pane *p, size_t track);
/* Folds or unfolds the section of the selected row. */
void timeline_lines_fold(struct timeline_pane *p);
/* True when the selected row is a section heading. */
bool timeline_on_head(const struct timeline_pane *p);
