/* timeline_lines.h: the rows of the timeline: section headings, which fold, and tracks. */
#pragma once

#include "tui/app.h"

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
