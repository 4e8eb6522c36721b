/* timeline_lines.h: the rows of the timeline: heads of sections, which fold, and tracks. */
#pragma once

#include "tui/app.h"

/* Lists the rows of P's timeline, which has tracks, and selects the busiest track of an accelerator,
 * else of any.  With more than PAGE rows only its section is unfolded. */
void timeline_lines_begin(struct timeline_pane *p, int page);
/* Selects row AT. */
void timeline_lines_select(struct timeline_pane *p, size_t at);
/* Selects TRACK, and unfolds its section. */
void timeline_lines_select_track(struct timeline_pane *p, size_t track);
/* Folds or unfolds the section of the selected row. */
void timeline_lines_fold(struct timeline_pane *p);
/* True when the selected row is the head of a section. */
bool timeline_on_head(const struct timeline_pane *p);
